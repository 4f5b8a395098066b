import type { Heartbeat, RoomView, Seen, Snapshot, Update, You } from '../protocol';

/** A snapshot, with what happened before it as far as it was told: for who comes to a game that is on. */
export interface Arrival extends Snapshot {
  readonly past?: readonly Seen[];
}

/** Which message is next, which is old, and when something is missing. */
export class Follower {
  version = 0;
  view: RoomView | null = null;
  you: You | null = null;
  /** Whether to ask for what is missing. */
  behind = false;
  #fresh = true;
  #past: readonly Seen[] = [];

  /** A new connection: its first message says how things are now, whatever was known before. */
  reconnected(): void {
    this.#fresh = true;
    this.behind = false;
  }

  /** Take a message and return what is new in it. */
  take(message: Snapshot | Update | Heartbeat): Arrival | Update | null {
    const fresh = this.#fresh;
    this.#fresh = false;
    if (message.type === 'heartbeat') {
      this.behind = message.version > this.version;
      return null;
    }
    if (message.type === 'snapshot') {
      if (message.version < this.version && !fresh) return null;
      this.you = message.you;
      const past = this.#past;
      this.#past = [];
      return this.#keep(past.length > 0 ? { ...message, past } : message);
    }
    if (this.view === null) {
      // A game cannot be joined by what happened in it: the snapshot comes next.
      this.#past = message.events;
      return null;
    }
    const first = message.events[0];
    if (message.version <= this.version || !first) return null;
    if (first.version > this.version + 1) {
      this.behind = true;
      return null;
    }
    const events = message.events.filter((seen) => seen.version > this.version);
    return this.#keep({ ...message, events });
  }

  #keep<T extends Snapshot | Update>(message: T): T {
    this.version = message.version;
    this.view = message.view;
    this.behind = false;
    return message;
  }
}
