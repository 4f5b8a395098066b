/** From one table to the next: which meld became which, which tiles moved, and the steps in between. */

import { meldOf, meldPieces, type Draft, type DraftMeld } from './draft';
import { isFaceDown, isJoker, readMeld, sameFace } from './tiles';
import type { Piece, Tile } from './tiles';

/** Where a tile comes from or goes to: a meld by its id, or a rack. */
export type Where = { readonly on: 'meld'; readonly meld: number } | { readonly on: 'rack' };

/** A tile that is elsewhere now. */
export interface TileMove {
  readonly tile: Tile;
  readonly from: Where;
  readonly to: Where;
}

/** Tiles that go together from one place to another, and the table after it. */
export interface ReplayStep {
  /** `lay` from the rack, `move` on the table, `take` to the rack, `turn` a joker that stands for something else. */
  readonly verb: 'lay' | 'move' | 'take' | 'turn';
  readonly tiles: readonly Tile[];
  readonly from: Where;
  readonly to: Where;
  readonly melds: readonly DraftMeld[];
}

/** For each of some new melds the earlier one that it became of: those that share most tiles first. */
export function partners(before: readonly (readonly Tile[])[], after: readonly (readonly Tile[])[]): (number | null)[] {
  const owner = new Map<Tile, number>();
  before.forEach((tiles, place) => tiles.forEach((tile) => owner.set(tile, place)));
  const shared = after.flatMap((tiles, to) => {
    const counts = new Map<number, number>();
    for (const tile of tiles) {
      const from = owner.get(tile);
      if (from !== undefined) {
        counts.set(from, (counts.get(from) ?? 0) + 1);
      }
    }
    return [...counts].map(([from, count]) => ({ to, from, count, size: tiles.length + (before[from]?.length ?? 0) }));
  });
  shared.sort((a, b) => b.count - a.count || a.size - b.size || a.from - b.from || a.to - b.to);
  const found: (number | null)[] = after.map(() => null);
  const used = new Set<number>();
  for (const { to, from } of shared) {
    if (found[to] === null && !used.has(from)) {
      found[to] = from;
      used.add(from);
    }
  }
  return found;
}

/** New melds with the ids and in the places of those that they became of. What was divided off a meld lies beside it;
 * what is all new comes at the end.
 *
 * The server puts changed melds last; on the page they stay where the eye expects them.
 */
export function carry(
  before: readonly DraftMeld[],
  after: readonly (readonly Piece[])[],
  next: number,
): { readonly melds: DraftMeld[]; readonly next: number } {
  const tiles = after.map((pieces) => pieces.map((piece) => piece.tile));
  const partner = partners(
    before.map((meld) => meld.tiles),
    tiles,
  );
  let fresh = next;
  const made = after.map((pieces, place) => {
    const from = partner[place] ?? null;
    const id = from === null ? undefined : before[from]?.id;
    const at = from ?? besides(before, tiles, partner, place) ?? before.length;
    return { at, meld: meldOf(id ?? fresh++, pieces) };
  });
  return { melds: made.toSorted((a, b) => a.at - b.at).map((one) => one.meld), next: fresh };
}

/** The place beside the meld that most tiles of a new one come from; null where none does. */
function besides(
  before: readonly DraftMeld[],
  after: readonly (readonly Tile[])[],
  partner: readonly (number | null)[],
  place: number,
): number | null {
  const mine = after[place] ?? [];
  const shared = before.map((meld) => meld.tiles.filter((tile) => mine.includes(tile)).length);
  const most = Math.max(0, ...shared);
  const source = shared.indexOf(most);
  const tiles = before[source]?.tiles;
  if (most === 0 || tiles === undefined) {
    return null;
  }
  const heir = after[partner.indexOf(source)] ?? [];
  const first = (some: readonly Tile[]): number => tiles.findIndex((tile) => some.includes(tile));
  return first(mine) < first(heir) ? source - 0.5 : source + 0.5;
}

/** The table and rack of a new version; its melds keep the ids and places that they had in an earlier draft. */
export function follow(before: Draft, table: readonly string[], rack: readonly Tile[]): Draft {
  return { ...carry(before.melds, table.map(readMeld), before.next), rack };
}

/** Somebody else's draft as it is seen: its tiles from the rack lie face down (`?`), each with a name of its own. */
export function followSeen(
  before: readonly DraftMeld[],
  table: readonly (readonly string[])[],
  next: number,
): { readonly melds: DraftMeld[]; readonly next: number } {
  const open = table.map((words) => words.filter((word) => word !== '?'));
  const partner = partners(
    before.map((meld) => meld.tiles),
    open.map((words) => readMeld(words.join(' ')).map((piece) => piece.tile)),
  );
  const hidden = new Set(before.flatMap((meld) => meld.tiles).filter(isFaceDown));
  let count = 0;
  const newName = (): Tile => {
    while (hidden.has(`?${count}`)) {
      count += 1;
    }
    hidden.add(`?${count}`);
    return `?${count}`;
  };
  const named = table.map((words, place): Piece[] => {
    const own = before[partner[place] ?? -1]?.tiles.filter(isFaceDown) ?? [];
    const pieces = readMeld((open[place] ?? []).join(' '));
    return words.flatMap((word) =>
      word === '?' ? [{ tile: own.shift() ?? newName(), as: null }] : pieces.splice(0, 1),
    );
  });
  return carry(before, named, next);
}

