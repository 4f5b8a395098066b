/** One's own place at a running match: the table that one arranges, as the server's news and the player change it. */

import { untrack } from 'svelte';
import { draftOf, isUnchanged, meldPieces, tableText, withTable, type DraftMeld } from '../game/draft';
import { carry, followSeen, replay } from '../game/moves';
import type { RackOrder } from '../game/order';
import { bestValue } from '../game/points';
import { readMeld, tilesOf, writeMeld, type Tile } from '../game/tiles';
import type { Advice, MatchView, ViolationSeen } from '../protocol';
import type { RoomSession, TurnTaken } from '../room/session.svelte';
import { reset } from '../table/board';
import { newState, sameButTarget, update, withDraft, withGlow, withLit, withOthers } from '../table/state';
import type { DropTarget, May, TableState } from '../table/types';
import { Film, framesOf } from './film.svelte';
import { keep, keptFor, keptOf, revived, type Owner } from './kept';
import { verdictOf, type Verdict } from './verdict';

/** How long a drawn tile glows, and how long the server's opinion is waited for, in milliseconds. */
const GLOW = 2600;
const OPINION = 1500;
const NONE: readonly DraftMeld[] = [];
const NO_TILES: readonly Tile[] = [];
const NO_LAID: ReadonlySet<Tile> = new Set();
const NO_MELDS: ReadonlySet<number> = new Set();
const NO_FLAGS: TableState['flags'] = new Map();

export class Desk {
  readonly session: RoomSession;
  readonly film = new Film();
  /** The state, and apart from it where what is in the hand would go: that is all that a step of a drag changes, and
   * nothing that hangs on the rest is even asked whether it has changed. */
  #steady = $state.raw<TableState | null>(null);
  #target = $state.raw<DropTarget | null>(null);
  /** Whether what is in the hand would go to the table, rather than to another place on the rack. */
  #laying = $state(false);
  /** Tiles that had been prepared and whose place is gone. */
  dropped = $state.raw<readonly Tile[]>([]);
  /** Why the last play was refused. */
  refusal = $state.raw<{ readonly code: string; readonly violations: readonly ViolationSeen[] } | null>(null);
  /** A command is on its way. */
  busy = $state(false);

  readonly #orders = new Map<number, RackOrder>();
  #round = '';
  #seen = '';
  #sent: string | null = null;
  /** What another tab arranged, as this one shows it. */
  #restored: string | null = null;
  #turn: string | null = null;
  #othersNext = 0;
  #lit: TurnTaken | null = null;
  #glow: ReturnType<typeof setTimeout> | undefined;
  #kept: Pick<TableState, 'base' | 'history' | 'order'> | null = null;

  constructor(session: RoomSession) {
    this.session = session;
  }

  get #state(): TableState | null {
    const [steady, target] = [this.#steady, this.#target];
    return steady === null || steady.target === target ? steady : { ...steady, target };
  }

  set #state(next: TableState | null) {
    const target = next?.target ?? null;
    if (next === null || this.#steady === null || !sameButTarget(this.#steady, next)) this.#steady = next;
    this.#target = target;
    this.#laying = target !== null && target.to !== 'rack';
  }

  get state(): TableState | null {
    return this.#state;
  }

  /** The state, whose target may be an old one. */
  get steady(): TableState | null {
    return this.#steady;
  }

  get target(): DropTarget | null {
    return this.#target;
  }

