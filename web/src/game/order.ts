/** The order in which a rack is shown: sorted when asked, and kept through draws and plays. */

import { arrange } from './arrange';
import { meldPieces, type DraftMeld } from './draft';
import { judge, type MeldRules } from './melds';
import { bestMelds } from './points';
import { compareTiles, isJoker, kindOf, numberOf } from './tiles';
import type { Tile } from './tiles';

export type SortBy = 'colour' | 'number' | 'playable';

export interface RackOrder {
  /** How it was sorted last; `hand` once somebody has moved a tile in it. */
  readonly by: SortBy | 'hand';
  /** Every tile of the rack in its place, those included that lie on the table for now. */
  readonly tiles: readonly Tile[];
}

/** What else is asked for to sort by what is playable. */
export interface Playing {
  readonly melds: readonly DraftMeld[];
  readonly rules: MeldRules;
}

/** A rack as it was dealt, sorted. */
export function orderOf(tiles: readonly Tile[], by: 'colour' | 'number' = 'colour'): RackOrder {
  return { by, tiles: tiles.toSorted(comparing(by)) };
}

/** The rack's tiles in the order in which they are shown. */
export function shown(order: RackOrder, rack: readonly Tile[]): Tile[] {
  const there = new Set(rack);
  const known = new Set(order.tiles);
  return [...order.tiles.filter((tile) => there.has(tile)), ...rack.filter((tile) => !known.has(tile))];
}

/** The rack in another order; tiles that lie on the table for now keep a place in it too. */
export function sortRack(order: RackOrder, rack: readonly Tile[], by: SortBy, playing: Playing): RackOrder {
  const here = shown(order, rack);
  const away = order.tiles.filter((tile) => !here.includes(tile));
  if (by === 'playable') {
    return { by, tiles: [...byPlayable(here, playing), ...away] };
  }
  return { by, tiles: [...here, ...away].toSorted(comparing(by)) };
}

/** Put some of the rack's tiles, or tiles that come to it, at a place; `index` counts the shown tiles that stay. */
export function placeInRack(order: RackOrder, rack: readonly Tile[], tiles: readonly Tile[], index: number): RackOrder {
  const moved = new Set(tiles);
  const staying = shown(order, rack).filter((tile) => !moved.has(tile));
  const next = staying[Math.max(0, index)];
  const rest = [...order.tiles, ...rack.filter((tile) => !order.tiles.includes(tile))].filter(
    (tile) => !moved.has(tile),
  );
  const at = next === undefined ? afterLast(rest, staying) : rest.indexOf(next);
  return { by: 'hand', tiles: rest.toSpliced(at, 0, ...tiles) };
}

/** The order of a rack that is another one now: what is gone is forgotten, what is new is sorted in, or comes last. */
export function keepOrder(order: RackOrder, rack: readonly Tile[]): RackOrder {
  const there = new Set(rack);
  const kept = order.tiles.filter((tile) => there.has(tile));
  const known = new Set(kept);
  const fresh = rack.filter((tile) => !known.has(tile)).toSorted(compareTiles);
  if (fresh.length === 0 && kept.length === order.tiles.length) {
    return order;
  }
  const tiles = [...kept, ...fresh];
  const sorted = order.by === 'colour' || order.by === 'number' ? tiles.toSorted(comparing(order.by)) : tiles;
  return { by: order.by, tiles: sorted };
}

/** The rack tiles that can be laid now: in melds of the rack alone, or added to a meld that lies there. */
export function playable(rack: readonly Tile[], playing: Playing): Tile[] {
  const own = bestMelds(rack, playing.rules).flat();
  const used = new Set(own);
  return [...own, ...rack.filter((tile) => !used.has(tile) && fitsTable(tile, playing))];
}

function byPlayable(rack: readonly Tile[], playing: Playing): Tile[] {
  const ready = playable(rack.toSorted(comparing('colour')), playing);
  const first = new Set(ready);
  return [...ready, ...rack.filter((tile) => !first.has(tile)).toSorted(comparing('colour'))];
}

function fitsTable(tile: Tile, { melds, rules }: Playing): boolean {
  return melds.some((meld) => {
    const pieces = meldPieces(meld);
    const grown = arrange([...pieces, { tile, as: null }], rules);
    return judge(grown, rules).ok || (!isJoker(tile) && swaps(tile, meld, rules));
  });
}

/** Whether a tile can take the place of a joker in a meld. */
function swaps(tile: Tile, meld: DraftMeld, rules: MeldRules): boolean {
  const pieces = meldPieces(meld);
  return pieces.some(
    ({ as }, place) =>
      as !== null && as.number === numberOf(tile) && judge(pieces.with(place, { tile, as: null }), rules).ok,
  );
}

function comparing(by: 'colour' | 'number'): (a: Tile, b: Tile) => number {
  if (by === 'colour') {
    return compareTiles;
  }
  const number = (tile: Tile): number => numberOf(tile) ?? Number.MAX_SAFE_INTEGER;
  return (a, b) => number(a) - number(b) || kindOf(a) - kindOf(b) || compareTiles(a, b);
}

/** The place after the last of some tiles. */
function afterLast(tiles: readonly Tile[], some: readonly Tile[]): number {
  const last = some.at(-1);
  return last === undefined ? 0 : tiles.indexOf(last) + 1;
}
