/** The clock of the running turn, which ticks no more often than it is read. */

import type { ClockView } from '../protocol';
import { ServerTime, byDays, secondsLeft, untilNextTick, type TurnClock } from './clock';

export class TurnTime {
  clock = $state.raw<TurnClock | null>(null);
  /** Whole seconds that are left; null where no clock is running. */
  left = $state<number | null>(null);

  readonly #time = new ServerTime();
  #ticker: ReturnType<typeof setTimeout> | null = null;

  /** The server says that it is `now`, in seconds. */
  hear(now: number): void {
    this.#time.hear(now, Date.now());
  }

  follow(view: ClockView | null): void {
    this.clock = view && {
      seconds: view.seconds,
      endsAt: this.#time.toLocal(view.ends),
      byDays: byDays(view.seconds),
    };
    this.#tick();
  }

  /** With its fractions. */
  leftNow(): number | null {
    return this.clock && Math.max(0, (this.clock.endsAt - Date.now()) / 1000);
  }

  stop(): void {
    if (this.#ticker !== null) clearTimeout(this.#ticker);
    this.#ticker = null;
  }

  #tick(): void {
    this.stop();
    this.left = this.clock && secondsLeft(this.clock.endsAt, Date.now());
    if (this.clock && this.left) {
      this.#ticker = setTimeout(() => this.#tick(), untilNextTick(this.clock.endsAt, Date.now()));
    }
  }
}
