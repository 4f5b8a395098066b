import type {
  Ack,
  BotInfo,
  CheckAnswer,
  CheckRequest,
  CommandBody,
  ErrorBody,
  Link,
  Local,
  Me,
  NewRoom,
  PhraseInfo,
  Refused,
  RoomList,
  RoomView,
  RulesetInfo,
  SolveAnswer,
  SolveRequest,
  Token,
  ToldRules,
} from '../protocol';

export type Language = 'en' | 'fr' | 'nl' | 'de';
export type Stage = RoomView['stage'];

export interface Paging {
  limit?: number;
  /** `next` of the list before. */
  before?: string;
}

/** The codes of an ApiError that no server sent. */
export type LocalCode = 'offline' | 'timed-out' | 'unreadable';

/** A request that got no answer, or an error for one: by a stable code, as `docs/protocol.md` tells them. */
export class ApiError extends Error {
  constructor(
    /** 0 when there was no answer. */
    readonly status: number,
    readonly code: string,
    readonly field: string | null,
    message: string,
    /** How long the server asks to wait, in seconds. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
    this.name = 'ApiError';
  }

  /** Whether the same request may go well another time. */
  get passing(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

interface Asked {
  body?: unknown;
  query?: Record<string, string | number | readonly string[] | undefined>;
  /** In milliseconds. */
  patience?: number;
}

export interface ApiOptions {
  /** The server's address; the page's own otherwise. */
  base?: string;
  /** The language of whoever asks, at that moment. */
  lang?: () => string;
  fetch?: typeof fetch;
}

const PATIENCE = 10_000;
const THINKING = 30_000;

/** The server by REST. Whatever is not an answer is thrown as an ApiError. */
export class Api {
  readonly base: string;
  readonly #lang: () => string;
  readonly #fetch: typeof fetch;
  readonly #kept = new Map<string, Promise<unknown>>();

  constructor({ base = '', lang = () => '*', fetch: given }: ApiOptions = {}) {
    this.base = base;
    this.#lang = lang;
    this.#fetch = given ?? ((input, init) => fetch(input, init));
  }

  // Oneself

  /** Who one is; somebody new becomes a guest. */
  me(): Promise<Me> {
    return this.#json('GET', '/api/me');
  }

  rename(name: string): Promise<Me> {
    return this.#json('PATCH', '/api/me', { body: { name } });
  }

  /** Delete everything that is kept about this person. */
  async forgetMe(): Promise<void> {
    await this.#ask('DELETE', '/api/me');
  }

  /** Everything that is kept about this person, as JSON to be saved in a file. */
  async exportMe(): Promise<string> {
    return (await this.#ask('GET', '/api/me/export')).text();
  }

  myRooms(paging: Paging = {}): Promise<RoomList> {
    return this.#json('GET', '/api/me/rooms', { query: { ...paging } });
  }

  /** A link with which to continue on another device. */
  makeLink(): Promise<Link> {
    return this.#json('POST', '/api/me/link');
  }

  /** Become the player of such a link. */
  useLink(token: string): Promise<Me> {
    return this.#json('POST', '/api/link', { body: { token } });
  }

  /** Somebody else who plays on this device. */
  addLocal(name: string): Promise<Local> {
    return this.#json('POST', '/api/me/locals', { body: { name } });
  }

  async dropLocal(id: string): Promise<void> {
    await this.#ask('DELETE', `/api/me/locals/${encodeURIComponent(id)}`);
  }

  /** The bots of this person; their tokens are not shown again. */
  tokens(): Promise<Token[]> {
    return this.#json('GET', '/api/me/tokens');
  }

  /** A bot with its token, which is shown this once. */
  newToken(label: string): Promise<Token> {
    return this.#json('POST', '/api/me/tokens', { body: { label } });
  }

  async dropToken(id: string): Promise<void> {
    await this.#ask('DELETE', `/api/me/tokens/${encodeURIComponent(id)}`);
  }

  // Rooms

  rooms({ stage, ...paging }: Paging & { stage?: readonly Stage[] } = {}): Promise<RoomList> {
    return this.#json('GET', '/api/rooms', { query: { ...paging, stage } });
  }

  newRoom(setup: NewRoom): Promise<RoomView> {
    return this.#json('POST', '/api/rooms', { body: setup });
  }

  /** A room by its id or its code. */
  room(name: string): Promise<RoomView> {
    return this.#json('GET', `/api/rooms/${encodeURIComponent(name)}`);
  }

  /** A command without a WebSocket; the same id gets the same answer there and here. */
  command(room: string, command: CommandBody): Promise<Ack | Refused> {
    return this.#json('POST', `/api/rooms/${encodeURIComponent(room)}/commands`, { body: command });
  }

  /** The record of a match that is over, this one or the last, as text. */
  async record(room: string, match?: number): Promise<string> {
    const answer = await this.#ask('GET', `/api/rooms/${encodeURIComponent(room)}/record`, { query: { match } });
    return answer.text();
  }

  /** The address of a room's QR code, an SVG. */
  qr(room: string): string {
    return `${this.base}/api/rooms/${encodeURIComponent(room)}/qr.svg`;
  }

  // What there is; it changes with the server's version only, so that one answer does

  rulesets(): Promise<RulesetInfo[]> {
    return this.#keep('/api/rulesets');
  }

  bots(): Promise<BotInfo[]> {
    return this.#keep('/api/bots');
  }

  phrases(): Promise<PhraseInfo[]> {
    return this.#keep('/api/phrases');
  }

  /** The rules of a ruleset, or of `junior-simplified`, told in a language. */
  rules(ruleset: string, lang: Language, house: RoomView['setup']['house'] = {}): Promise<ToldRules> {
    const changes = Object.entries(house).map(([rule, value]) => `${rule}=${value}`);
    const path = `/api/rulesets/${encodeURIComponent(ruleset)}/rules`;
    return this.#json('GET', path, { query: { lang, house: changes }, patience: THINKING });
  }

  // Questions about positions

  /** The best play of a position. */
  solve(position: SolveRequest, lang: Language): Promise<SolveAnswer> {
    return this.#json('POST', '/api/solve', { body: position, query: { lang }, patience: THINKING });
  }

  /** Whether a play is legal, and every rule that it breaks. */
  check(play: CheckRequest, lang: Language): Promise<CheckAnswer> {
    return this.#json('POST', '/api/check', { body: play, query: { lang }, patience: THINKING });
  }

  // Requests

  #keep<T>(path: string): Promise<T> {
    const known = this.#kept.get(path) as Promise<T> | undefined;
    if (known) return known;
    const asked = this.#json<T>('GET', path);
    this.#kept.set(path, asked);
    asked.catch(() => this.#kept.delete(path));
    return asked;
  }

  async #json<T>(method: string, path: string, asked: Asked = {}): Promise<T> {
    const response = await this.#ask(method, path, asked);
    try {
      return (await response.json()) as T;
    } catch {
      throw new ApiError(response.status, 'unreadable', null, 'the answer is not JSON');
    }
  }

  async #ask(method: string, path: string, { body, query, patience = PATIENCE }: Asked = {}): Promise<Response> {
    const headers = { 'Accept-Language': this.#lang() };
    const given =
      body === undefined
        ? { headers }
        : { body: JSON.stringify(body), headers: { ...headers, 'Content-Type': 'application/json' } };
    let response: Response;
    try {
      response = await this.#fetch(`${this.base}${path}${written(query)}`, {
        method,
        credentials: 'same-origin',
        signal: AbortSignal.timeout(patience),
        ...given,
      });
    } catch (error) {
      const late = error instanceof DOMException && error.name === 'TimeoutError';
      throw late
        ? new ApiError(0, 'timed-out', null, 'the server did not answer in time')
        : new ApiError(0, 'offline', null, 'the server cannot be reached');
    }
    if (!response.ok) throw await told(response);
    return response;
  }
}

async function told(response: Response): Promise<ApiError> {
  const wait = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const retryAfter = Number.isFinite(wait) ? wait : null;
  try {
    const { error } = (await response.json()) as ErrorBody;
    return new ApiError(response.status, error.code, error.field, error.message, retryAfter);
  } catch {
    return new ApiError(response.status, 'unreadable', null, response.statusText, retryAfter);
  }
}

function written(query: Asked['query']): string {
  const found = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    const values = value === undefined ? [] : Array.isArray(value) ? value : [value];
    for (const one of values) found.append(name, String(one));
  }
  const text = found.toString();
  return text && `?${text}`;
}

/** The server that this page comes from. */
export const api = new Api({ lang: () => document.documentElement.lang });
