/** Where the tiles of a play's pictures lie: melds in wrapping rows, the rack below them, one size for all pictures. */

import type { Tile } from '../game/tiles';
import type { Frame } from './frames';

export interface Spot {
  readonly x: number;
  readonly y: number;
}

export interface Plate extends Spot {
  readonly id: number;
  readonly width: number;
  readonly freed: boolean;
}

/** A picture with the place of everything in it. */
export interface Scene {
  readonly tiles: ReadonlyMap<Tile, Spot>;
  readonly plates: readonly Plate[];
}

export interface Stage {
  /** The width of a tile. */
  readonly tile: number;
  readonly height: number;
  /** Where the wood of the rack begins. */
  readonly rackTop: number;
  readonly plateHeight: number;
  readonly scenes: readonly Scene[];
}

export const LEAST_TILE = 26;
/** The height of a tile by its width. */
const RATIO = 1.34;
const MARGIN = 12;

interface Sizes {
  readonly tile: number;
  readonly height: number;
  readonly gap: number;
  readonly pad: number;
  readonly across: number;
  readonly down: number;
}

function sizesAt(tile: number): Sizes {
  return {
    tile,
    height: Math.ceil(tile * RATIO),
    gap: tile < 34 ? 1 : 2,
    pad: Math.max(3, Math.round(tile * 0.1)),
    across: Math.round(tile * 0.3),
    down: Math.round(tile * 0.26),
  };
}

/** All pictures at the largest tile, up to `most`, at which they are no higher than `high`. */
export function stageOf(pictures: readonly Frame[], width: number, most: number, high: number): Stage {
  let tile = most;
  while (tile > LEAST_TILE && heightAt(pictures, width, tile) > high) tile -= 2;
  return laidOut(pictures, width, Math.max(LEAST_TILE, tile));
}

function heightAt(pictures: readonly Frame[], width: number, tile: number): number {
  return laidOut(pictures, width, tile).height;
}

function laidOut(pictures: readonly Frame[], width: number, tile: number): Stage {
  const sizes = sizesAt(tile);
  const tables = pictures.map((frame) => tableOf(frame, width, sizes));
  const rackTop = Math.max(sizes.height + 2 * sizes.pad, ...tables.map((table) => table.height)) + 2 * MARGIN;
  const racks = pictures.map((frame) => rackOf(frame, width, rackTop + MARGIN, sizes));
  return {
    tile,
    rackTop,
    height: Math.max(...racks.map((rack) => rack.bottom)) + MARGIN + 2,
    plateHeight: sizes.height + 2 * sizes.pad,
    scenes: tables.map(({ tiles, plates }, at) => ({
      tiles: new Map([...tiles, ...(racks[at]?.tiles ?? [])]),
      plates,
    })),
  };
}

interface Lain {
  readonly tiles: readonly [Tile, Spot][];
  readonly plates: readonly Plate[];
  readonly height: number;
}

function tableOf(frame: Frame, width: number, sizes: Sizes): Lain {
  const tiles: [Tile, Spot][] = [];
  const plates: Plate[] = [];
  const inner = width - 2 * MARGIN;
  const [row, step] = [sizes.height + 2 * sizes.pad, sizes.tile + sizes.gap];
  let [x, y] = [0, 0];
  for (const meld of frame.melds) {
    const needed = meld.pieces.length * step - sizes.gap + 2 * sizes.pad;
    // A run that is wider than a phone closes up rather than leave the felt.
    const shown = Math.min(needed, inner);
    const along = meld.pieces.length > 1 ? (shown - 2 * sizes.pad - sizes.tile) / (meld.pieces.length - 1) : step;
    if (x > 0 && x + shown > inner) {
      x = 0;
      y += row + sizes.down;
    }
    plates.push({ id: meld.id, x: MARGIN + x, y: MARGIN + y, width: shown, freed: meld.freed });
    for (const [at, piece] of meld.pieces.entries()) {
      tiles.push([piece.tile, { x: MARGIN + x + sizes.pad + at * along, y: MARGIN + y + sizes.pad }]);
    }
    x += shown + sizes.across;
  }
  return { tiles, plates, height: frame.melds.length > 0 ? y + row : 0 };
}

function rackOf(frame: Frame, width: number, top: number, sizes: Sizes): { tiles: [Tile, Spot][]; bottom: number } {
  const step = sizes.tile + sizes.gap + 2;
  const inRow = Math.max(1, Math.floor((width - 2 * MARGIN + 2) / step));
  const rows = Math.max(1, Math.ceil(frame.rack.length / inRow));
  const down = sizes.height + sizes.gap + 3;
  const tiles = frame.rack.map((tile, at): [Tile, Spot] => [
    tile,
    { x: MARGIN + (at % inRow) * step, y: top + Math.floor(at / inRow) * down },
  ]);
  return { tiles, bottom: top + rows * down };
}
