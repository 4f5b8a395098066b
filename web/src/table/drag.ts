/** Pointer gestures as data, and what lies under a point: geometry only, so that a step costs next to nothing. */

import type { DraftMeld } from '../game/draft';
import type { Tile } from '../game/tiles';
import { tileRect, type Layout, type MeldPlace } from './layout';
import type { DropTarget, Point, Rect } from './types';

export type PointerKind = 'mouse' | 'pen' | 'touch';

/** How far a pointer may stray before a press is a drag. */
export const THRESHOLD: Readonly<Record<PointerKind, number>> = { mouse: 6, pen: 6, touch: 10 };
/** How long a press lasts before it is a long one, in milliseconds. */
export const LONG_PRESS = 450;

/** What lies under a point. */
export type Hit =
  | { readonly on: 'tile'; readonly tile: Tile; readonly meld: number | null; readonly index: number }
  | { readonly on: 'meld'; readonly meld: number; readonly index: number }
  | { readonly on: 'felt' }
  | { readonly on: 'rack'; readonly index: number }
  | { readonly on: 'nothing' };

/** A press that is on: a pointer is down on something, and may drag it. */
export interface Press {
  readonly pointer: number;
  readonly kind: PointerKind;
  readonly hit: Hit;
  readonly start: Point;
  readonly since: number;
  readonly phase: 'down' | 'drag' | 'held';
}

/** What came of a pointer's step. */
export type Gesture =
  | { readonly is: 'nothing' }
  | { readonly is: 'lift'; readonly hit: Hit; readonly start: Point; readonly at: Point }
  | { readonly is: 'move'; readonly at: Point }
  | { readonly is: 'drop'; readonly at: Point }
  | { readonly is: 'tap'; readonly hit: Hit; readonly at: Point }
  | { readonly is: 'hold'; readonly hit: Hit }
  | { readonly is: 'cancel' };

export interface PointerStep {
  readonly press: Press | null;
  readonly gesture: Gesture;
}

const NOTHING: Gesture = { is: 'nothing' };

/** A pointer goes down. A second finger ends what the first one did. */
export function down(
  press: Press | null,
  pointer: number,
  kind: PointerKind,
  hit: Hit,
  at: Point,
  time: number,
): PointerStep {
  if (press !== null) {
    return { press: null, gesture: press.phase === 'drag' ? { is: 'cancel' } : NOTHING };
  }
  return { press: { pointer, kind, hit, start: at, since: time, phase: 'down' }, gesture: NOTHING };
}

/** A pointer moves: once it has gone far enough, what is under it is lifted, or what a long press has taken. */
export function move(press: Press | null, pointer: number, at: Point): PointerStep {
  if (press === null || press.pointer !== pointer) {
    return { press, gesture: NOTHING };
  }
  if (press.phase === 'drag') {
    return { press, gesture: { is: 'move', at } };
  }
  const far = Math.hypot(at.x - press.start.x, at.y - press.start.y) >= THRESHOLD[press.kind];
  if (!far) {
    return { press, gesture: NOTHING };
  }
  return { press: { ...press, phase: 'drag' }, gesture: { is: 'lift', hit: press.hit, start: press.start, at } };
}

/** Time passes: a press that has not moved becomes a long one. Not a mouse's, for which melds have a handle: whoever
 * thinks for a moment before moving it drags the tile all the same. */
export function wait(press: Press | null, time: number): PointerStep {
  const waits = press?.phase === 'down' && press.kind !== 'mouse';
  if (press === null || !waits || time - press.since < LONG_PRESS) {
    return { press, gesture: NOTHING };
  }
  return { press: { ...press, phase: 'held' }, gesture: { is: 'hold', hit: press.hit } };
}

/** A pointer goes up: what was dragged is dropped; what was not is tapped. */
export function up(press: Press | null, pointer: number, at: Point): PointerStep {
  if (press === null || press.pointer !== pointer) {
    return { press, gesture: NOTHING };
  }
  const gestures: Readonly<Record<Press['phase'], Gesture>> = {
    down: { is: 'tap', hit: press.hit, at },
    drag: { is: 'drop', at },
    held: NOTHING,
  };
  return { press: null, gesture: gestures[press.phase] };
}

/** The system took the pointer away, or Escape was pressed. */
export function stop(press: Press | null): PointerStep {
  return { press: null, gesture: press?.phase === 'drag' ? { is: 'cancel' } : NOTHING };
}

/** What is drawn: the melds, in the order of the layout's places, and the rack as it is shown. */
export interface Scene {
  readonly layout: Layout;
  readonly melds: readonly DraftMeld[];
  readonly rack: readonly Tile[];
  /** How far the felt is scrolled, where the table does not fit. */
  readonly scroll?: number;
}

/** What lies under a point. */
export function hitAt(scene: Scene, point: Point): Hit {
  const { layout } = scene;
  if (inside(layout.rackBox, point)) {
    const index = layout.rack.findLastIndex((place) => inside(place, point));
    const tile = scene.rack[index];
    return tile === undefined
      ? { on: 'rack', index: rackIndex(scene, point, []) }
      : { on: 'tile', tile, meld: null, index };
  }
  if (!onFelt(layout, point)) {
    return { on: 'nothing' };
  }
  const at = scrolled(scene, point);
  const place = layout.melds.findIndex((one) => inside(one, at));
  const [meld, box] = [scene.melds[place], layout.melds[place]];
  if (meld === undefined || box === undefined) {
    return { on: 'felt' };
  }
  const index = Math.min(meld.tiles.length - 1, Math.max(0, Math.floor((at.x - box.x - layout.pad) / box.step)));
  const tile = meld.tiles[index];
  return tile !== undefined && inside(tileRect(layout, box, index), at)
    ? { on: 'tile', tile, meld: meld.id, index }
    : { on: 'meld', meld: meld.id, index: meldIndex(layout, box, meld, at, []) };
}

