/** A play shown slowly on the table, step by step. */

import type { DraftMeld } from '../game/draft';
import type { ReplayStep } from '../game/moves';
import type { Tile } from '../game/tiles';
import { timeline } from '../table/anim';

export interface Frame {
  readonly melds: readonly DraftMeld[];
  readonly rack: readonly Tile[];
  /** What the step before it moved. */
  readonly moved: readonly Tile[];
  readonly step: ReplayStep | null;
}

/** How long the table is seen as it was, and as it is in the end, in milliseconds. */
const PAUSE = 700;
const LAST = 1400;
/** A film of many steps goes faster, so that it takes about so long at most; but each step can be seen. */
const WHOLE = 20_000;
const SHORTEST = 500;

/** The pictures of a play: before it, and after each of its steps; one's own rack loses what is laid from it. */
export function framesOf(before: readonly DraftMeld[], rack: readonly Tile[], steps: readonly ReplayStep[]): Frame[] {
  let left = [...rack];
  const frames: Frame[] = [{ melds: before, rack: left, moved: [], step: null }];
  for (const step of steps) {
    const lying = new Set(step.melds.flatMap((meld) => meld.tiles));
    left = left.filter((tile) => !lying.has(tile));
    frames.push({ melds: step.melds, rack: left, moved: step.tiles, step });
  }
  return frames;
}

export class Film {
  #frames = $state.raw<readonly Frame[]>([]);
  #at = $state(0);
  /** Whose play it is; null for a hint. */
  seat = $state<number | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended: () => void = () => undefined;

  get now(): Frame | null {
    return this.#frames[this.#at] ?? null;
  }

  get on(): boolean {
    return this.#frames.length > 0;
  }

  /** The step that is seen, from 1; 0 before the first. */
  get step(): number {
    return this.#at;
  }

  get steps(): number {
    return Math.max(0, this.#frames.length - 1);
  }

  show(frames: readonly Frame[], seat: number | null, ended: () => void = () => undefined, pace = 0.7): void {
    this.stop();
    this.#frames = frames;
    this.#at = 0;
    this.seat = seat;
    this.#ended = ended;
    const { starts, end } = timeline(1, pace);
    const each = Math.max(SHORTEST, Math.min(end - (starts[0] ?? 0), WHOLE / Math.max(1, this.steps)));
    this.#timer = setTimeout(() => this.#next(each), PAUSE);
  }

  /** The table as it is, at once. */
  stop(): void {
    clearTimeout(this.#timer);
    if (!this.on) return;
    this.#frames = [];
    const ended = this.#ended;
    this.#ended = () => undefined;
    ended();
  }

  #next(each: number): void {
    if (this.#at >= this.#frames.length - 1) {
      this.stop();
      return;
    }
    this.#at += 1;
    this.#timer = setTimeout(() => this.#next(each), this.#at === this.#frames.length - 1 ? LAST : each);
  }
}
