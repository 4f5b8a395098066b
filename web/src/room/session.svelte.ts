/** One room that somebody is in, as reactive state. */

import { rulesOf, type Rules } from '../game/rules';
import { api as usual, type Api } from '../net/api';
import { onAwake } from '../net/awake';
import { Connection, type Answer, type LinkState, type News, type Socket } from '../net/connection';
import { findRoom, whyNot } from '../net/finding';
import { newId } from '../net/id';
import type {
  Advice,
  ErrorMessage,
  Hint,
  Level,
  MatchView,
  Phrase,
  RaceView,
  Refused,
  RoomView,
  RulesetInfo,
  SeatView,
  WireCommand,
  You,
} from '../protocol';
import type { TurnClock } from './clock';
import { Drafting, type TableDraft } from './drafting';
import {
  EMPTY,
  isMyTurn,
  isOurTurn,
  othersDraft,
  ownDraft,
  take,
  turnKey,
  type Happening,
  type RoomState,
  type SeenDraft,
  type TurnTaken,
} from './reduce';
import { TurnTime } from './turntime.svelte';

export type { Answer, Happening, LinkState, SeenDraft, TurnClock, TurnTaken };

/** A phrase that somebody said a moment ago. */
export interface Said {
  readonly id: number;
  readonly seat: number;
  readonly phrase: Phrase;
}

/** The server's opinion of a draft, and the draft that it is about. */
export interface DraftAdvice {
  readonly table: TableDraft;
  readonly advice: Advice;
}

export interface SessionOptions {
  api?: Api;
  dial?: (url: string) => Socket;
}

const SAID_FOR = 6000;
const AGAIN = 8000;
/** So many events before now are asked for, in which the last play most likely is. */
const LOOKED_BACK = 40;

export class RoomSession {
  /** The id or code by which it was joined. */
  readonly name: string;
  readonly api: Api;

  #state = $state.raw<RoomState>(EMPTY);
  #rulesets = $state.raw<readonly RulesetInfo[]>([]);
  #touched = $state(false);
  /** Whether another tab of this player's arranged something since this one did: the table may lie as it began. */
  follows = $state(false);

