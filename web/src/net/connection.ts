import type {
  Ack,
  Advice,
  AskHint,
  ClientMessage,
  DraftSeen,
  ErrorMessage,
  PhraseSaid,
  Presence,
  Refused,
  RoomView,
  SendCommand,
  ServerMessage,
  Show,
  Update,
  You,
} from '../protocol';
import { Follower, type Arrival } from './follower';

/** What becomes of a command. Whatever goes wrong is a refusal too, with a code of its own. */
export type Answer = Ack | Refused;

/** What a connection tells whoever listens. */
export type News = Arrival | Update | Advice | DraftSeen | PhraseSaid | Presence | ErrorMessage;

/** `lost`: it is tried again; `gone`: it is not. */
export type LinkState = 'connecting' | 'open' | 'lost' | 'gone';

export interface Listener {
  link(link: LinkState, why: string | null): void;
  news(news: News): void;
  /** The server's time, in seconds, as of now. */
  time(now: number): void;
}

/** As much of a WebSocket as is used. */
export type Socket = Pick<WebSocket, 'onopen' | 'onmessage' | 'onclose' | 'send' | 'close'>;

export interface Surroundings {
  dial(url: string): Socket;
  /** Why the room cannot be had at all, or null when another try may go well: a browser hides it from sockets. */
  probe(): Promise<string | null>;
  random?(): number;
  /** The version from which on events are wanted although none was seen, to tell what has just happened. */
  since?: number;
}

interface Asked {
  text: string;
  delay: number;
  timer: Timer | null;
  settle(answer: Answer): void;
}

type Timer = ReturnType<typeof setTimeout>;

type State =
  | { at: 'idle' }
  | { at: 'dialing'; socket: Socket; timer: Timer }
  | { at: 'open'; socket: Socket; timer: Timer }
  | { at: 'probing' }
  | { at: 'waiting'; timer: Timer }
  | { at: 'gone'; why: string };

const FINAL = new Set([1000, 1008, 1009]);
const FIRST_DELAY = 200;
const LAST_DELAY = 10_000;
const DIALING = 10_000;
/** The server says something every 15 seconds, and looks every 2.5 whether it is time. */
const QUIET = 20_000;
const AFTER_PING = 5_000;
const AFTER_SLEEP = 2_500;

/** One room over a WebSocket that is opened again whenever it breaks; commands are answered once, however often. */
export class Connection {
  readonly #url: string;
  readonly #listener: Listener;
  readonly #around: Surroundings;
  readonly #room = new Follower();
  readonly #asked = new Map<string, Asked>();
  readonly #reached: { version: number; arrived: () => void }[] = [];
  #state: State = { at: 'idle' };
  #link: LinkState = 'connecting';
  #bye: string | null = null;
  #delay = FIRST_DELAY;
  #show: Show | null = null;

  constructor(url: string, listener: Listener, around: Surroundings) {
    this.#url = url;
    this.#listener = listener;
    this.#around = around;
  }

  get link(): LinkState {
    return this.#link;
  }

  get version(): number {
    return this.#room.version;
  }

  get view(): RoomView | null {
    return this.#room.view;
  }

  get you(): You | null {
    return this.#room.you;
  }

  /** How many commands have no answer yet. */
  get unanswered(): number {
    return this.#asked.size;
  }

  // What is sent

  open(): void {
    if (this.#state.at === 'idle') this.#dial();
  }

  /** Send a command or a hint until it is answered, over as many connections as it takes. */
  ask(message: SendCommand | AskHint): Promise<Answer> {
    if (this.#state.at === 'gone') return Promise.resolve(failed(message.id, 'gone', this.version));
    return new Promise((resolve) => {
      const settle = (answer: Answer): void => {
        this.#asked.delete(message.id);
        if (answer.type === 'ack') this.#reach(answer.version, () => resolve(answer));
        else resolve(answer);
      };
      const asked: Asked = { text: JSON.stringify(message), delay: FIRST_DELAY, timer: null, settle };
      this.#asked.set(message.id, asked);
      this.#sendText(asked.text);
    });
  }

  /** Send now, or not at all, and say which. */
  send(message: ClientMessage): boolean {
    return this.#sendText(JSON.stringify(message));
  }

  /** Choose whose rack to see; also of the connections to come. */
  show(seat: number | null): void {
    this.#show = { type: 'show', seat };
    this.send(this.#show);
  }

  /** Something has changed around us: the network is back, or gone, or the device woke up. Do not wait any longer. */
  nudge(): void {
    const state = this.#state;
    if (state.at === 'open') {
      this.send({ type: 'ping' });
      this.#watch(state.socket, AFTER_SLEEP);
    } else if (state.at === 'waiting') {
      clearTimeout(state.timer);
      this.#delay = FIRST_DELAY;
      this.#dial();
    }
  }

  close(): void {
    this.#end('closed');
  }

  #sendText(text: string): boolean {
    if (this.#state.at !== 'open') return false;
    try {
      this.#state.socket.send(text);
      return true;
    } catch {
      return false;
    }
  }

  // The connection

  #dial(): void {
    const since = this.#room.view ? this.#room.version : (this.#around.since ?? 0);
    const known = since > 0 ? `?version=${since}` : '';
    const socket = this.#around.dial(`${this.#url}${known}`);
    let opened = false;
    this.#bye = null;
    this.#state = { at: 'dialing', socket, timer: setTimeout(() => this.#drop(socket, opened), DIALING) };
    socket.onopen = () => {
      opened = true;
    };
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (this.#is(socket) && typeof data === 'string') this.#hear(socket, data);
    };
    socket.onclose = ({ code, reason }) => {
      if (!this.#is(socket)) return;
      if (FINAL.has(code)) this.#end(this.#bye ?? (reason || `closed-${code}`));
      else this.#drop(socket, opened);
    };
  }

  #is(socket: Socket): boolean {
    const state = this.#state;
    return (state.at === 'dialing' || state.at === 'open') && state.socket === socket;
  }

  /** Let go of a connection that broke, or never was one, and try again later. */
  #drop(socket: Socket, opened: boolean): void {
    this.#leave();
    socket.close();
    if (opened) {
      this.#wait();
      return;
    }
    const probing: State = { at: 'probing' };
    this.#state = probing;
    this.#tell('lost');
    void this.#around.probe().then((why) => {
      if (this.#state !== probing) return;
      if (why === null) this.#wait();
      else this.#end(why);
    });
  }

