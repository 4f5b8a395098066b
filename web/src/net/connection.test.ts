import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Ack, ClientMessage, Refused, ServerMessage } from '../protocol';
import { Connection, type LinkState, type News, type Socket } from './connection';

class FakeSocket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  readonly sent: ClientMessage[] = [];
  closed = false;

  constructor(readonly url: string) {}

  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientMessage);
  }

  close(): void {
    this.closed = true;
  }

  hear(...messages: object[]): void {
    for (const message of messages) this.onmessage?.({ data: JSON.stringify(message) });
  }

  greet(version = 1): void {
    this.onopen?.();
    this.hear(snapshot(version));
  }

  end(code = 1006, reason = ''): void {
    this.onclose?.({ code, reason });
  }
}

const you = { player: 'p', seats: [0], shown: 0, host: true };
const snapshot = (version: number) => ({ type: 'snapshot', version, view: { version, clock: null }, you });
const update = (version: number) => ({
  type: 'update',
  version,
  events: [{ version, at: 0, event: null }],
  view: { version, clock: null },
});
const ack = (id: string, version: number): Ack => ({ type: 'ack', id, version, hint: null });
const draw = (id: string) => ({ type: 'command', id, on: 1, command: { kind: 'draw', seat: 0 } }) as const;

let sockets: FakeSocket[];
let links: [LinkState, string | null][];
let news: News[];
let times: number[];
let probed: string | null;
let connection: Connection;

const socket = (): FakeSocket => {
  const found = sockets.at(-1);
  if (!found) throw new Error('nobody dialed');
  return found;
};

beforeEach(() => {
  vi.useFakeTimers();
  [sockets, links, news, times, probed] = [[], [], [], [], null];
  connection = new Connection(
    'ws://here/ws/rooms/x',
    {
      link: (link, why) => links.push([link, why]),
      news: (one) => news.push(one),
      time: (now) => times.push(now),
    },
    {
      dial: (url) => {
        const made = new FakeSocket(url);
        sockets.push(made);
        return made as unknown as Socket;
      },
      probe: () => Promise.resolve(probed),
      random: () => 1,
    },
  );
  connection.open();
});

afterEach(() => {
  connection.close();
  vi.useRealTimers();
});

describe('a connection', () => {
  it('is open with the first message', () => {
    expect(connection.link).toBe('connecting');
    socket().greet(4);
    expect(links).toEqual([['open', null]]);
    expect(connection.version).toBe(4);
    expect(connection.you).toEqual(you);
    expect(socket().url).toBe('ws://here/ws/rooms/x');
  });

  it('passes over what it does not know', () => {
    socket().greet();
    socket().onmessage?.({ data: 'nonsense' });
    socket().onmessage?.({ data: new ArrayBuffer(3) });
    socket().hear({ type: 'newer' }, [], { type: 'heartbeat', version: 1, now: 17.5 });
    expect(news).toHaveLength(1);
    expect(times).toEqual([17.5]);
  });

  it('asks for what is missing', () => {
    socket().greet(1);
    socket().hear(update(3));
    socket().hear({ type: 'heartbeat', version: 3, now: 0 });
    expect(socket().sent).toEqual([
      { type: 'resume', version: 1 },
      { type: 'resume', version: 1 },
    ]);
    socket().hear(update(2), update(3));
    expect(connection.version).toBe(3);
  });
});

describe('a lost connection', () => {
  it('is opened again where it was, a little later each time', async () => {
    socket().greet(7);
    socket().end();
    expect(connection.link).toBe('lost');
    await vi.advanceTimersByTimeAsync(199);
    expect(sockets).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(sockets).toHaveLength(2);
    expect(socket().url).toBe('ws://here/ws/rooms/x?version=7');
    for (const delay of [400, 800, 1600, 3200, 6400, 10_000, 10_000]) {
      socket().end();
      await vi.advanceTimersByTimeAsync(delay - 1);
      const before = sockets.length;
      await vi.advanceTimersByTimeAsync(1);
      expect(sockets).toHaveLength(before + 1);
    }
    socket().greet(9);
    expect(links.map(([link]) => link)).toEqual(['open', 'lost', 'open']);
    socket().end();
    await vi.advanceTimersByTimeAsync(200);
    expect(socket().url).toContain('version=9');
  });

  it('does not wait when the network is back', () => {
    socket().greet();
    socket().end();
    connection.nudge();
    expect(sockets).toHaveLength(2);
    connection.nudge();
    expect(sockets).toHaveLength(2);
  });

  it('is noticed when the server is silent: asked first, then let go', async () => {
    socket().greet();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(socket().sent).toEqual([{ type: 'ping' }]);
    socket().hear({ type: 'heartbeat', version: 1, now: 0 });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(socket().sent).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(5000);
    expect(sockets[0]?.closed).toBe(true);
    expect(connection.link).toBe('lost');
  });

  it('is noticed soon after the device woke up', async () => {
    socket().greet();
    connection.nudge();
    expect(socket().sent).toEqual([{ type: 'ping' }]);
    await vi.advanceTimersByTimeAsync(2500);
    expect(connection.link).toBe('lost');
  });

  it('is not mistaken for the next one', async () => {
    socket().greet();
    const old = socket();
    await vi.advanceTimersByTimeAsync(25_200);
    socket().greet(2);
    old.end();
    old.hear(update(3));
    expect(connection.link).toBe('open');
    expect(connection.version).toBe(2);
  });

  it('is given up when it takes too long to open', async () => {
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sockets[0]?.closed).toBe(true);
    await vi.advanceTimersByTimeAsync(200);
    expect(sockets).toHaveLength(2);
  });
});