  // Parts of the state on their own, for what hangs on nothing else.
  readonly #draft = $derived(this.#steady?.history.now ?? null);
  readonly #base = $derived(this.#steady?.base ?? null);
  /** One's own draft: its melds, those that are none, those that differ from how the turn began. */
  readonly own = $derived(this.#steady?.melds ?? NONE);
  readonly flags = $derived(this.#steady?.flags ?? NO_FLAGS);
  readonly changed = $derived(this.#steady?.changed ?? NO_MELDS);
  /** The rack tiles that are laid in it. */
  readonly laid = $derived(this.#steady?.laid ?? NO_LAID);
  readonly #others = $derived(this.#steady?.others ?? null);
  readonly #shown = $derived(this.#steady?.rack ?? NO_TILES);

  /** Whether something lies otherwise than the turn began. */
  readonly touched = $derived(this.#draft !== null && this.#base !== null && !isUnchanged(this.#draft, this.#base));

  /** What lies on the table as it is shown: a film, what somebody else arranges, or one's own draft. */
  readonly melds = $derived.by((): readonly DraftMeld[] => {
    if (this.film.now) return this.film.now.melds;
    return this.touched || this.#laying ? this.own : (this.#others ?? this.own);
  });

  readonly rack = $derived.by((): readonly Tile[] => {
    const filmed = this.film.now?.rack;
    return filmed ? this.#shown.filter((tile) => filmed.includes(tile)) : this.#shown;
  });

  /** What goes to the server; null when all is as it was. */
  readonly text = $derived(this.#draft !== null && this.touched ? tableText(this.#draft) : null);

  /** The server's opinion of exactly this draft, as far as it is there. */
  readonly advice = $derived.by((): Advice | null => (this.text ? this.session.adviceFor(this.text) : null));

  /** Points towards the opening; null where there is none, or once it is done. */
  readonly towards = $derived.by(() => {
    const { match, mySeat, rules } = this.session;
    if (!rules || !match || mySeat === null || match.opened[mySeat] || rules.opening === 0) return null;
    const points = this.advice?.towards ?? bestValue([...this.laid], rules);
    return { points, needed: rules.opening };
  });

  readonly verdict = $derived.by((): Verdict =>
    verdictOf({
      laid: this.laid.size,
      broken: this.flags.size,
      towards: this.towards,
      advice: this.advice,
      connected: this.session.link === 'open',
    }),
  );

  /** Whether a tile can be drawn; where not, a player passes. */
  readonly mayDraw = $derived.by(() => {
    const [match, seat] = [this.session.match, this.session.mySeat];
    if (!match || seat === null || match.pool_size === 0) return false;
    return (this.session.rules?.stars ?? 0) === 0 || (match.stars[seat] ?? 0) > 0;
  });

  /** What a player may do now. */
  readonly may = $derived.by((): May => {
    const { match, mySeat, view, isMyTurn } = this.session;
    if (!match || mySeat === null || view?.stage !== 'playing' || match.phase !== 'playing') return 'watch';
    if ((match.bots[mySeat] ?? null) !== null) return 'arrange';
    return isMyTurn ? 'play' : 'prepare';
  });

  // The server's news

  /** Take over what the session knows by now. */
  follow(): void {
    const { match, rules, mySeat, view, turnKey, ownDraft, othersDraft, lastPlay, follows } = this.session;
    const { may } = this;
    untrack(() => {
      if (!match || !rules || !view) return;
      const round = JSON.stringify([view.matches, match.round, mySeat, rules]);
      if (this.#state === null || round !== this.#round) {
        this.#begin(match, may, mySeat);
        this.#round = round;
      } else {
        this.#update(match, may);
      }
      if (turnKey !== this.#turn) {
        this.#turn = turnKey;
        this.#sent = null;
        this.#restored = null;
        this.refusal = null;
      }
      this.#restore(ownDraft, match.draft === null && (follows || this.#restored !== null));
      this.#showOthers(othersDraft?.table ?? null);
      this.#showLit(lastPlay);
      this.#send();
      this.#keep();
    });
  }

  #begin(match: MatchView, may: May, seat: number | null): void {
    const { rules } = this.session;
    if (!rules) return;
    this.film.stop();
    const owner = this.#owner();
    const kept = owner && keptFor(owner);
    const { state, dropped } = (kept && revived(kept, { rules, may, table: match.table, rack: match.rack })) ?? {
      state: newState(rules, match.table, match.rack, may, seat === null ? undefined : this.#orders.get(seat)),
      dropped: [],
    };
    this.#state = state;
    this.#seen = JSON.stringify([match.table, match.rack, may]);
    this.#sent = null;
    this.#lit = null;
    this.dropped = dropped;
  }

  /** Whose draft this is; null where it is nobody's, or where several people share the device: nothing is kept there. */
  #owner(): Owner | null {
    const { view, match, mySeat: seat, you, ourSeats } = this.session;
    if (!view || !match || seat === null || !you?.player || ourSeats.length > 1) return null;
    return { room: view.room, match: view.matches, round: match.round, seat, player: you.player };
  }

  /** Keep the draft and the order of the rack, for when the page is loaded anew. */
  #keep(): void {
    const [state, owner] = [this.#steady, this.#owner()];
    if (!state || !owner || state.may === 'watch' || state.dragging?.by === 'pointer') return;
    const { base, history, order } = state;
    const last = this.#kept;
    if (last?.base === base && last.history === history && last.order === order) return;
    this.#kept = { base, history, order };
    keep(owner, keptOf(state));
  }

  #update(match: MatchView, may: May): void {
    const seen = JSON.stringify([match.table, match.rack, may]);
    if (!this.#state || seen === this.#seen) return;
    this.#seen = seen;
    const { state, dropped } = update(this.#state, match.table, match.rack, may);
    this.#state = state;
    this.dropped = dropped;
  }

  /** The own draft of another tab, or of before the page was loaded anew, until something newer is moved here. */
  #restore(draft: readonly (readonly string[])[] | null, putBack: boolean): void {
    const state = this.#state;
    if (!state || state.may !== 'play' || (draft === null && !(putBack && this.touched))) return;
    const written = JSON.stringify(draft);
    if (written === this.#restored) return;
    this.#restored = draft ? written : null;
    if (draft) {
      const { melds } = carry(state.melds, draft.map((words) => readMeld(words.join(' '))), state.history.now.next);
      const next = withTable(state.base, melds);
      const known = JSON.stringify(tableText(next)) === JSON.stringify(tableText(state.history.now));
      if (!known) this.#state = withDraft(state, next);
    } else {
      this.#state = withDraft(state, state.base);
    }
    this.#sent = JSON.stringify(this.text);
  }

  #showOthers(table: readonly (readonly string[])[] | null): void {
    const state = this.#state;
    if (!state || (table === null && state.others === null)) return;
    if (table === null) {
      this.#state = withOthers(state, null);
      return;
    }
    const before = state.others ?? state.base.melds;
    const { melds, next } = followSeen(before, table, Math.max(this.#othersNext, state.history.now.next));
    this.#othersNext = next;
    this.#state = withOthers(state, melds);
  }

  #showLit(play: TurnTaken | null): void {
    if (!this.#state || play === this.#lit) return;
    this.#lit = play;
    this.#state = play
      ? withLit(this.#state, draftOf(play.before, '').melds, draftOf(play.after, '').melds)
      : { ...this.#state, lit: new Set() };
  }

  /** Let tiles glow that were just drawn. */
  glow(tiles: readonly Tile[]): void {
    if (!this.#state) return;
    clearTimeout(this.#glow);
    this.#state = withGlow(this.#state, tiles);
    this.#glow = setTimeout(() => {
      if (this.#state) this.#state = withGlow(this.#state, []);
    }, GLOW);
  }

  // The player

  /** The state after a gesture, a key or a button. */
  set(next: TableState): void {
    if (next.history !== this.#state?.history) {
      this.refusal = null;
      this.dropped = [];
      this.#restored = null;
    }
    this.#state = next;
    const seat = this.session.mySeat;
    if (seat !== null) this.#orders.set(seat, next.order);
    this.#send();
    this.#keep();
  }

  #send(): void {
    if (this.#state?.may !== 'play' || this.#state.dragging?.by === 'pointer') return;
    const text = this.touched ? tableText(this.#state.history.now) : null;
    const written = JSON.stringify(text);
    if (written === (this.#sent ?? 'null')) return;
    this.#sent = written;
    this.session.sendDraft(text);
  }

  /** Play what lies there. A legal play is never refused; whatever is in the way is told, and the draft stays. */
  async play(): Promise<boolean> {
    const { mySeat: seat } = this.session;
    if (seat === null || this.busy || !this.text || this.may !== 'play') return false;
    this.busy = true;
    try {
      if (this.verdict.may === 'checking') await this.#opinion();
      if (this.verdict.may === 'no' || !this.text) return false;
      return await this.#do({ kind: 'play', seat, table: this.text });
    } finally {
      this.busy = false;
    }
  }

  /** Draw a tile, or pass where there is none to draw; what was arranged goes back first. */
  async draw(): Promise<boolean> {
    const { mySeat: seat } = this.session;
    if (seat === null || this.busy || this.may !== 'play') return false;
    this.busy = true;
    try {
      if (this.#state && this.touched) this.set(reset(this.#state));
      return await this.#do({ kind: this.mayDraw ? 'draw' : 'pass', seat });
    } finally {
      this.busy = false;
    }
  }

  async #do(command: Parameters<RoomSession['do']>[0]): Promise<boolean> {
    const answer = await this.session.do(command);
    if (answer.type === 'ack') return true;
    this.refusal = { code: answer.code, violations: answer.violations };
    return false;
  }

  /** Wait a moment for the server's opinion. */
  async #opinion(): Promise<void> {
    const until = performance.now() + OPINION;
    while (this.verdict.may === 'checking' && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  // Shown on the table

  /** What just happened, slowly. */
  replay(ended: () => void = () => undefined): void {
    const [play, state] = [this.session.lastPlay, this.#state];
    if (!play || !state) return;
    // The melds of the film end as those that lie there, so that nothing jumps when it is over.
    const after = carry(state.base.melds, play.after.map(readMeld), state.base.next);
    const before = carry(after.melds, play.before.map(readMeld), after.next);
    this.film.show(framesOf(before.melds, state.rack, replay(before.melds, after.melds)), play.event.seat, ended);
  }

  /** The steps of a best play, from the table as the turn began. */
  reveal(after: readonly string[], ended: () => void = () => undefined): void {
    const state = this.#state;
    if (!state) return;
    const steps = replay(state.base.melds, this.#best(state, after));
    this.film.show(framesOf(state.base.melds, state.base.rack, steps), null, ended);
  }

  /** Lay a best play, as a draft that can be undone. */
  lay(after: readonly string[]): void {
    const state = this.#state;
    if (!state || state.may !== 'play') return;
    this.film.stop();
    this.set(withDraft(state, withTable(state.base, this.#best(state, after))));
  }

  #best(state: TableState, after: readonly string[]): readonly DraftMeld[] {
    return carry(state.base.melds, after.map(readMeld), state.base.next).melds;
  }

  close(): void {
    this.film.stop();
    clearTimeout(this.#glow);
  }
}

/** The tiles of a text that may not be there. */
export function someTiles(text: string | null): Tile[] {
  return text ? tilesOf(text) : [];
}

/** A meld as it is written. */
export function meldText(meld: DraftMeld): string {
  return writeMeld(meldPieces(meld));
}
