/** Where everything lies: the largest tiles at which the whole table and the whole rack are seen at once.
 *
 * One number, the width of a tile on the table, decides every other size, each of which grows with it. So whatever
 * fits at one size fits at every smaller one, and the largest is found by halving. What gives way, in this order: the
 * size of the tiles and the gaps between melds, faster than the rack's; the rack's tiles, down to the same size; the
 * free place for a new meld; the rack's tiles overlap; the table scrolls.
 */

import type { Point, Rect } from './types';

/** No tile is narrower than this. */
export const LEAST_TILE = 24;
/** The height of a tile by its width. */
export const TILE_RATIO = 1.32;
const LONGEST_RUN = 13;
/** Rack tiles that overlap show at least this much of each. */
const LEAST_STEP = 12;
/** The rack grows in steps, so that it does not change a little with every play. */
const RACK_STEP = 4;
const SPARE_TILES = 3;
/** Below this a page is a phone's. */
const SHORT = 500;
/** The room that a note below a meld needs. */
const NOTE = 20;

/** What is measured: the page without its safe areas, the header, and the actions as they are drawn. */
export interface Space {
  readonly width: number;
  readonly height: number;
  readonly header: number;
  readonly actions: { readonly width: number; readonly height: number };
  /** On which side the actions are; left for the left-handed. */
  readonly hand?: 'right' | 'left';
  /** Whoever only watches has no rack. */
  readonly rackless?: boolean;
}

export interface FitOptions {
  /** How much larger than usual tiles may be: the player's choice, and more for the junior game. */
  readonly scale?: number;
  /** The widest tile, so that a table does not grow in the middle of a turn. */
  readonly most?: number;
  /** The widest tile on the rack, likewise. */
  readonly rackMost?: number;
  /** Whether a place for a new meld is kept free. */
  readonly spare?: boolean;
}

/** A meld's box; its tiles begin `pad` inside it and are `step` apart. */
export interface MeldPlace extends Rect {
  readonly row: number;
  readonly step: number;
}

export interface Layout {
  readonly tile: number;
  readonly tileHeight: number;
  readonly rackTile: number;
  readonly rackTileHeight: number;
  /** Between two tiles of a meld. */
  readonly gap: number;
  /** Around the tiles of a meld. */
  readonly pad: number;
  /** Between melds, across and down. */
  readonly meldGap: Point;
  /** The felt, all of it. */
  readonly table: Rect;
  /** The wood, all of it. */
  readonly rackBox: Rect;
  readonly actions: Rect;
  /** One for each meld, in their order. */
  readonly melds: readonly MeldPlace[];
  readonly rows: number;
  /** One for each place of the rack. */
  readonly rack: readonly Rect[];
  readonly rackRows: number;
  /** From one rack tile to the next; less than a tile's width where they overlap. */
  readonly rackStep: number;
  /** A free place for a new meld, where there is one. */
  readonly spare: Rect | null;
  /** The height of all that lies on the felt; more than the felt's only where `fits` is false. */
  readonly content: number;
  /** False where even the smallest tiles do not fit: then the table scrolls. */
  readonly fits: boolean;
}

/** Whether the actions are beside the rack, or below it: that is for narrow, upright pages. */
export function actionsPlace(width: number, height: number): 'beside' | 'below' {
  return width < 700 && height > width ? 'below' : 'beside';
}

/** The widest tile on a page of this size. */
export function widestTile(width: number, height: number, scale = 1): number {
  return Math.max(LEAST_TILE, Math.round(clamp(0.06 * Math.sqrt(width * height), 46, 92) * scale));
}

/** Lay everything out: melds by their lengths, and a rack of so many tiles. */
export function fit(melds: readonly number[], rack: number, space: Space, options: FitOptions = {}): Layout {
  const usual = widestTile(space.width, space.height, options.scale);
  const most = Math.max(LEAST_TILE, Math.min(usual, Math.floor(options.most ?? usual)));
  const rackMost = Math.max(LEAST_TILE, Math.min(widestRackTile(rack, usual, space), options.rackMost ?? usual));
  const laid = (plan: Omit<Plan, 'rackTile'> & { readonly rackTile?: number }): Layout =>
    layAt(melds, rack, space, { rackTile: Math.min(rackMost, 2 * plan.tile - LEAST_TILE), ...plan });
  const spare = options.spare ?? true;
  if (!laid({ tile: LEAST_TILE, spare }).fits) {
    return squeezed(laid);
  }
  const tile = largest(LEAST_TILE, most, (tried) => laid({ tile: tried, spare }).fits);
  const least = Math.min(rackMost, 2 * tile - LEAST_TILE);
  const steps = largest(
    0,
    Math.ceil((rackMost - least) / RACK_STEP),
    (tried) => laid({ tile, spare, rackTile: Math.min(rackMost, least + tried * RACK_STEP) }).fits,
  );
  return laid({ tile, spare, rackTile: Math.min(rackMost, least + steps * RACK_STEP) });
}