describe('the end', () => {
  it.each([
    [1000, 'was-removed'],
    [1000, 'no-spectators'],
    [1000, 'forgotten'],
    [1008, 'bad-messages'],
  ])('is for good: %i, %s', async (code, why) => {
    socket().greet();
    socket().hear({ type: 'bye', code: why });
    socket().end(code, why);
    expect(links.at(-1)).toEqual(['gone', why]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sockets).toHaveLength(1);
  });

  it('is told by its number where the server said nothing', () => {
    socket().greet();
    socket().end(1009);
    expect(links.at(-1)).toEqual(['gone', 'closed-1009']);
  });

  it.each([
    [1001, 'restart'],
    [1013, 'too-slow'],
  ])('is none: %i, %s', async (code, why) => {
    socket().greet();
    socket().hear({ type: 'bye', code: why });
    socket().end(code, why);
    await vi.advanceTimersByTimeAsync(200);
    expect(sockets).toHaveLength(2);
  });

  it('is found out where the door stays shut', async () => {
    probed = 'no-spectators';
    socket().end();
    await vi.advanceTimersByTimeAsync(0);
    expect(links.at(-1)).toEqual(['gone', 'no-spectators']);
  });

  it('answers whoever still waits', async () => {
    socket().greet();
    const answer = connection.ask(draw('a'));
    connection.close();
    expect(await answer).toMatchObject({ type: 'refused', id: 'a', code: 'gone' });
    expect(await connection.ask(draw('b'))).toMatchObject({ code: 'gone' });
  });
});

describe('a command', () => {
  it('is answered, and the view has what it did', async () => {
    socket().greet(1);
    let answer: Ack | Refused | null = null;
    void connection.ask(draw('a')).then((found) => (answer = found));
    expect(socket().sent).toEqual([draw('a')]);
    socket().hear(ack('a', 2));
    await vi.advanceTimersByTimeAsync(0);
    expect(answer).toBeNull();
    socket().hear(update(2));
    await vi.advanceTimersByTimeAsync(0);
    expect(answer).toEqual(ack('a', 2));
    expect(connection.unanswered).toBe(0);
  });

  it('may be refused', async () => {
    socket().greet(1);
    const answer = connection.ask(draw('a'));
    const refused = { type: 'refused', id: 'a', code: 'not-your-turn', violations: [], version: 1 };
    socket().hear({ type: 'refused', id: 'b', code: 'other', violations: [], version: 1 }, refused);
    expect(await answer).toEqual(refused);
  });

  it('is refused when it could not be read', async () => {
    socket().greet(1);
    const answer = connection.ask(draw('a'));
    socket().hear({ type: 'error', code: 'bad-command', field: 'tile', message: '', id: 'a' });
    expect(await answer).toMatchObject({ type: 'refused', code: 'bad-command' });
    expect(news.some(({ type }) => type === 'error')).toBe(false);
  });

  it('is sent again with the same id after a lost connection, until it is answered', async () => {
    socket().greet(1);
    const answer = connection.ask(draw('a'));
    connection.show(2);
    socket().end();
    const later = connection.ask(draw('b'));
    await vi.advanceTimersByTimeAsync(200);
    expect(socket().sent).toEqual([]);
    socket().greet(1);
    expect(socket().sent).toEqual([{ type: 'show', seat: 2 }, draw('a'), draw('b')]);
    socket().hear(ack('a', 1), ack('b', 1));
    expect((await answer).type).toBe('ack');
    expect((await later).type).toBe('ack');
    socket().end();
    await vi.advanceTimersByTimeAsync(200);
    socket().greet(1);
    expect(socket().sent).toEqual([{ type: 'show', seat: 2 }]);
  });

  it('is sent again where the server could not store it', async () => {
    socket().greet(1);
    const answer = connection.ask(draw('a'));
    const unavailable: ServerMessage = { type: 'error', code: 'unavailable', field: null, message: '', id: 'a' };
    socket().hear(unavailable);
    await vi.advanceTimersByTimeAsync(200);
    socket().hear(unavailable);
    await vi.advanceTimersByTimeAsync(399);
    expect(socket().sent).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(socket().sent).toEqual([draw('a'), draw('a'), draw('a')]);
    socket().hear(ack('a', 1));
    expect((await answer).type).toBe('ack');
  });
});
