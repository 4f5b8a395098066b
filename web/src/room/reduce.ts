/** A room as it is known, and how each message changes it. */

import type { Arrival } from '../net/follower';
import type { DraftSeen, Presence, RoomView, Seen, SeenEvent, Update, You } from '../protocol';

/** A turn that was taken: the table before and after it. */
export interface TurnTaken {
  readonly version: number;
  /** In seconds of unix time, on the server's clock. */
  readonly at: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly event: TurnEvent;
}

export type TurnEvent = Extract<SeenEvent, { kind: 'played' | 'drew' | 'passed' | 'timed-out' }>;

/** What happened at once, with the room before and after it. */
export interface Happening {
  readonly before: RoomView;
  readonly after: RoomView;
  readonly events: readonly Seen[];
  readonly turns: readonly TurnTaken[];
}

/** What somebody is arranging; `?` is a tile that lies face down. */
export interface SeenDraft {
  readonly seat: number;
  readonly table: readonly (readonly string[])[];
}

export const FACE_DOWN = '?';

export interface RoomState {
  readonly view: RoomView | null;
  readonly you: You | null;
  /** The last turn in which tiles were laid, in this round. */
  readonly lastPlay: TurnTaken | null;
  /** The rack that a seat of this device was dealt in this round, if it was seen. */
  readonly dealt: { readonly seat: number; readonly rack: string } | null;
}

export const EMPTY: RoomState = { view: null, you: null, lastPlay: null, dealt: null };

/** The room after a message, and what there is to tell about it. */
export function take(
  state: RoomState,
  message: Arrival | Update | DraftSeen | Presence,
): { state: RoomState; happening: Happening | null } {
  switch (message.type) {
    case 'snapshot': {
      const stays = state.view !== null && sameRound(state.view, message.view);
      const known = stays ? state : { ...EMPTY, lastPlay: lastPlayOf(message) };
      return { state: { ...known, view: message.view, you: message.you }, happening: null };
    }
    case 'update': {
      const after = message.view;
      if (!state.view) return { state: { ...state, view: after }, happening: null };
      const turns = turnsOf(state.view, message.events);
      const known = sameRound(state.view, after) ? state : EMPTY;
      const began = message.events.findLast(({ event }) => event?.kind === 'round-began')?.version ?? 0;
      const lastPlay = turns.findLast((turn) => turn.version > began && laysTiles(turn)) ?? known.lastPlay;
      const dealt = rackDealt(message) ?? known.dealt;
      const happening = { before: state.view, after, events: message.events, turns };
      return { state: { you: state.you, view: after, lastPlay, dealt }, happening };
    }
    case 'draft': {
      const match = state.view?.match;
      if (!state.view || !match || match.phase !== 'playing' || match.turn !== message.seat) {
        return { state, happening: null };
      }
      const view = { ...state.view, match: { ...match, draft: message.table } };
      return { state: { ...state, view }, happening: null };
    }
    case 'presence': {
      if (!state.view) return { state, happening: null };
      const seats = state.view.seats.map((seat) => ({ ...seat, present: message.present[seat.seat] ?? seat.present }));
      return { state: { ...state, view: { ...state.view, seats } }, happening: null };
    }
  }
}

/** The turns that these events tell of, in order. */
export function turnsOf(before: RoomView, events: readonly Seen[]): TurnTaken[] {
  return turnsAfter(before.match?.table ?? [], events);
}

function turnsAfter(before: readonly string[], events: readonly Seen[]): TurnTaken[] {
  let table = before;
  const turns: TurnTaken[] = [];
  for (const { version, at, event } of events) {
    if (event?.kind === 'round-began') {
      table = [];
    } else if (event?.kind === 'played' || event?.kind === 'timed-out') {
      turns.push({ version, at, before: table, after: event.table, event });
      table = event.table;
    } else if (event?.kind === 'drew' || event?.kind === 'passed') {
      turns.push({ version, at, before: table, after: table, event });
    }
  }
  return turns;
}

/** The last play of a round that was on when somebody came, where it was told what lay there before it. */
function lastPlayOf({ view, past = [] }: Arrival): TurnTaken | null {
  const tells = ({ event }: Seen): boolean =>
    event?.kind === 'round-began' || event?.kind === 'played' || event?.kind === 'timed-out';
  const from = Math.max(past.findIndex(tells), past.findLastIndex(({ event }) => event?.kind === 'round-began'));
  const [first, ...later] = past.slice(Math.max(0, from));
  if (view.match?.phase !== 'playing' || !first?.event || !tells(first)) return null;
  const before = 'table' in first.event ? first.event.table : [];
  return turnsAfter(before, later).findLast(laysTiles) ?? null;
}

function laysTiles({ event }: TurnTaken): boolean {
  return (event.kind === 'played' || event.kind === 'timed-out') && event.laid !== '';
}

function rackDealt({ events, view }: Update): RoomState['dealt'] {
  const began = events.map(({ event }) => event).findLast((event) => event?.kind === 'round-began');
  const seat = view.match?.seat ?? null;
  return began && seat !== null ? { seat, rack: began.rack } : null;
}

function sameRound(a: RoomView, b: RoomView): boolean {
  return a.matches === b.matches && a.match?.round === b.match?.round;
}

/** Something that is the same as long as one turn lasts, and another in the next; null when nobody is to move. */
export function turnKey(view: RoomView | null): string | null {
  const match = view?.match;
  if (!view || !match || view.stage !== 'playing' || match.phase !== 'playing') return null;
  return JSON.stringify([
    view.matches,
    match.round,
    match.turn,
    match.passes,
    match.pool_size,
    match.rack_sizes,
    match.table,
  ]);
}

/** The draft of the player to move, if it is not this device's own. */
export function othersDraft({ view, you }: RoomState): SeenDraft | null {
  const match = view?.match;
  if (!match?.draft || match.turn === you?.shown) return null;
  return { seat: match.turn, table: match.draft };
}

/** The draft of the shown seat as the server knows it: of another tab, or of before the page was loaded. */
export function ownDraft({ view, you }: RoomState): readonly (readonly string[])[] | null {
  const match = view?.match;
  if (!match?.draft || match.turn !== you?.shown || match.seat !== you.shown) return null;
  return match.draft.some((meld) => meld.includes(FACE_DOWN)) ? null : match.draft;
}

/** Whether the seat that is shown is to move, and nobody moves for it. */
export function isMyTurn({ view, you }: RoomState): boolean {
  return turnOf(view) !== null && turnOf(view) === (you?.shown ?? -1);
}

/** Whether a seat of this device is to move, shown or not. */
export function isOurTurn({ view, you }: RoomState): boolean {
  const turn = turnOf(view);
  return turn !== null && (you?.seats.includes(turn) ?? false);
}

/** The seat of the person who is to move. */
function turnOf(view: RoomView | null): number | null {
  const match = view?.match;
  if (view?.stage !== 'playing' || match?.phase !== 'playing') return null;
  return match.bots[match.turn] === null ? match.turn : null;
}
