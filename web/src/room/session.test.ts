import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { tilesOf } from '../game/tiles';
import type { NewRoom, RoomView } from '../protocol';
import type { Happening } from './reduce';
import { RoomSession } from './session.svelte';
import { Browser, startServer, type Server } from '../../scripts/testserver';

const SLOW = { timeout: 60_000 };
const SETUP: NewRoom = { ruleset: 'sabra', players: 2, clock: { seconds: 90 }, house: { opening: 0 } };

let server: Server;
const open: RoomSession[] = [];

beforeAll(async () => {
  server = await startServer();
}, 60_000);

afterAll(() => server.stop());

afterEach(() => {
  for (const session of open.splice(0)) session.close();
});

const soon = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 10_000, interval: 10 });

async function guest(name: string): Promise<Browser> {
  const browser = new Browser(server.url);
  await browser.api.me();
  await browser.api.rename(name);
  return browser;
}

async function join(browser: Browser, room: string): Promise<RoomSession> {
  const session = new RoomSession(room, { api: browser.api, dial: browser.dial });
  open.push(session);
  await soon(() => expect(session.link).toBe('open'));
  await soon(() => expect(session.rules).not.toBeNull());
  return session;
}

/** Two people at a table that plays. */
async function table(setup = SETUP): Promise<{ browsers: [Browser, Browser]; sessions: [RoomSession, RoomSession] }> {
  const [ada, ben] = [await guest('Ada'), await guest('Ben')];
  const { room, code } = await ada.api.newRoom(setup);
  const [first, second] = [await join(ada, room), await join(ben, (code ?? '').toLowerCase())];
  expect(await second.do({ kind: 'sit', seat: 1 })).toMatchObject({ type: 'ack' });
  await soon(() => expect(second.mySeat).toBe(1));
  await first.do({ kind: 'ready', seat: 0, ready: true });
  await second.do({ kind: 'ready', seat: 1, ready: true });
  expect(await first.do({ kind: 'start' })).toMatchObject({ type: 'ack' });
  await soon(() => expect(second.match?.phase).toBe('playing'));
  return { browsers: [ada, ben], sessions: [first, second] };
}

const turnOf = (sessions: readonly RoomSession[]): RoomSession => {
  const found = sessions.find((session) => session.isMyTurn);
  if (!found) throw new Error('nobody is to move');
  return found;
};

const otherOf = (sessions: readonly RoomSession[]): RoomSession => {
  const found = sessions.find((session) => !session.isMyTurn);
  if (!found) throw new Error('everybody is to move');
  return found;
};

/** The best play as the server knows it, or a drawn tile. */
async function move(session: RoomSession): Promise<void> {
  const seat = session.mySeat ?? -1;
  const hint = await session.hint('reveal');
  if ('type' in hint) throw new Error(hint.code);
  const command = hint.after ? ({ kind: 'play', seat, table: hint.after } as const) : ({ kind: 'draw', seat } as const);
  expect(await session.do(command)).toMatchObject({ type: 'ack' });
}

const timeless = (view: RoomView | null): RoomView | null => view && { ...view, clock: null };

async function agree(browsers: readonly Browser[], sessions: readonly RoomSession[]): Promise<void> {
  await soon(() => expect(sessions[0]?.view?.version).toBe(sessions[1]?.view?.version));
  for (const [place, browser] of browsers.entries()) {
    const view = await browser.api.room(sessions[place]?.view?.room ?? '');
    await soon(() => expect(timeless(sessions[place]?.view ?? null)).toEqual(timeless(view)));
  }
}

