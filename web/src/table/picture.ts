/** What is drawn while something is in the hand: the place where it would go opens up, and little else moves. */

import type { Tile } from '../game/tiles';
import { rectsOf, type Scene } from './drag';
import type { DropTarget, Rect } from './types';

export interface Picture {
  /** Every tile that is not in the hand. */
  readonly rects: ReadonlyMap<Tile, Rect>;
  /** One for each meld, in their order. */
  readonly boxes: readonly Rect[];
  /** Where what is in the hand was: places that stay free for it. */
  readonly holes: readonly Rect[];
  /** Where it would go. */
  readonly place: Rect | null;
  /** Whether the place is a line between two melds, for want of room. */
  readonly line: boolean;
}

/** So many tiles' room opens up at most. */
const MOST_ROOM = 2;
/** Melds that were pushed keep at least this much between them. */
const LEAST_GAP = 3;
const LINE = 4;

export function pictureOf(scene: Scene, hand: readonly Tile[], target: DropTarget | null): Picture {
  const rects = rectsOf(scene);
  const scroll = scene.scroll ?? 0;
  const boxes = scene.layout.melds.map((box) => (scroll === 0 ? box : { ...box, y: box.y - scroll }));
  const holes = hand.flatMap((tile) => rects.get(tile) ?? []);
  hand.forEach((tile) => rects.delete(tile));
  const still: Picture = { rects, boxes, holes, place: null, line: false };
  if (hand.length === 0 || target === null) return still;
  switch (target.to) {
    case 'meld':
      return openMeld(scene, hand, target, still);
    case 'rack':
      return openRack(scene, hand, target.index, still);
    default:
      return { ...still, ...newPlace(scene, hand, target.after) };
  }
}

/** What is cut off of a rectangle by a window, as a clip path; null where all of it is inside. A tile's shadow, its ring
 * and its glow reach beyond it. */
export function cutBy(window: Rect, rect: Rect): string | null {
  const above = window.y - rect.y;
  const below = rect.y + rect.height - window.y - window.height;
  if (above <= 0 && below <= 0) return null;
  if (Math.max(above, below) >= rect.height) return 'inset(100%)';
  const kept = -rect.width / 2;
  const cut = (by: number): number => (by > 0 ? by : kept);
  return `inset(${cut(above)}px ${kept}px ${cut(below)}px)`;
}

function openMeld(
  scene: Scene,
  hand: readonly Tile[],
  target: Extract<DropTarget, { to: 'meld' }>,
  still: Picture,
): Picture {
  const { layout } = scene;
  const at = scene.melds.findIndex((meld) => meld.id === target.meld);
  const [meld, place, box] = [scene.melds[at], layout.melds[at], still.boxes[at]];
  if (meld === undefined || place === undefined || box === undefined) return still;
  const staying = meld.tiles.filter((tile) => !hand.includes(tile));
  if (staying.length === 0) return { ...still, holes: [], place: inner(box, layout.pad) };
  const room = Math.min(hand.length, MOST_ROOM) * place.step;
  const width = staying.length * place.step + room - layout.gap + 2 * layout.pad;
  const grown = spread(still.boxes, at, Math.max(box.width, width), scene);
  const opened = grown[at] ?? box;
  const left = opened.x + (opened.width - Math.max(width, 0)) / 2 + layout.pad;
  const rects = new Map(still.rects);
  for (const [index, one] of scene.melds.entries()) {
    const shift = (grown[index]?.x ?? 0) - (still.boxes[index]?.x ?? 0);
    if (index !== at && shift !== 0) for (const tile of one.tiles) moveBy(rects, tile, shift);
  }
  for (const [index, tile] of staying.entries()) {
    const rect = rects.get(tile);
    const x = left + index * place.step + (index < target.index ? 0 : room);
    if (rect) rects.set(tile, { ...rect, x });
  }
  const opening: Rect = {
    x: left + target.index * place.step,
    y: opened.y + layout.pad,
    width: room - layout.gap,
    height: layout.tileHeight,
  };
  const own = still.holes.filter((hole) => hole.y !== opening.y || hole.x < box.x || hole.x > box.x + box.width);
  return { rects, boxes: grown, holes: own, place: opening, line: false };
}