/** Where the tiles in the hand would go if they were put down here; null outside the table and the rack.
 *
 * A meld reaches a little beyond its box, most at its two ends. Everything else on the felt is a new meld.
 */
export function targetAt(
  scene: Scene,
  point: Point,
  held: readonly Tile[],
  whole: number | null = null,
): DropTarget | null {
  const { layout } = scene;
  const rack = layout.rackBox;
  const nearRack = point.y >= rack.y - layout.rackTileHeight * 0.15 && within(point.x, rack.x, rack.width);
  if (nearRack && !inside(layout.actions, point)) {
    return { to: 'rack', index: rackIndex(scene, point, held) };
  }
  if (!onFelt(layout, point)) {
    return null;
  }
  const at = scrolled(scene, point);
  const place = whole === null ? nearestMeld(scene, at) : -1;
  const [meld, box] = [scene.melds[place], layout.melds[place]];
  if (meld !== undefined && box !== undefined) {
    return { to: 'meld', meld: meld.id, index: meldIndex(layout, box, meld, at, held) };
  }
  return { to: 'new', after: meldBefore(scene, at, whole) };
}

/** The table, and the felt that is seen between it and the rack, beside the actions. */
function onFelt({ table, rackBox, actions }: Layout, point: Point): boolean {
  const below = within(point.x, table.x, table.width) && within(point.y, table.y, rackBox.y - table.y);
  return inside(table, point) || (below && !inside(actions, point));
}

/** The place of the meld whose reach a point is in; the nearest, where there are two. */
function nearestMeld({ layout }: Scene, at: Point): number {
  const sides = Math.max(layout.meldGap.x / 2, Math.min(layout.tile * 0.45, layout.meldGap.x));
  const above = Math.max(layout.meldGap.y / 2, Math.min(layout.tile * 0.2, layout.meldGap.y));
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  layout.melds.forEach((box, place) => {
    const x = Math.max(box.x - at.x, 0, at.x - box.x - box.width);
    const y = Math.max(box.y - at.y, 0, at.y - box.y - box.height);
    const away = Math.hypot(x, y);
    if (x <= sides && y <= above && away < least) {
      best = place;
      least = away;
    }
  });
  return best;
}

/** How many of the meld's tiles that stay lie before a point. */
function meldIndex(layout: Layout, box: MeldPlace, meld: DraftMeld, at: Point, held: readonly Tile[]): number {
  const first = box.x + layout.pad + layout.tile / 2;
  return meld.tiles.filter((tile, index) => !held.includes(tile) && first + index * box.step < at.x).length;
}

/** How many of the rack's tiles that stay come before a point, in the row that is nearest to it. */
function rackIndex({ layout, rack }: Scene, at: Point, held: readonly Tile[]): number {
  const away = (y: number): number => Math.abs(y + layout.rackTileHeight / 2 - at.y);
  const row = layout.rack.reduce(
    (best, place) => (away(place.y) < away(best) ? place.y : best),
    layout.rack[0]?.y ?? 0,
  );
  return rack.filter((tile, index) => {
    const place = layout.rack[index];
    const before = place !== undefined && (place.y < row || (place.y === row && place.x + layout.rackTile / 2 < at.x));
    return before && !held.includes(tile);
  }).length;
}

/** The last meld that lies before a point, in reading order; null where there is none. */
function meldBefore({ layout, melds }: Scene, at: Point, whole: number | null): number | null {
  const before = melds.filter((meld, place) => {
    const box = layout.melds[place];
    if (box === undefined || meld.id === whole) {
      return false;
    }
    const below = at.y > box.y + box.height + layout.meldGap.y / 2;
    const beside = at.y >= box.y - layout.meldGap.y / 2 && box.x + box.width / 2 < at.x;
    return below || beside;
  });
  return before.at(-1)?.id ?? null;
}

/** Every tile's box, by tile: on the table and on the rack. */
export function rectsOf(scene: Scene): Map<Tile, Rect> {
  const { layout } = scene;
  const rects = new Map<Tile, Rect>();
  scene.melds.forEach((meld, place) => {
    const box = layout.melds[place];
    meld.tiles.forEach((tile, index) => {
      if (box !== undefined) {
        const rect = tileRect(layout, box, index);
        rects.set(tile, { ...rect, y: rect.y - (scene.scroll ?? 0) });
      }
    });
  });
  scene.rack.forEach((tile, index) => {
    const place = layout.rack[index];
    if (place !== undefined) {
      rects.set(tile, place);
    }
  });
  return rects;
}

function scrolled(scene: Scene, point: Point): Point {
  return { x: point.x, y: point.y + (scene.scroll ?? 0) };
}

function inside(rect: Rect, point: Point): boolean {
  return within(point.x, rect.x, rect.width) && within(point.y, rect.y, rect.height);
}

function within(value: number, from: number, length: number): boolean {
  return value >= from && value <= from + length;
}