/** The smallest tiles do not fit: the rack's overlap, in as many rows as there can be, or the table scrolls. */
function squeezed(laid: (plan: Omit<Plan, 'rackTile'>) => Layout): Layout {
  const usual = laid({ tile: LEAST_TILE, spare: false });
  for (let rackRows = usual.rackRows; rackRows >= 1; rackRows -= 1) {
    const tried = laid({ tile: LEAST_TILE, spare: false, rackRows });
    if (tried.fits && tried.rackStep >= LEAST_STEP) {
      return tried;
    }
  }
  return usual;
}

/** The largest whole number for which something holds that holds for the least one, and for all up to some point. */
function largest(least: number, most: number, holds: (tried: number) => boolean): number {
  let [low, high] = [least, Math.max(least, most)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/** The widest rack tile at which the rack has few rows: one, as long as its tiles are not too small for that. */
function widestRackTile(count: number, most: number, space: Space): number {
  const inner = woodWidth(space) - 2 * rackPad(space).x;
  const enough = space.height < SHORT ? [0.56, 0.56] : [0.7, 0.6];
  for (let rows = 1; rows <= count; rows += 1) {
    const inRow = Math.ceil(count / rows);
    const tile = largest(LEAST_TILE, most, (tried) => perRack(inner, tried) >= inRow);
    if (perRack(inner, tile) >= inRow && tile >= most * (enough[rows - 1] ?? 0)) {
      return tile;
    }
  }
  return most;
}

interface Plan {
  readonly tile: number;
  readonly rackTile: number;
  readonly spare: boolean;
  /** How many rows the rack has; as many as it needs where this is not said. */
  readonly rackRows?: number;
}

/** The sizes that follow from the width of a tile. */
interface Sizes {
  readonly tile: number;
  readonly height: number;
  readonly gap: number;
  readonly pad: number;
  /** Between melds: the least, and the most where there is room. */
  readonly tight: Point;
  readonly loose: Point;
}

function sizesAt(tile: number): Sizes {
  const ease = clamp((tile - LEAST_TILE) / LEAST_TILE, 0, 1);
  return {
    tile,
    height: Math.round(tile * TILE_RATIO),
    gap: tile < 32 ? 1 : 2,
    pad: Math.max(2, Math.round(tile * 0.09)),
    tight: { x: Math.round(tile * (0.14 + 0.28 * ease)), y: Math.round(tile * (0.14 + 0.22 * ease)) },
    loose: { x: Math.round(tile * 0.42), y: Math.max(NOTE, Math.round(tile * 0.36)) },
  };
}

function isSmall(space: Space): boolean {
  return Math.min(space.width, space.height) < SHORT;
}

function marginOf(space: Space): number {
  return isSmall(space) ? 8 : 14;
}

function rackPad(space: Space): { readonly x: number; readonly top: number; readonly bottom: number } {
  return isSmall(space) ? { x: 8, top: 7, bottom: 10 } : { x: 14, top: 10, bottom: 16 };
}

function woodWidth(space: Space): number {
  const margin = marginOf(space);
  const beside = actionsPlace(space.width, space.height) === 'beside';
  return space.width - 2 * margin - (beside ? space.actions.width + margin : 0);
}

function rackGap(tile: number): number {
  return Math.max(2, Math.round(tile * 0.1));
}

/** How many rack tiles of this width are in a row. */
function perRack(inner: number, tile: number): number {
  return Math.max(1, Math.floor((inner + rackGap(tile)) / (tile + rackGap(tile))));
}

function layAt(melds: readonly number[], rack: number, space: Space, plan: Plan): Layout {
  const sizes = sizesAt(plan.tile);
  const below = actionsPlace(space.width, space.height) === 'below';
  const left = space.hand === 'left';
  const margin = marginOf(space);
  const wood = space.rackless ? NO_WOOD : rackIn(rack, space, plan);
  const both = wood.height + (space.rackless ? 0 : margin) + space.actions.height;
  const footer = below ? both : Math.max(wood.height, space.actions.height);
  const footerTop = space.height - margin - footer;
  const rackBox: Rect = {
    x: !below && left ? margin + space.actions.width + margin : margin,
    y: below ? footerTop : footerTop + footer - wood.height,
    width: woodWidth(space),
    height: wood.height,
  };
  const actions: Rect = {
    x: below || left ? margin : space.width - margin - space.actions.width,
    y: space.height - margin - space.actions.height,
    width: below ? rackBox.width : space.actions.width,
    height: space.actions.height,
  };
  const table: Rect = {
    x: 0,
    y: space.header,
    width: space.width,
    height: Math.max(0, footerTop - Math.round(margin / 2) - space.header),
  };
  const lengths = plan.spare ? [...melds, SPARE_TILES] : melds;
  const packed = pack(lengths, table, sizes, isSmall(space) ? { x: 8, y: 6 } : { x: 18, y: 14 });
  return {
    tile: sizes.tile,
    tileHeight: sizes.height,
    rackTile: plan.rackTile,
    rackTileHeight: Math.round(plan.rackTile * TILE_RATIO),
    gap: sizes.gap,
    pad: sizes.pad,
    meldGap: packed.gaps,
    table,
    rackBox,
    actions,
    melds: packed.places.slice(0, melds.length),
    rows: packed.rows,
    rack: wood.places.map((place) => ({ ...place, x: place.x + rackBox.x, y: place.y + rackBox.y })),
    rackRows: wood.rows,
    rackStep: wood.step,
    spare: packed.places[melds.length] ?? null,
    content: packed.height,
    fits: packed.height <= table.height && packed.narrow,
  };
}

interface Packed {
  readonly places: readonly MeldPlace[];
  readonly rows: number;
  readonly gaps: Point;
  readonly height: number;
  /** Whether each run that can exist fits into a row without its tiles overlapping. */
  readonly narrow: boolean;
}

/** Melds from left to right in wrapping rows, in their order, so that a meld that changes moves few others. */
function pack(lengths: readonly number[], table: Rect, sizes: Sizes, felt: Point): Packed {
  const width = table.width - 2 * felt.x;
  const natural = lengths.map((length) => naturalWidth(length, sizes));
  const boxes = natural.map((one) => Math.min(one, width));
  const rows = rowsOf(boxes, width, sizes.tight.x);
  const across = largest(sizes.tight.x, sizes.loose.x, (gap) => rowsOf(boxes, width, gap) === rows);
  const height = sizes.height + 2 * sizes.pad;
  const room = table.height - 2 * felt.y - rows * height;
  const down = rows < 2 ? sizes.loose.y : clamp(Math.floor(room / (rows - 1)), sizes.tight.y, sizes.loose.y);
  const places: MeldPlace[] = [];
  let x = 0;
  let row = 0;
  for (const [place, box] of boxes.entries()) {
    if (x > 0 && x + box > width) {
      x = 0;
      row += 1;
    }
    const inner = box - 2 * sizes.pad - sizes.tile;
    const length = lengths[place] ?? 1;
    places.push({
      x: table.x + felt.x + x,
      y: table.y + felt.y + row * (height + down),
      width: box,
      height,
      row,
      step: length > 1 ? Math.min(sizes.tile + sizes.gap, inner / (length - 1)) : sizes.tile + sizes.gap,
    });
    x += box + across;
  }
  return {
    places,
    rows,
    gaps: { x: across, y: down },
    height: rows * height + Math.max(0, rows - 1) * down + 2 * felt.y,
    narrow: natural.every((one, place) => one <= width || (lengths[place] ?? 0) > LONGEST_RUN),
  };
}

function rowsOf(boxes: readonly number[], width: number, gap: number): number {
  let rows = boxes.length === 0 ? 0 : 1;
  let x = 0;
  for (const box of boxes) {
    if (x > 0 && x + box > width) {
      x = 0;
      rows += 1;
    }
    x += box + gap;
  }
  return rows;
}

function naturalWidth(length: number, sizes: Sizes): number {
  const tiles = Math.max(1, length);
  return tiles * sizes.tile + (tiles - 1) * sizes.gap + 2 * sizes.pad;
}

interface Wood {
  readonly places: readonly Rect[];
  readonly rows: number;
  readonly step: number;
  readonly height: number;
}

const NO_WOOD: Wood = { places: [], rows: 0, step: 0, height: 0 };

function rackIn(count: number, space: Space, plan: Plan): Wood {
  const pad = rackPad(space);
  const inner = woodWidth(space) - 2 * pad.x;
  const [width, gap] = [plan.rackTile, rackGap(plan.rackTile)];
  const height = Math.round(width * TILE_RATIO);
  const perRow = perRack(inner, width);
  const needed = Math.max(1, Math.ceil(count / perRow));
  const rows = Math.min(needed, plan.rackRows ?? needed);
  const inRow = rows === needed ? perRow : Math.ceil(count / rows);
  const step = rows === needed ? width + gap : (inner - width) / (inRow - 1);
  const places = Array.from({ length: count }, (_, index) => ({
    x: pad.x + (index % inRow) * step,
    y: pad.top + Math.floor(index / inRow) * (height + gap),
    width,
    height,
  }));
  return { places, rows, step, height: rows * height + (rows - 1) * gap + pad.top + pad.bottom };
}

/** The box of a tile of a meld. */
export function tileRect(layout: Layout, meld: MeldPlace, index: number): Rect {
  return {
    x: meld.x + layout.pad + index * meld.step,
    y: meld.y + layout.pad,
    width: layout.tile,
    height: layout.tileHeight,
  };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
