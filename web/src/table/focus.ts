/** Where the arrow keys lead: from tile to tile, and with tiles in the hand from one place for them to the next. */

import type { Tile } from '../game/tiles';
import { sameTarget } from './board';
import { rectsOf, type Scene } from './drag';
import type { DropTarget, Rect, TableState } from './types';

export type Way = 'left' | 'right' | 'up' | 'down' | 'first' | 'last';

/** The tile that has the focus: of a meld's handle the first of its tiles. */
export function focused(state: TableState): Tile | null {
  const { focus } = state;
  if (focus?.on === 'meld') {
    return state.melds.find((meld) => meld.id === focus.meld)?.tiles[0] ?? null;
  }
  return focus?.on === 'tile' ? focus.tile : null;
}

/** The tile that the focus goes to: along the reading order, or to the nearest one in the next row. */
export function nextTile(state: TableState, scene: Scene, way: Way): Tile | null {
  const table = scene.melds.flatMap((meld) => meld.tiles);
  const tiles = [...table, ...scene.rack];
  const now = focused(state);
  if (now === null || !tiles.includes(now)) {
    return scene.rack[0] ?? tiles[0] ?? null;
  }
  const rects = rectsOf(scene);
  return next(tiles, (tile) => rects.get(tile) ?? EMPTY, now, way, scene.rack.includes(now) ? scene.rack : table);
}

/** Where what is in the hand lies now. */
export function ownTarget(state: TableState): DropTarget {
  const tiles = state.dragging?.tiles ?? [];
  const held = state.dragging?.held ?? '';
  const whole = state.dragging?.meld ?? null;
  const place = state.melds.findIndex((meld) => meld.tiles.includes(held));
  const meld = state.melds[place];
  if (meld !== undefined && (whole !== null || meld.tiles.every((tile) => tiles.includes(tile)))) {
    return { to: 'new', after: state.melds[place - 1]?.id ?? null };
  }
  const line = meld?.tiles ?? state.rack;
  const index = line.slice(0, line.indexOf(held)).filter((tile) => !tiles.includes(tile)).length;
  return meld === undefined ? { to: 'rack', index } : { to: 'meld', meld: meld.id, index };
}

/** Every place where what is in the hand can go, in reading order: in the melds, a new meld, the rack.
 *
 * A whole meld that is moved by its handle goes between melds.
 */
export function targets(state: TableState): DropTarget[] {
  const whole = state.dragging?.meld ?? null;
  const held = new Set(state.dragging?.tiles);
  const staying = (line: readonly Tile[]): number => line.filter((tile) => !held.has(tile)).length;
  const rack = counting(staying(state.rack) + 1).map((index): DropTarget => ({ to: 'rack', index }));
  if (state.may === 'arrange') {
    return rack;
  }
  if (whole !== null) {
    const others = state.melds.filter((meld) => meld.id !== whole).map((meld) => meld.id);
    return [null, ...others].map((after) => ({ to: 'new', after }));
  }
  const places = state.melds.flatMap((meld) => {
    const count = staying(meld.tiles);
    return count === 0 ? [] : counting(count + 1).map((index): DropTarget => ({ to: 'meld', meld: meld.id, index }));
  });
  return [...places, { to: 'new' }, ...rack];
}

/** The place that the arrow keys lead to from the present one. */
export function nextTarget(state: TableState, scene: Scene, way: Way): DropTarget | null {
  const all = targets(state);
  const now = all.find((one) => sameTarget(one, state.target)) ?? null;
  if (now === null) {
    const aim = all.find((one) => one.to === 'new');
    return aim ?? all[0] ?? null;
  }
  const part = all.filter((one) => (one.to === 'rack') === (now.to === 'rack'));
  return next(all, (one) => targetRect(state, scene, one), now, way, part) ?? now;
}

const EMPTY: Rect = { x: 0, y: 0, width: 0, height: 0 };

function next<Item>(
  items: readonly Item[],
  rectOf: (item: Item) => Rect,
  now: Item,
  way: Way,
  part: readonly Item[],
): Item | null {
  const at = items.indexOf(now);
  switch (way) {
    case 'left':
      return items[at - 1] ?? null;
    case 'right':
      return items[at + 1] ?? null;
    case 'first':
      return part[0] ?? null;
    case 'last':
      return part.at(-1) ?? null;
    default:
      return inNextRow(items, rectOf, now, way);
  }
}

function inNextRow<Item>(
  items: readonly Item[],
  rectOf: (item: Item) => Rect,
  now: Item,
  way: 'up' | 'down',
): Item | null {
  const here = rectOf(now);
  let best: Item | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const rect = rectOf(item);
    const down = way === 'up' ? here.y - rect.y - rect.height : rect.y - here.y - here.height;
    const across = Math.abs(rect.x + rect.width / 2 - here.x - here.width / 2);
    // A whole row counts for more than any distance along it.
    const away = Math.max(0, down) * 100 + across;
    if (down > -rect.height / 2 && away < least) {
      best = item;
      least = away;
    }
  }
  return best;
}

/** About where a place is, to find the one above or below it. */
function targetRect(state: TableState, { layout, melds }: Scene, target: DropTarget): Rect {
  const held = new Set(state.dragging?.tiles);
  if (target.to === 'rack') {
    const index = Math.min(target.index, layout.rack.length - 1);
    return layout.rack[index] ?? layout.rackBox;
  }
  if (target.to === 'meld') {
    const place = melds.findIndex((meld) => meld.id === target.meld);
    const box = layout.melds[place] ?? { ...EMPTY, step: 0 };
    const staying = (melds[place]?.tiles ?? []).flatMap((tile, at) => (held.has(tile) ? [] : [at]));
    const at = staying[target.index] ?? (staying.at(-1) ?? -1) + 1;
    return { x: box.x + layout.pad + at * box.step, y: box.y, width: 0, height: box.height };
  }
  const before = melds.findIndex((meld) => meld.id === target.after);
  const last = layout.melds[target.after === undefined ? layout.melds.length - 1 : before];
  return target.after === undefined && layout.spare !== null
    ? layout.spare
    : { ...(last ?? layout.melds[0] ?? EMPTY), width: 0, x: last === undefined ? 0 : last.x + last.width };
}

function counting(length: number): number[] {
  return Array.from({ length }, (_, at) => at);
}