  #wait(): void {
    const delay = this.#delay * (0.5 + 0.5 * (this.#around.random ?? Math.random)());
    this.#delay = Math.min(2 * this.#delay, LAST_DELAY);
    this.#state = { at: 'waiting', timer: setTimeout(() => this.#dial(), delay) };
    this.#tell('lost');
  }

  #end(why: string): void {
    if (this.#state.at === 'gone') return;
    const socket = 'socket' in this.#state ? this.#state.socket : null;
    this.#leave();
    this.#state = { at: 'gone', why };
    socket?.close(1000);
    for (const [id, { settle }] of [...this.#asked]) settle(failed(id, 'gone', this.version));
    for (const { arrived } of this.#reached.splice(0)) arrived();
    this.#tell('gone', why);
  }

  /** Stop whatever the present state has running. */
  #leave(): void {
    if ('timer' in this.#state) clearTimeout(this.#state.timer);
    for (const { timer } of this.#asked.values()) if (timer !== null) clearTimeout(timer);
  }

  #tell(link: LinkState, why: string | null = null): void {
    if (link === this.#link) return;
    this.#link = link;
    this.#listener.link(link, why);
  }

  /** Give up a connection that stays silent: first ask, then let go. */
  #watch(socket: Socket, patience?: number): void {
    if (this.#state.at !== 'dialing' && this.#state.at !== 'open') return;
    clearTimeout(this.#state.timer);
    const timer =
      patience === undefined
        ? setTimeout(() => {
            this.send({ type: 'ping' });
            this.#watch(socket, AFTER_PING);
          }, QUIET)
        : setTimeout(() => this.#drop(socket, true), patience);
    this.#state = { at: 'open', socket, timer };
  }

  // What comes

  #hear(socket: Socket, data: string): void {
    const first = this.#state.at === 'dialing';
    const message = read(data);
    this.#watch(socket);
    if (first) {
      this.#delay = FIRST_DELAY;
      this.#room.reconnected();
    }
    if (message) this.#take(message);
    if (first && this.#is(socket)) {
      if (this.#show) this.send(this.#show);
      for (const { text } of this.#asked.values()) this.#sendText(text);
      this.#tell('open');
    }
    if (this.#room.behind) {
      this.#room.behind = false;
      this.send({ type: 'resume', version: this.#room.version });
    }
  }

  #take(message: ServerMessage): void {
    switch (message.type) {
      case 'snapshot':
      case 'update':
      case 'heartbeat': {
        if (message.type === 'heartbeat') this.#listener.time(message.now);
        else if (message.view.clock) this.#listener.time(message.view.clock.now);
        const found = this.#room.take(message);
        if (found) {
          this.#listener.news(found);
          this.#arrive();
        }
        break;
      }
      case 'ack':
      case 'refused':
        this.#asked.get(message.id)?.settle(message);
        break;
      case 'error':
        this.#blame(message);
        break;
      case 'bye':
        this.#bye = message.code;
        break;
      case 'advice':
      case 'draft':
      case 'phrase':
      case 'presence':
        this.#listener.news(message);
        break;
    }
  }

  #blame(error: ErrorMessage): void {
    const asked = error.id === null ? undefined : this.#asked.get(error.id);
    if (!asked || error.id === null) {
      this.#listener.news(error);
    } else if (error.code === 'unavailable') {
      asked.timer = setTimeout(() => this.#sendText(asked.text), asked.delay);
      asked.delay = Math.min(2 * asked.delay, LAST_DELAY);
    } else {
      asked.settle(failed(error.id, error.code, this.version));
    }
  }

  /** An answer may come before the update that it is about; whoever asked sees both or neither. */
  #reach(version: number, arrived: () => void): void {
    if (version <= this.version || this.#state.at === 'gone') arrived();
    else this.#reached.push({ version, arrived });
  }

  #arrive(): void {
    const there = this.#reached.filter(({ version }) => version <= this.version);
    for (const one of there) this.#reached.splice(this.#reached.indexOf(one), 1);
    for (const { arrived } of there) arrived();
  }
}

function read(data: string): ServerMessage | null {
  try {
    const message: unknown = JSON.parse(data);
    return typeof message === 'object' && message !== null && 'type' in message ? (message as ServerMessage) : null;
  } catch {
    return null;
  }
}

function failed(id: string, code: string, version: number): Refused {
  return { type: 'refused', id, code, violations: [], version };
}
