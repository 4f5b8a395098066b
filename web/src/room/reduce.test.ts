import { describe, expect, it } from 'vitest';
import recorded from '../../../tests/truth/frames.json';
import { Follower } from '../net/follower';
import type { RoomView, Seen, ServerMessage, Snapshot, Update } from '../protocol';
import {
  EMPTY,
  isMyTurn,
  isOurTurn,
  othersDraft,
  ownDraft,
  take,
  turnKey,
  turnsOf,
  type Happening,
  type RoomState,
} from './reduce';

const first = recorded.first as ServerMessage[];
const second = recorded.second as ServerMessage[];
const end = recorded.end as RoomView;

/** Every state on the way, and everything that was told. */
function follow(frames: readonly ServerMessage[]): { states: RoomState[]; told: Happening[] } {
  const follower = new Follower();
  const states: RoomState[] = [EMPTY];
  const told: Happening[] = [];
  for (const frame of frames) {
    const last = states.at(-1) ?? EMPTY;
    let next = null;
    if (frame.type === 'snapshot' || frame.type === 'update') next = follower.take(frame);
    else if (frame.type === 'draft' || frame.type === 'presence') next = frame;
    if (!next) continue;
    const { state, happening } = take(last, next);
    states.push(state);
    if (happening) told.push(happening);
  }
  return { states, told };
}

function last<Item>(items: readonly Item[]): Item {
  const found = items.at(-1);
  if (found === undefined) throw new Error('nothing');
  return found;
}

/** A clock is told with the moment at which it was asked for. */
const timeless = (view: RoomView | null): RoomView | null => view && { ...view, clock: null };

describe('a recorded match', () => {
  const { states, told } = follow(first);

  it('ends as the server says', () => {
    expect(timeless(last(states).view)).toEqual(timeless(end));
  });

  it('is told in order, each view where the last one was', () => {
    const versions = told.flatMap(({ events }) => events.map(({ version }) => version));
    expect(versions).toEqual(versions.map((_, at) => (versions[0] ?? 0) + at));
    told.slice(1).forEach((one, at) => expect(one.before.version).toBe(told[at]?.after.version));
  });

  it('has turns whose tables follow one another', () => {
    const turns = told.flatMap((one) => one.turns);
    expect(turns.length).toBeGreaterThan(4);
    turns.slice(1).forEach((turn, at) => expect(turn.before).toEqual(turns[at]?.after));
    expect(last(turns).after).toEqual(end.match?.table);
  });

  it('keeps the last play until the next one', () => {
    let lit = null;
    for (const state of states) {
      if (state.lastPlay === lit) continue;
      lit = state.lastPlay;
      expect(lit?.event).toMatchObject({ kind: 'played' });
      expect(lit?.after).toEqual(state.view?.match?.table);
    }
    expect(lit?.version).toBeGreaterThan(0);
  });

  it('is lit for who comes later, too', () => {
    const seen = told.flatMap(({ events }) => events);
    const whole = follow([...first]).states;
    for (const [at, state] of whole.entries()) {
      const { view, you, lastPlay } = state;
      if (!view || !you || view.match?.phase !== 'playing') continue;
      const past = seen.filter(({ version }) => version <= view.version);
      const late = take(EMPTY, { type: 'snapshot', version: view.version, view, you, past }).state;
      expect(late.lastPlay, `state ${at}`).toEqual(lastPlay);
      const short = take(EMPTY, { type: 'snapshot', version: view.version, view, you, past: past.slice(-1) }).state;
      if (past.at(-1)?.event?.kind !== 'round-began') expect(short.lastPlay).toBeNull();
    }
  });

  it('has another key for every turn, and the same one while a turn lasts', () => {
    const keys = states.map(({ view }) => turnKey(view)).filter((key) => key !== null);
    const changes = keys.filter((key, at) => key !== keys[at - 1]);
    expect(new Set(changes).size).toBe(changes.length);
    expect(changes).toHaveLength(told.flatMap((one) => one.turns).length);
    expect(turnKey(last(states).view)).toBeNull();
  });

  it('says whose turn it is', () => {
    for (const state of states) {
      const match = state.view?.match;
      const mine = match?.phase === 'playing' && match.turn === 0;
      expect(isMyTurn(state)).toBe(mine);
      expect(isOurTurn(state)).toBe(mine);
    }
  });

  it("shows the other's drafts, face down what came from the rack, until they are played", () => {
    const drafts = states.map(othersDraft);
    const seen = drafts.filter((draft) => draft !== null);
    expect(seen.length).toBeGreaterThan(1);
    for (const draft of seen) {
      expect(draft.seat).toBe(1);
      expect(draft.table.flat()).toContain('?');
    }
    states.forEach((state, at) => {
      if (state.view?.match?.turn === 0) expect(drafts[at]).toBeNull();
    });
  });

  it('remembers the rack that it was dealt', () => {
    const { dealt } = last(states);
    expect(dealt?.seat).toBe(0);
    expect(dealt?.rack.split(' ')).toHaveLength(4);
  });

  it('knows who is there', () => {
    expect(last(states).view?.seats.map(({ present }) => present)).toEqual([true, false]);
    expect(states.some(({ view }) => view?.seats.every(({ present }) => present))).toBe(true);
  });
});