describe('two people at a table', SLOW, () => {
  it('play, one loses the connection and comes back, and all agree', async () => {
    const { browsers, sessions } = await table();
    const told: Happening[] = [];
    sessions[1].onEvents((happening) => told.push(happening));
    for (let turn = 0; turn < 6; turn += 1) {
      await move(turnOf(sessions));
      await agree(browsers, sessions);
    }
    const seen = told.length;
    browsers[1].cut();
    await soon(() => expect(sessions[1].link).toBe('lost'));
    await soon(() => expect(sessions[0].seats[1]?.present).toBe(false));
    if (sessions[0].isMyTurn) await move(sessions[0]);
    browsers[1].online = true;
    sessions[1].retry();
    await soon(() => expect(sessions[1].link).toBe('open'));
    await agree(browsers, sessions);
    for (let turn = 0; turn < 4 && sessions[0].match?.phase === 'playing'; turn += 1) {
      await move(turnOf(sessions));
      await agree(browsers, sessions);
    }
    expect(told.length).toBeGreaterThan(seen);
    told.slice(1).forEach((one, at) => expect(one.before.version).toBe(told[at]?.after.version));
  });

  it('see drafts as they may, and advice for the one that was sent', async () => {
    const { sessions } = await table();
    const [mine, other] = [turnOf(sessions), otherOf(sessions)];
    const [tile = ''] = tilesOf(mine.match?.rack ?? '');
    mine.sendDraft([tile]);
    await soon(() => expect(other.othersDraft).toEqual({ seat: mine.mySeat, table: [['?']] }));
    await soon(() => expect(mine.adviceFor([tile])).toMatchObject({ legal: false, laid: tile }));
    expect(mine.adviceFor(['r1'])).toBeNull();
    mine.sendDraft(null);
    await soon(() => expect(other.othersDraft).toBeNull());
    other.sendDraft([tile]);
    expect(other.advice).toBeNull();
  });

  it('keep a draft over a lost connection', async () => {
    const { browsers, sessions } = await table();
    const [mine, other] = [turnOf(sessions), otherOf(sessions)];
    const browser = browsers[sessions.indexOf(mine)] as Browser;
    const [tile = '', next = ''] = tilesOf(mine.match?.rack ?? '');
    mine.sendDraft([tile]);
    await soon(() => expect(other.othersDraft?.table).toEqual([['?']]));
    browser.cut();
    await soon(() => expect(mine.link).toBe('lost'));
    mine.sendDraft([tile, next]);
    browser.online = true;
    mine.retry();
    await soon(() => expect(other.othersDraft?.table).toEqual([['?'], ['?']]));
    await soon(() => expect(mine.adviceFor([tile, next])).not.toBeNull());
  });

  it('share a draft between two tabs: the newest is that of both', async () => {
    const { browsers, sessions } = await table();
    const mine = turnOf(sessions);
    const twin = await join(browsers[sessions.indexOf(mine)] as Browser, mine.name);
    const [tile = '', next = ''] = tilesOf(mine.match?.rack ?? '');
    mine.sendDraft([tile]);
    await soon(() => expect(twin.ownDraft).toEqual([[tile]]));
    expect(mine.ownDraft).toBeNull();
    twin.sendDraft([next]);
    expect(twin.ownDraft).toBeNull();
    await soon(() => expect(twin.adviceFor([next])).not.toBeNull());
    await soon(() => expect(mine.ownDraft).toEqual([[next]]));
    mine.sendDraft([tile, next]);
    await soon(() => expect(twin.ownDraft).toEqual([[tile], [next]]));
    expect(mine.ownDraft).toBeNull();
    twin.sendDraft(null);
    expect(twin.follows).toBe(false);
    await soon(() => expect(mine.follows).toBe(true));
    expect(mine.match?.draft).toBeNull();
    await soon(() => expect(twin.adviceFor(null)).not.toBeNull());
    const later = await join(browsers[sessions.indexOf(mine)] as Browser, mine.name);
    expect(later.ownDraft).toBeNull();
  });

  it('send a command once, however often the connection breaks', async () => {
    const { browsers, sessions } = await table();
    const mine = turnOf(sessions);
    const browser = browsers[sessions.indexOf(mine)] as Browser;
    const version = mine.view?.version ?? 0;
    browser.cut();
    const drawn = mine.do({ kind: 'draw', seat: mine.mySeat ?? -1 });
    expect(mine.waiting).toBe(1);
    browser.online = true;
    await soon(() => mine.retry());
    expect(await drawn).toMatchObject({ type: 'ack', version: version + 1 });
    expect(mine.waiting).toBe(0);
    await agree(browsers, sessions);
  });

  it('have a clock, refusals, phrases and hints', async () => {
    const { sessions } = await table();
    const [mine, other] = [turnOf(sessions), otherOf(sessions)];
    expect(mine.clock).toMatchObject({ seconds: 90, byDays: false });
    expect(mine.left).toBeGreaterThan(80);
    expect(mine.clockLeft()).toBeLessThanOrEqual(90);
    expect(await other.do({ kind: 'draw', seat: other.mySeat ?? -1 })).toMatchObject({ code: 'not-your-turn' });
    mine.say('hello');
    await soon(() => expect(other.phrases).toMatchObject([{ seat: mine.mySeat, phrase: 'hello' }]));
    expect(await mine.hint('nudge')).toMatchObject({ level: 'nudge' });
    expect(other.rules).toMatchObject({ id: 'sabra', opening: 0 });
    expect(mine.dealt?.rack).toBe(mine.match?.rack);
  });
});

