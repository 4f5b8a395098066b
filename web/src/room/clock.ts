/** Time as the server counts it, on this device's clock. */

const SAMPLES = 12;
/** A clock that jumped by this many seconds was set anew. */
const JUMP = 5;

/** How far the server's clock is from ours: a message is late by its way, so that the least late one is right. */
export class ServerTime {
  #samples: number[] = [];

  /** A message says that it is `server` (in seconds) now, when it is `local` (in milliseconds) here. */
  hear(server: number, local: number): void {
    const sample = local / 1000 - server;
    if (this.#samples.length && Math.abs(sample - this.offset) > JUMP) this.#samples = [];
    this.#samples = [...this.#samples, sample].slice(-SAMPLES);
  }

  /** In seconds; what has to be added to the server's time. */
  get offset(): number {
    return this.#samples.length ? Math.min(...this.#samples) : 0;
  }

  /** A moment of the server's time, in seconds, as milliseconds here. */
  toLocal(server: number): number {
    return (server + this.offset) * 1000;
  }
}

/** The running turn's time. */
export interface TurnClock {
  /** How long a turn may take, in seconds. */
  readonly seconds: number;
  /** When it is over, as milliseconds of this device's clock. */
  readonly endsAt: number;
  /** Whether turns take days. */
  readonly byDays: boolean;
}

const HOUR = 3600;

export function byDays(seconds: number): boolean {
  return seconds > 6 * HOUR;
}

/** Whether a turn takes so long that nobody has to stay connected, and no bot sits in for anybody. */
export function isSlow(seconds: number): boolean {
  return seconds >= HOUR;
}

/** Whole seconds that are left, never less than none. */
export function secondsLeft(endsAt: number, now: number): number {
  return Math.max(0, Math.ceil((endsAt - now) / 1000));
}

/** Milliseconds until the seconds that are left should be shown anew; hours and days may be shown more calmly. */
export function untilNextTick(endsAt: number, now: number): number {
  const left = endsAt - now;
  const step = left > HOUR * 1000 ? 60_000 : 1000;
  return Math.max(20, left - Math.floor((left - 1) / step) * step);
}