/** A meld made wider where it lies: to both sides as far as there is room, then by pushing those after it. */
function spread(boxes: readonly Rect[], at: number, width: number, { layout }: Scene): Rect[] {
  const box = boxes[at];
  if (!box) return [...boxes];
  const growth = width - box.width;
  if (growth <= 0) return [...boxes];
  const inRow = (one: Rect | undefined): one is Rect => one?.y === box.y;
  const [before, after] = [boxes[at - 1], boxes[at + 1]];
  const start = inRow(before) ? before.x + before.width + LEAST_GAP : layout.table.x + LEAST_GAP;
  const end = layout.table.x + layout.table.width - LEAST_GAP;
  const leftRoom = Math.max(0, box.x - start);
  const rightRoom = Math.max(0, (inRow(after) ? after.x - LEAST_GAP : end) - box.x - box.width);
  const left = Math.min(leftRoom, Math.max(growth / 2, growth - rightRoom));
  const right = growth - left;
  const last = boxes.findLast((one, place) => place > at && inRow(one));
  const push = last ? Math.min(Math.max(0, right - rightRoom), Math.max(0, end - last.x - last.width)) : 0;
  return boxes.map((one, place) => {
    if (place === at) return { ...one, x: one.x - left, width };
    return push > 0 && place > at && inRow(one) ? { ...one, x: one.x + push } : one;
  });
}

/** The tiles after the place make room for what is in the hand, as far as the wood has places for it. */
function openRack({ layout, rack }: Scene, hand: readonly Tile[], index: number, still: Picture): Picture {
  const staying = rack.filter((tile) => !hand.includes(tile));
  const fits = staying.length + hand.length <= layout.rack.length;
  const room = fits ? hand.length : rack.length - staying.length;
  const rects = new Map(still.rects);
  for (const [at, tile] of staying.entries()) {
    const place = layout.rack[at < index ? at : at + room];
    if (place) rects.set(tile, place);
  }
  const holes = still.holes.filter((hole) => !layout.rack.some((place) => place.x === hole.x && place.y === hole.y));
  const [before, here] = [layout.rack[index - 1], layout.rack[index]];
  if (fits) return { ...still, rects, holes, place: here ?? null };
  // It lay on the table before, and every place is taken: a line tells where it would be.
  const { y } = here ?? before ?? layout.rackBox;
  const x = (here?.x ?? (before?.x ?? layout.rackBox.x) + layout.rackStep) - LINE;
  return { ...still, rects, holes, place: { x, y, width: LINE, height: layout.rackTileHeight }, line: true };
}

function newPlace(scene: Scene, hand: readonly Tile[], after?: number | null): Pick<Picture, 'place' | 'line'> {
  const { layout, melds } = scene;
  const scroll = scene.scroll ?? 0;
  const at =
    after === null ? -1 : after === undefined ? melds.length - 1 : melds.findIndex((meld) => meld.id === after);
  if (at === melds.length - 1 && layout.spare) {
    const width = Math.min(layout.spare.width, hand.length * (layout.tile + layout.gap) - layout.gap + 2 * layout.pad);
    const spare = { ...layout.spare, y: layout.spare.y - scroll, width: Math.max(width, layout.tile + 2 * layout.pad) };
    return { place: inner(spare, layout.pad), line: false };
  }
  const beside = layout.melds[Math.max(0, at)];
  if (!beside) return { place: null, line: false };
  const x = at < 0 ? beside.x - (layout.meldGap.x + LINE) / 2 : beside.x + beside.width + (layout.meldGap.x - LINE) / 2;
  return { place: { x: Math.max(1, x), y: beside.y - scroll, width: LINE, height: beside.height }, line: true };
}

function moveBy(rects: Map<Tile, Rect>, tile: Tile, shift: number): void {
  const rect = rects.get(tile);
  if (rect) rects.set(tile, { ...rect, x: rect.x + shift });
}

function inner(box: Rect, pad: number): Rect {
  return { x: box.x + pad, y: box.y + pad, width: box.width - 2 * pad, height: box.height - 2 * pad };
}