describe('two tabs that arrange in the same moment', SLOW, () => {
  it("end with the same draft, which is the server's", async () => {
    const { browsers, sessions } = await table();
    const mine = turnOf(sessions);
    const twin = await join(browsers[sessions.indexOf(mine)] as Browser, mine.name);
    const [tile = '', next = ''] = tilesOf(mine.match?.rack ?? '');
    mine.sendDraft([tile]);
    twin.sendDraft([next]);
    await soon(() => expect([mine.ownDraft, twin.ownDraft].filter(Boolean)).toHaveLength(1));
    const [lost, kept] = mine.ownDraft ? [mine, twin] : [twin, mine];
    const sent = kept === mine ? tile : next;
    expect(lost.ownDraft).toEqual([[sent]]);
    await soon(() => expect(kept.adviceFor([sent])).not.toBeNull());
    const later = await join(browsers[sessions.indexOf(mine)] as Browser, mine.name);
    expect(later.ownDraft).toEqual([[sent]]);
  });
});

describe('whoever cannot come in', SLOW, () => {
  it('is told that there is no such table', async () => {
    const session = new RoomSession('nowhere-at-all', await guest('Ada'));
    open.push(session);
    await soon(() => expect(session.link).toBe('gone'));
    expect(session.gone).toBe('no-such-room');
  });

  it('was sent away by the host', async () => {
    const [ada, ben] = [await guest('Ada'), await guest('Ben')];
    const { room } = await ada.api.newRoom(SETUP);
    const [host, other] = [await join(ada, room), await join(ben, room)];
    await other.do({ kind: 'sit', seat: 1 });
    expect(await host.do({ kind: 'remove', seat: 1 })).toMatchObject({ type: 'ack' });
    await soon(() => expect(other.gone).toBe('was-removed'));
    const again = new RoomSession(room, { api: ben.api, dial: ben.dial });
    open.push(again);
    await soon(() => expect(again.gone).toBe('was-removed'));
    expect(await again.do({ kind: 'sit', seat: 1 })).toMatchObject({ code: 'gone' });
  });

  it('waits for a server that cannot be reached', async () => {
    const browser = await guest('Ada');
    const { room } = await browser.api.newRoom(SETUP);
    browser.online = false;
    const session = new RoomSession(room, { api: browser.api, dial: browser.dial });
    open.push(session);
    await soon(() => expect(session.link).toBe('lost'));
    browser.online = true;
    await soon(() => expect(session.link).toBe('open'));
  });
});

describe('several people on one device', SLOW, () => {
  it('see one rack at a time', async () => {
    const browser = await guest('Ada');
    const { room } = await browser.api.newRoom(SETUP);
    const session = await join(browser, room);
    const local = await browser.api.addLocal('Cleo');
    expect(await session.do({ kind: 'sit', seat: 1, player: local.id })).toMatchObject({ type: 'ack' });
    for (const seat of [0, 1]) await session.do({ kind: 'ready', seat, ready: true });
    await session.do({ kind: 'start' });
    await soon(() => expect(session.ourSeats).toEqual([0, 1]));
    expect(session.isOurTurn).toBe(true);
    expect(session.isMyTurn).toBe(false);
    expect(session.match?.rack).toBe('');
    const turn = session.match?.turn ?? 0;
    session.show(turn);
    await soon(() => expect(session.isMyTurn).toBe(true));
    expect(tilesOf(session.match?.rack ?? '')).toHaveLength(14);
    session.show(null);
    await soon(() => expect(session.mySeat).toBeNull());
    expect(session.match?.rack).toBe('');
  });
});
