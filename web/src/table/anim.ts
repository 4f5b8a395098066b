/** Animation as data: what moves from where to where, when, for how long. The page only plays it. */

import type { Point, Rect } from './types';

/** Something that is drawn at its new place at once, and seems to come there from its old one. */
export interface Flip<Key = string> {
  readonly key: Key;
  /** From the new place to the old one. */
  readonly by: Point;
  /** The old size by the new one. */
  readonly scale: number;
  readonly delay: number;
  readonly duration: number;
}

export interface FlipOptions {
  /** How fast, 1 as usual; slower for a replay. */
  readonly pace?: number;
  /** Milliseconds between the starts of two tiles that move together. */
  readonly stagger?: number;
  /** The player wants no motion: then nothing moves. */
  readonly still?: boolean;
}

/** A tile on its way takes this long at least and at most, in milliseconds. */
export const SHORTEST = 160;
export const LONGEST = 420;
/** All that moves together has arrived after this time, in milliseconds. */
export const WHOLE = 900;
/** For CSS and the Web Animations API: quick away, gentle to its place. */
export const EASING = 'cubic-bezier(0.2, 0.8, 0.25, 1)';

const [X1, Y1, X2, Y2] = [0.2, 0.8, 0.25, 1];

/** The same easing, as a function from the share of the time to the share of the way. */
export function ease(time: number): number {
  if (time <= 0 || time >= 1) {
    return Math.min(1, Math.max(0, time));
  }
  let [low, high] = [0, 1];
  for (let step = 0; step < 24; step += 1) {
    const middle = (low + high) / 2;
    [low, high] = bezier(middle, X1, X2) < time ? [middle, high] : [low, middle];
  }
  return bezier(low, Y1, Y2);
}

function bezier(at: number, first: number, second: number): number {
  const rest = 1 - at;
  return 3 * rest * rest * at * first + 3 * rest * at * at * second + at * at * at;
}

/** What has moved between two pictures; what is in only one of them, or has hardly moved, does not.
 *
 * The order of `to` is the order in which they start.
 */
export function flips<Key>(
  from: ReadonlyMap<Key, Rect>,
  to: ReadonlyMap<Key, Rect>,
  { pace = 1, stagger = 18, still = false }: FlipOptions = {},
): Flip<Key>[] {
  if (still) {
    return [];
  }
  const moved = [...to].flatMap(([key, rect]) => {
    const was = from.get(key);
    const by = was && { x: was.x - rect.x, y: was.y - rect.y };
    const scale = was === undefined || rect.width === 0 ? 1 : was.width / rect.width;
    const far = by === undefined ? 0 : Math.hypot(by.x, by.y);
    return by !== undefined && (far >= 1 || Math.abs(scale - 1) > 0.02) ? [{ key, by, scale, far }] : [];
  });
  const between = Math.min(stagger, moved.length > 1 ? (WHOLE - LONGEST) / (moved.length - 1) : 0);
  return moved.map(({ key, by, scale, far }, place) => ({
    key,
    by,
    scale,
    delay: (place * between) / pace,
    duration: Math.min(LONGEST, SHORTEST + far * 0.4) / pace,
  }));
}

/** Things that appear and seem to come from somewhere: drawn tiles from the pool, laid ones from a seat. */
export function arrivals<Key>(
  keys: readonly Key[],
  to: ReadonlyMap<Key, Rect>,
  source: Rect,
  options: FlipOptions = {},
): Flip<Key>[] {
  const there = keys.flatMap((key): [Key, Rect][] => {
    const rect = to.get(key);
    return rect === undefined ? [] : [[key, rect]];
  });
  const centre = { x: source.x + source.width / 2, y: source.y + source.height / 2 };
  const from = new Map(
    there.map(([key, rect]): [Key, Rect] => {
      const width = Math.min(source.width, rect.width);
      const height = width === 0 ? 0 : (rect.height * width) / rect.width;
      return [key, { x: centre.x - width / 2, y: centre.y - height / 2, width, height }];
    }),
  );
  return flips(from, new Map(there), { stagger: 70, ...options });
}

/** Where a thing is at a time after the start, in milliseconds: how far from its place, and how large. */
export function flipAt(flip: Flip<unknown>, time: number): { readonly by: Point; readonly scale: number } {
  const left = 1 - ease((time - flip.delay) / Math.max(1, flip.duration));
  return { by: { x: flip.by.x * left, y: flip.by.y * left }, scale: 1 + (flip.scale - 1) * left };
}

/** The same as keyframes, from a top left corner that does not move. */
export function keyframes(flip: Flip<unknown>): { readonly transform: string }[] {
  const { by, scale } = flip;
  return [{ transform: `translate(${by.x}px, ${by.y}px) scale(${scale})` }, { transform: 'none' }];
}

/** When the last of some things has arrived, in milliseconds. */
export function lasting(some: readonly Flip<unknown>[]): number {
  return Math.max(0, ...some.map((flip) => flip.delay + flip.duration));
}

/** When each step of a replay begins, and when all is over, in milliseconds. */
export function timeline(steps: number, pace = 1): { readonly starts: readonly number[]; readonly end: number } {
  const each = (LONGEST + 480) / pace;
  return { starts: Array.from({ length: steps }, (_, step) => step * each), end: steps * each };
}
