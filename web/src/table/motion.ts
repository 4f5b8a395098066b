/**
 * Puts tiles where they belong, and never measures anything. What rests has a place; what moves is transformed, so that
 * only it has a layer of its own.
 */

import { isFaceDown, type Tile } from '../game/tiles';
import { EASING, LONGEST, arrivals, flipAt, flips, keyframes, lasting, type Flip, type FlipOptions } from './anim';
import type { Rect } from './types';

interface Running {
  readonly animation: Animation;
  readonly flip: Flip<Tile>;
  readonly since: number;
}

type Holder = (element: HTMLElement) => () => void;

export interface Placing extends FlipOptions {
  /** Where tiles come from that were not there before; null for those that are simply there. */
  readonly source?: (tile: Tile) => Rect | null;
}

export class Mover {
  readonly #elements = new Map<Tile, HTMLElement>();
  readonly #holders = new Map<Tile, Holder>();
  readonly #places = new Map<Tile, Rect>();
  readonly #running = new Map<Tile, Running>();
  /** Where tiles would lie that are in the hand. */
  readonly #resting = new Map<Tile, Rect>();
  /** Where tiles lay face down that are gone since the last picture. */
  #left: Rect[] = [];

  /** An attachment: this element is that tile. It is the same one each time, so that it is attached once. */
  hold(tile: Tile): Holder {
    const holder = this.#holders.get(tile) ?? ((element) => this.#hold(tile, element));
    this.#holders.set(tile, holder);
    return holder;
  }

  element(tile: Tile): HTMLElement | undefined {
    return this.#elements.get(tile);
  }

  /** Where a tile is drawn, on its way or not; null for one that is not there. */
  now(tile: Tile): Rect | null {
    const place = this.#places.get(tile);
    const running = this.#running.get(tile);
    if (!place || !running) return place ?? null;
    const { by, scale } = flipAt(running.flip, performance.now() - running.since);
    return { x: place.x + by.x, y: place.y + by.y, width: place.width * scale, height: place.height * scale };
  }

  /** Put tiles in their places; what moves is on its way for a moment. The answer says how long. */
  place(rects: ReadonlyMap<Tile, Rect>, { source, ...options }: Placing = {}): number {
    const changed = new Map<Tile, Rect>();
    const fresh: Tile[] = [];
    for (const [tile, rect] of rects) {
      const known = this.#places.get(tile);
      if (known && same(known, rect)) continue;
      changed.set(tile, rect);
      if (!known) fresh.push(tile);
    }
    if (changed.size === 0) {
      this.#left = [];
      return 0;
    }
    const from = new Map<Tile, Rect>();
    for (const tile of changed.keys()) {
      const was = this.now(tile);
      if (was) from.set(tile, was);
    }
    const turned = options.still ? new Map<Tile, Rect>() : this.#turned(fresh, changed);
    for (const [tile, rect] of turned) from.set(tile, rect);
    const coming = fresh.filter((tile) => !turned.has(tile));
    const moves = [...flips(from, changed, options), ...arriving(coming, changed, source, options)];
    for (const [tile, rect] of changed) this.#put(tile, rect);
    for (const move of moves) this.#fly(move);
    for (const tile of turned.keys()) this.#turnOver(tile);
    return lasting(moves);
  }

  /** Newcomers that lay there face down until now, with the places where they did: each in the nearest one. */
  #turned(fresh: readonly Tile[], places: ReadonlyMap<Tile, Rect>): Map<Tile, Rect> {
    const found = new Map<Tile, Rect>();
    for (const tile of fresh) {
      const to = places.get(tile);
      if (!to || isFaceDown(tile)) continue;
      const away = (rect: Rect): number => Math.hypot(rect.x - to.x, rect.y - to.y);
      const [nearest] = this.#left.toSorted((a, b) => away(a) - away(b));
      if (!nearest) break;
      found.set(tile, nearest);
      this.#left = this.#left.filter((rect) => rect !== nearest);
    }
    this.#left = [];
    return found;
  }

  #turnOver(tile: Tile): void {
    const face = this.#elements.get(tile)?.firstElementChild;
    face?.animate([{ transform: 'scaleX(0.05)' }, { transform: 'none' }], { duration: LONGEST, easing: EASING });
  }

  /** A tile in the hand goes where the hand goes. */
  carry(tile: Tile, x: number, y: number): void {
    const element = this.#elements.get(tile);
    const rest = this.#resting.get(tile) ?? this.#places.get(tile);
    if (!element || !rest) return;
    this.#stop(tile);
    this.#resting.set(tile, rest);
    this.#places.set(tile, { ...rest, x, y });
    element.style.translate = `${x - rest.x}px ${y - rest.y}px`;
  }

  #hold(tile: Tile, element: HTMLElement): () => void {
    this.#elements.set(tile, element);
    return () => {
      const place = this.#places.get(tile);
      if (place && isFaceDown(tile)) this.#left.push(place);
      this.#stop(tile);
      this.#elements.delete(tile);
      this.#resting.delete(tile);
      this.#places.delete(tile);
    };
  }

  #put(tile: Tile, rect: Rect): void {
    this.#stop(tile);
    const element = this.#elements.get(tile);
    if (!element) return;
    this.#places.set(tile, rect);
    element.style.left = `${rect.x}px`;
    element.style.top = `${rect.y}px`;
    if (this.#resting.delete(tile)) element.style.translate = '';
  }

  #fly(flip: Flip<Tile>): void {
    const element = this.#elements.get(flip.key);
    if (!element) return;
    const { delay, duration } = flip;
    const animation = element.animate([...keyframes(flip)], { delay, duration, easing: EASING, fill: 'backwards' });
    element.classList.add('flying');
    this.#running.set(flip.key, { animation, flip, since: performance.now() });
    animation.onfinish = () => this.#stop(flip.key);
  }

  #stop(tile: Tile): void {
    const running = this.#running.get(tile);
    if (!running) return;
    this.#running.delete(tile);
    running.animation.onfinish = null;
    running.animation.cancel();
    this.#elements.get(tile)?.classList.remove('flying');
  }
}

/** Newcomers, each from where it comes from; those from one place start one after the other. */
function arriving(
  fresh: readonly Tile[],
  places: ReadonlyMap<Tile, Rect>,
  source: Placing['source'],
  options: FlipOptions,
): Flip<Tile>[] {
  if (!source || options.still) return [];
  const together = new Map<string, { from: Rect; tiles: Tile[] }>();
  for (const tile of fresh) {
    const from = source(tile);
    if (!from) continue;
    const key = JSON.stringify(from);
    const group = together.get(key) ?? { from, tiles: [] };
    group.tiles.push(tile);
    together.set(key, group);
  }
  return [...together.values()].flatMap(({ from, tiles }) => arrivals(tiles, places, from, options));
}

function same(a: Rect, b: Rect): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width;
}
