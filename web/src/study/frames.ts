/** A play as pictures: the table and the rack before it, and after each of its steps. */

import { compareTiles, kindOf, numberOf, plain, readMeld, sameFace, type Piece, type Tile } from '../game/tiles';
import type { HintStep } from '../protocol';

export interface FrameMeld {
  /** The same from picture to picture; a joker that was freed lies alone until it is laid again. */
  readonly id: number;
  readonly pieces: readonly Piece[];
  readonly freed: boolean;
}

export interface Frame {
  readonly melds: readonly FrameMeld[];
  readonly rack: readonly Tile[];
  /** Tiles that came from the rack so far. */
  readonly laid: ReadonlySet<Tile>;
  /** Tiles that the step before this picture moved. */
  readonly moved: ReadonlySet<Tile>;
}

const MOST_JOKERS = 4;

interface Lying {
  melds: Map<number, Piece[]>;
  /** Jokers whose place a tile has taken, by the meld that they were in. */
  freed: { meld: number; piece: Piece }[];
  rack: Tile[];
  laid: Set<Tile>;
}

/** The pictures of a play; one more than there are steps. */
export function frames(
  before: readonly (readonly Piece[])[],
  rack: readonly Tile[],
  steps: readonly HintStep[],
): Frame[] {
  const lying: Lying = {
    melds: new Map(before.map((meld, id) => [id, [...meld]])),
    freed: [],
    rack: [...rack],
    laid: new Set(),
  };
  const found = [picture(lying, new Set())];
  for (const step of steps) found.push(picture(lying, done(lying, step)));
  return found;
}

function picture(lying: Lying, moved: ReadonlySet<Tile>): Frame {
  const melds = [...lying.melds].flatMap(([id, pieces]): FrameMeld[] => {
    const freed = lying.freed.filter((one) => one.meld === id);
    const alone = freed.map(({ piece }, at) => ({
      id: -1 - id * MOST_JOKERS - at,
      pieces: [{ tile: piece.tile, as: null }],
      freed: true,
    }));
    return pieces.length > 0 ? [{ id, pieces: [...pieces], freed: false }, ...alone] : alone;
  });
  return { melds, rack: [...lying.rack], laid: new Set(lying.laid), moved };
}

/** Do a step, and say which tiles it moved. */
function done(lying: Lying, step: HintStep): Set<Tile> {
  const pieces = readMeld(step.pieces);
  const were = readMeld(step.were);
  const tiles = were.map((piece) => taken(lying, step.source, piece));
  const moved = new Set(tiles);
  if (step.target === null) {
    lying.rack.push(...tiles);
    lying.rack.sort(compareTiles);
    return moved;
  }
  const meld = lying.melds.get(step.target) ?? [];
  if (step.verb === 'swap') {
    const freed = freeJoker(meld, tiles[0] ?? '');
    if (freed) {
      lying.freed.push({ meld: step.target, piece: freed });
      moved.add(freed.tile);
    }
  }
  meld.push(...tiles.map((tile, at) => ({ tile, as: pieces[at]?.as ?? null })));
  lying.melds.set(step.target, meld.toSorted(byPlace));
  return moved;
}

/** Take one such tile from where it lies; the steps do not tell equal ones apart. */
function taken(lying: Lying, source: number | null, was: Piece): Tile {
  const alike = (piece: Piece): boolean => plain(piece.tile) === plain(was.tile) && sameFace(piece.as, was.as);
  if (source === null) {
    const at = lying.rack.findIndex((tile) => plain(tile) === plain(was.tile));
    const [tile = was.tile] = at < 0 ? [] : lying.rack.splice(at, 1);
    lying.laid.add(tile);
    return tile;
  }
  const free = lying.freed.findIndex((one) => one.meld === source && alike(one.piece));
  if (free >= 0) return lying.freed.splice(free, 1)[0]?.piece.tile ?? was.tile;
  const meld = lying.melds.get(source) ?? [];
  const at = meld.findIndex(alike);
  return (at < 0 ? undefined : meld.splice(at, 1)[0]?.tile) ?? was.tile;
}

/** Take out the joker whose place this tile takes. */
function freeJoker(meld: Piece[], tile: Tile): Piece | null {
  const [colour, number] = [tile[0] ?? '', numberOf(tile)];
  const fits = (piece: Piece): boolean =>
    piece.as !== null && piece.as.number === number && (piece.as.colour === null || piece.as.colour === colour);
  const at = meld.findIndex(fits);
  return at < 0 ? null : (meld.splice(at, 1)[0] ?? null);
}

function byPlace(a: Piece, b: Piece): number {
  const number = (piece: Piece): number => piece.as?.number ?? numberOf(piece.tile) ?? 0;
  return number(a) - number(b) || kindOf(a.tile) - kindOf(b.tile);
}