  /** The rulebook of the table, once it is known. */
  readonly ruleset: RulesetInfo | null = $derived.by(() => {
    const id = this.match?.ruleset ?? this.view?.setup.ruleset;
    return this.#rulesets.find((one) => one.id === id) ?? null;
  });
  /** As text, so that the rules stay one value as long as they say the same. */
  readonly #house = $derived(JSON.stringify(this.match?.house ?? this.view?.setup.house ?? {}));
  /** The rules of the table, once they are known. */
  readonly rules: Rules | null = $derived(
    this.ruleset && rulesOf(this.ruleset, JSON.parse(this.#house) as MatchView['house']),
  );

  /** How the connection is; `gone` is for good, and `gone` says why. */
  link = $state<LinkState>('connecting');
  /** Why the room cannot be had: `no-such-room`, `was-removed`, `no-spectators`, `forgotten`, … */
  gone = $state<string | null>(null);
  /** The last message that the server could not use. */
  error = $state.raw<ErrorMessage | null>(null);
  /** Of the draft that was sent last and answered. */
  advice = $state.raw<DraftAdvice | null>(null);
  phrases = $state.raw<readonly Said[]>([]);
  /** How many commands wait for their answer. */
  waiting = $state(0);

  readonly #dialer: (url: string) => Socket;
  readonly #time = new TurnTime();
  readonly #listeners = new Set<(happening: Happening) => void>();
  readonly #drafting = new Drafting((table) => this.#sendDraft(table));
  #connection: Connection | null = null;
  #stopListening: () => void = () => {};
  #timers = new Set<ReturnType<typeof setTimeout>>();
  #turn: string | null = null;
  #said = 0;
  readonly #closing = new AbortController();

  constructor(name: string, { api = usual, dial = (url) => new WebSocket(url) }: SessionOptions = {}) {
    this.name = name;
    this.api = api;
    this.#dialer = dial;
    void this.#join();
  }

  // What is known

  get view(): RoomView | null {
    return this.#state.view;
  }

  get you(): You | null {
    return this.#state.you;
  }

  get match(): MatchView | null {
    return this.view?.match ?? null;
  }

  get race(): RaceView | null {
    return this.view?.race ?? null;
  }

  get seats(): readonly SeatView[] {
    return this.view?.seats ?? [];
  }

  /** The seat whose rack is shown; null of a spectator, and while a tablet changes hands. */
  get mySeat(): number | null {
    return this.you?.shown ?? null;
  }

  /** The seats of this device. */
  get ourSeats(): readonly number[] {
    return this.you?.seats ?? [];
  }

  get isHost(): boolean {
    return this.you?.host ?? false;
  }

  /** Whether the seat that is shown is to move. */
  get isMyTurn(): boolean {
    return isMyTurn(this.#state);
  }

  /** Whether a seat of this device is to move, shown or not. */
  get isOurTurn(): boolean {
    return isOurTurn(this.#state);
  }

  /** What the player to move is arranging, if that is somebody else. */
  get othersDraft(): SeenDraft | null {
    return othersDraft(this.#state);
  }

  /**
   * The own draft as another tab shows it, or as it was before the page was loaded; null as long as this tab's own is
   * the newest.
   */
  get ownDraft(): readonly (readonly string[])[] | null {
    return this.#touched ? null : ownDraft(this.#state);
  }

  /** The last turn in which tiles were laid, in this round. */
  get lastPlay(): TurnTaken | null {
    return this.#state.lastPlay;
  }

  /** The rack that a seat of this device was dealt in this round; null where this page was not there. */
  get dealt(): RoomState['dealt'] {
    return this.#state.dealt;
  }

  /** The same as long as one turn lasts, and another in the next; null when nobody is to move. */
  get turnKey(): string | null {
    return turnKey(this.view);
  }

  /** What the server thinks of exactly this table, if it was asked and has answered. */
  adviceFor(table: TableDraft): Advice | null {
    const found = this.advice;
    return found && JSON.stringify(found.table) === JSON.stringify(table) ? found.advice : null;
  }

  get clock(): TurnClock | null {
    return this.#time.clock;
  }

  /** Whole seconds that are left of the turn; null where no clock is running. */
  get left(): number | null {
    return this.#time.left;
  }

  /** Seconds that are left of the turn at this moment, with their fractions; null where no clock is running. */
  clockLeft(): number | null {
    return this.#time.leftNow();
  }

  /** Whatever happens from now on, in order, with the room before and after it. The answer stops it. */
  onEvents(call: (happening: Happening) => void): () => void {
    this.#listeners.add(call);
    return () => this.#listeners.delete(call);
  }

  // What can be done

  /** Send a command; a refusal is an answer like any other. The view has what it did when the answer is there. */
  async do(command: WireCommand): Promise<Answer> {
    const id = newId();
    return this.#ask((connection) => connection.ask({ type: 'command', id, on: connection.version, command }), id);
  }

  /** Show what is being arranged: the whole table, or null when it is all put back. */
  sendDraft(table: TableDraft): void {
    const seat = this.mySeat;
    if (seat === null || !this.isMyTurn) return;
    this.#touched = table !== null;
    this.follows = false;
    this.#state = take(this.#state, { type: 'draft', seat, on: 0, table: null }).state;
    this.#drafting.put(table);
  }

  /** Ask for a hint for the seat that is shown. */
  async hint(level: Level): Promise<Hint | Refused> {
    const [id, seat] = [newId(), this.mySeat];
    const answer = await this.#ask((connection) => {
      if (seat === null) return Promise.resolve(refused(id, 'not-seated'));
      return connection.ask({ type: 'hint', id, on: connection.version, seat, level });
    }, id);
    if (answer.type === 'refused') return answer;
    return answer.hint ?? refused(id, 'no-hints');
  }

  say(phrase: Phrase, seat: number | null = this.mySeat): void {
    if (seat !== null) this.#connection?.send({ type: 'phrase', seat, phrase });
  }

  /** Choose whose rack to see, of several people on this device; null hides them all. */
  show(seat: number | null): void {
    this.#connection?.show(seat);
  }

  /** Try to connect now, rather than a little later. */
  retry(): void {
    this.#connection?.nudge();
  }

  close(): void {
    this.#closing.abort();
    this.#stopListening();
    this.#connection?.close();
    this.#drafting.forget();
    this.#listeners.clear();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#time.stop();
  }

  // Joining

  async #join(): Promise<void> {
    this.#learnRules();
    const lost = (): void => this.#onLink('lost', null);
    const found = await findRoom(this.api, this.name, { signal: this.#closing.signal, lost });
    if (!found) return;
    if ('room' in found) this.#connect(found.room, Math.max(1, found.version - LOOKED_BACK));
    else this.#onLink('gone', found.why);
  }

  #connect(room: string, since: number): void {
    const base = this.api.base || window.location.origin;
    const url = `${base.replace(/^http/, 'ws')}/ws/rooms/${encodeURIComponent(room)}`;
    const connection = new Connection(
      url,
      {
        link: (link, why) => this.#onLink(link, why),
        news: (news) => this.#onNews(news),
        time: (now) => this.#time.hear(now),
      },
      { dial: this.#dialer, probe: () => whyNot(this.api, room), since },
    );
    this.#connection = connection;
    this.#stopListening = onAwake(() => connection.nudge());
    connection.open();
  }

  #learnRules(): void {
    this.api.rulesets().then(
      (found) => (this.#rulesets = found),
      () => {
        if (!this.#closing.signal.aborted) this.#later(AGAIN, () => this.#learnRules());
      },
    );
  }

  async #ask(ask: (connection: Connection) => Promise<Answer>, id: string): Promise<Answer> {
    if (!this.#connection) return refused(id, 'gone');
    this.waiting += 1;
    try {
      return await ask(this.#connection);
    } finally {
      this.waiting -= 1;
    }
  }

  #sendDraft(table: TableDraft): boolean {
    const [connection, seat] = [this.#connection, this.mySeat];
    if (!connection || seat === null || !this.isMyTurn) return false;
    return connection.send({ type: 'draft', on: connection.version, seat, table: table && [...table] });
  }

  // What comes

  #onLink(link: LinkState, why: string | null): void {
    this.link = link;
    if (link === 'gone') this.gone = why;
    if (link === 'open') this.#drafting.again();
  }

  #onNews(news: News): void {
    switch (news.type) {
      case 'advice': {
        const sent = this.#drafting.answered();
        if (sent) this.advice = { table: sent.table, advice: news };
        break;
      }
      case 'phrase':
        this.#hear(news.seat, news.phrase);
        break;
      case 'error':
        this.error = news;
        this.#drafting.answered();
        break;
      default: {
        if (news.type === 'draft') this.#heed(news.seat);
        const { state, happening } = take(this.#state, news);
        this.#state = state;
        this.#follow();
        if (happening) for (const call of [...this.#listeners]) call(happening);
      }
    }
  }

  /** The server's draft is another tab's, and newer than what this one sent, once that was answered. */
  #heed(seat: number): void {
    if (seat !== this.mySeat || this.#drafting.busy) return;
    this.#touched = false;
    this.follows = true;
    this.#drafting.forget();
  }

  /** What hangs on the turn and on the clock. */
  #follow(): void {
    const turn = this.turnKey;
    if (turn !== this.#turn) {
      this.#turn = turn;
      this.#touched = this.follows = false;
      this.#drafting.forget();
      this.advice = null;
    }
    this.#time.follow(this.view?.clock ?? null);
  }

  #hear(seat: number, phrase: Phrase): void {
    const said = { id: (this.#said += 1), seat, phrase };
    this.phrases = [...this.phrases.filter((one) => one.seat !== seat), said];
    this.#later(SAID_FOR, () => (this.phrases = this.phrases.filter((one) => one !== said)));
  }

  #later(delay: number, call: () => void): ReturnType<typeof setTimeout> {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      call();
    }, delay);
    this.#timers.add(timer);
    return timer;
  }
}

function refused(id: string, code: string): Refused {
  return { type: 'refused', id, code, violations: [], version: 0 };
}
