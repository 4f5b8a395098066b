/** Sends what is being arranged: at most twice a second, the last wins, one on its way at a time. */

export type TableDraft = readonly string[] | null;

const PAUSE = 500;
/** After this long an answer does not come any more. */
const PATIENCE = 4000;

type Timer = ReturnType<typeof setTimeout>;

export class Drafting {
  readonly #send: (table: TableDraft) => boolean;
  #wish: { table: TableDraft } | null = null;
  #sent: { table: TableDraft } | null = null;
  #last: { table: TableDraft } | null = null;
  #sentAt = Number.NEGATIVE_INFINITY;
  #timer: Timer | null = null;

  constructor(send: (table: TableDraft) => boolean) {
    this.#send = send;
  }

  /** Whether the server does not know yet what was put here last. */
  get busy(): boolean {
    return this.#wish !== null || this.#sent !== null;
  }

  /** The table as it lies now; null when it is all put back. */
  put(table: TableDraft): void {
    this.#last = { table };
    this.#wish = { table };
    this.#next();
  }

  /** The server has answered; return the table that it is about. */
  answered(): { table: TableDraft } | null {
    const sent = this.#sent;
    this.#sent = null;
    this.#next();
    return sent;
  }

  /** A new connection knows nothing of what was on its way. */
  again(): void {
    this.#sent = null;
    this.#sentAt = Number.NEGATIVE_INFINITY;
    this.#wish = this.#last;
    this.#next();
  }

  /** The turn is over. */
  forget(): void {
    this.#wish = this.#sent = this.#last = null;
    this.#stop();
  }

  #stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #next(): void {
    this.#stop();
    if (!this.#wish) return;
    const wait = this.#sentAt + (this.#sent ? PATIENCE : PAUSE) - Date.now();
    if (wait > 0) {
      this.#timer = setTimeout(() => this.#next(), wait);
      return;
    }
    const { table } = this.#wish;
    if (!this.#send(table)) return;
    this.#wish = null;
    this.#sent = { table };
    this.#sentAt = Date.now();
  }
}