describe('the other tab of the same player', () => {
  const { states } = follow(second);

  it('sees the own draft with its faces', () => {
    const drafts = states.map(ownDraft).filter((draft) => draft !== null);
    expect(drafts.length).toBeGreaterThan(1);
    for (const draft of drafts) expect(draft.flat()).not.toContain('?');
  });

  it('sees the same room', () => {
    expect(timeless(last(states).view)).toEqual(timeless(end));
  });
});

describe('views that others made', () => {
  const snapshot = first.find((frame): frame is Snapshot => frame.type === 'snapshot');
  const updates = first.filter((frame): frame is Update => frame.type === 'update');
  const playing = updates.find(({ view }) => view.match?.phase === 'playing')?.view;
  if (!snapshot || !playing?.match) throw new Error('no match was recorded');
  const { match } = playing;
  const you = { player: 'p', seats: [0, 1], shown: null, host: true };
  const seen = (version: number, event: Seen['event']): Seen => ({ version, at: 0, event });

  it('are of several people on one device', () => {
    const state = { ...EMPTY, view: playing, you };
    expect(isOurTurn(state)).toBe(true);
    expect(isMyTurn(state)).toBe(false);
    expect(isMyTurn({ ...state, you: { ...you, shown: match.turn } })).toBe(true);
  });

  it('are moved by nobody where a bot sits in', () => {
    const bots = match.bots.map(() => 'novice');
    const state = { ...EMPTY, view: { ...playing, match: { ...match, bots } }, you: { ...you, shown: match.turn } };
    expect(isMyTurn(state)).toBe(false);
    expect(isOurTurn(state)).toBe(false);
  });

  it('forget the last play with the next round, also when both come at once', () => {
    const played = { kind: 'played', table: ['r1 r2 r3'], laid: 'r1 r2 r3', seat: 0 } as Seen['event'];
    const began = { kind: 'round-began', rack: 'k1', round: 2 } as Seen['event'];
    const view = { ...playing, version: 99, match: { ...match, round: 2 } };
    const update: Update = { type: 'update', version: 99, events: [seen(98, played), seen(99, began)], view };
    const { state, happening } = take({ ...EMPTY, view: playing, you }, update);
    expect(state.lastPlay).toBeNull();
    expect(state.dealt).toEqual({ seat: 0, rack: 'k1' });
    expect(happening?.turns).toHaveLength(1);
  });

  it('have turns in which nothing was laid', () => {
    const drew = { kind: 'drew', seat: 0, count: 1, tiles: 'k1', stars: 0 } as Seen['event'];
    const passed = { kind: 'passed', seat: 1 } as Seen['event'];
    const turns = turnsOf(playing, [seen(50, drew), seen(51, null), seen(52, passed)]);
    expect(turns.map(({ version }) => version)).toEqual([50, 52]);
    expect(turns.every((turn) => turn.before === turn.after)).toBe(true);
  });

  it('take no draft of a turn that is over, and nothing before the first snapshot', () => {
    const late = { type: 'draft', seat: 1 - match.turn, on: 0, table: [['?']] } as const;
    const state = { ...EMPTY, view: playing, you };
    expect(take(state, { ...late, table: [['?']] }).state).toBe(state);
    expect(take(EMPTY, { ...late, table: null }).state).toBe(EMPTY);
    expect(take(EMPTY, { type: 'presence', present: [true] }).state).toBe(EMPTY);
  });
});