/** The tiles that lie elsewhere than before: in another meld, laid from a rack, or taken to one. */
export function tileMoves(before: readonly DraftMeld[], after: readonly DraftMeld[]): TileMove[] {
  const was = whereIs(before);
  const is = whereIs(after);
  const moves: TileMove[] = [];
  for (const [tile, meld] of is) {
    const earlier = was.get(tile);
    if (earlier !== meld) {
      moves.push({ tile, from: earlier === undefined ? RACK : onMeld(earlier), to: onMeld(meld) });
    }
  }
  for (const [tile, meld] of was) {
    if (!is.has(tile)) {
      moves.push({ tile, from: onMeld(meld), to: RACK });
    }
  }
  return moves;
}

/** The tiles that stay lit after a play: those that were laid, and the jokers that stand for something else now. */
export function litTiles(before: readonly DraftMeld[], after: readonly DraftMeld[]): Set<Tile> {
  const laid = tileMoves(before, after).filter((move) => move.from.on === 'rack');
  return new Set([...laid.map((move) => move.tile), ...turned(before, after)]);
}

/** What just happened, in steps: tiles that move on the table to a meld, then those laid there, meld by meld. */
export function replay(before: readonly DraftMeld[], after: readonly DraftMeld[]): ReplayStep[] {
  const moves = tileMoves(before, after);
  const groups: Omit<ReplayStep, 'melds'>[] = [];
  for (const meld of after) {
    const here = moves.filter((move) => move.to.on === 'meld' && move.to.meld === meld.id);
    const sources = new Set(here.map((move) => (move.from.on === 'meld' ? move.from.meld : null)));
    const ordered = [...sources].toSorted((a, b) => Number(a === null) - Number(b === null));
    for (const source of ordered) {
      const tiles = here.filter((move) => source === (move.from.on === 'meld' ? move.from.meld : null));
      groups.push({
        verb: source === null ? 'lay' : 'move',
        tiles: tiles.map((move) => move.tile),
        from: source === null ? RACK : onMeld(source),
        to: onMeld(meld.id),
      });
    }
    const jokers = turned(before, after).filter(
      (tile) => meld.tiles.includes(tile) && !here.some((one) => one.tile === tile),
    );
    if (jokers.length > 0) {
      groups.push({ verb: 'turn', tiles: jokers, from: onMeld(meld.id), to: onMeld(meld.id) });
    }
  }
  for (const { tile, from, to } of moves.filter((move) => move.to.on === 'rack')) {
    groups.push({ verb: 'take', tiles: [tile], from, to });
  }
  let now = before;
  return groups.map((group, place) => {
    now = place === groups.length - 1 ? after : stepped(now, group, after);
    return { ...group, melds: now };
  });
}

const RACK: Where = { on: 'rack' };

function onMeld(meld: number): Where {
  return { on: 'meld', meld };
}

function whereIs(melds: readonly DraftMeld[]): Map<Tile, number> {
  return new Map(melds.flatMap((meld) => meld.tiles.map((tile) => [tile, meld.id])));
}

/** Jokers on both tables that stand for something else on the second. */
function turned(before: readonly DraftMeld[], after: readonly DraftMeld[]): Tile[] {
  const names = new Map(before.flatMap(meldPieces).map((piece) => [piece.tile, piece.as]));
  return after
    .flatMap(meldPieces)
    .filter(({ tile, as }) => isJoker(tile) && names.has(tile) && !sameFace(names.get(tile) ?? null, as))
    .map((piece) => piece.tile);
}

/** The table after one more step: tiles already where they end lie in the order of the end. */
function stepped(
  now: readonly DraftMeld[],
  group: Omit<ReplayStep, 'melds'>,
  after: readonly DraftMeld[],
): readonly DraftMeld[] {
  const target = group.to.on === 'meld' ? group.to.meld : null;
  const rest = now.flatMap((meld) => {
    const pieces = meldPieces(meld).filter((piece) => !group.tiles.includes(piece.tile));
    return pieces.length === 0 && meld.id !== target ? [] : [meldOf(meld.id, pieces)];
  });
  const end = after.find((meld) => meld.id === target);
  if (end === undefined) {
    return rest;
  }
  const there = rest.find((meld) => meld.id === target);
  const inEnd = meldPieces(end).filter(({ tile }) => group.tiles.includes(tile) || there?.tiles.includes(tile));
  const leaving = there === undefined ? [] : meldPieces(there).filter(({ tile }) => !end.tiles.includes(tile));
  const made = meldOf(end.id, [...inEnd, ...leaving]);
  if (there !== undefined) {
    return rest.map((meld) => (meld.id === target ? made : meld));
  }
  const place = after.findIndex((meld) => meld.id === target);
  const earlier = new Set(after.slice(0, place).map((meld) => meld.id));
  const at = rest.findLastIndex((meld) => earlier.has(meld.id)) + 1;
  return rest.toSpliced(at, 0, made);
}
