/** How the tiles of a meld lie: runs sort themselves, groups too, and jokers take the place that is meant for them. */

import { judge, piecesOf, type MeldRules } from './melds';
import { MAX_GROUP, MIN_MELD } from './rules';
import { colourOf, compareTiles, isJoker, numberOf } from './tiles';
import type { Colour, Face, Piece } from './tiles';

/** Put the tiles of a meld in order, finished or not, and name its jokers where it is clear what they stand for.
 *
 * A joker that has a name keeps it as long as it can. One without a name fills the gap in a run that is nearest to
 * its place, or else goes to the end at which it lies.
 */
export function arrange(written: readonly Piece[], rules: MeldRules): Piece[] {
  const numbered = written.filter((piece) => !isJoker(piece.tile));
  if (numbered.length === 0) {
    return [...written];
  }
  const numbers = new Set(numbered.map((piece) => numberOf(piece.tile)));
  const colours = new Set(numbered.map((piece) => colourOf(piece.tile)));
  const run = colours.size === 1 && numbers.size === numbered.length;
  const group = rules.groups && numbers.size === 1 && colours.size === numbered.length;
  if (run && group && written.length > 1) {
    return runOrGroup(written, rules);
  }
  if (run) {
    return named(asRun(written, rules), rules);
  }
  if (group) {
    return named(asGroup(written), rules);
  }
  return colours.size === 1 || numbers.size === 1 ? written.toSorted(byTile) : [...written];
}

/** One numbered tile with jokers: their names decide; without any it is a run by place, if that can be one. */
function runOrGroup(written: readonly Piece[], rules: MeldRules): Piece[] {
  const own = written.find((piece) => !isJoker(piece.tile))?.tile ?? '';
  const [colour, number] = [colourOf(own), numberOf(own)];
  const names = written.map((piece) => piece.as).filter((face) => face !== null);
  if (names.some((face) => face.colour === null && face.number === number)) {
    return named(asGroup(written), rules);
  }
  if (names.some((face) => face.colour === colour && face.number !== number)) {
    return named(asRun(written, rules), rules);
  }
  const bare = written.map(({ tile }) => ({ tile, as: null }));
  if (written.length < MIN_MELD) {
    return bare;
  }
  const run = named(asRun(bare, rules), rules);
  return judge(run, rules).ok || written.length > MAX_GROUP ? run : named(asGroup(bare), rules);
}

/** The pieces with every joker named, where they are a meld; as they are where not. */
function named(pieces: Piece[], rules: MeldRules): Piece[] {
  const judged = judge(pieces, rules);
  return judged.ok ? piecesOf(judged) : pieces;
}

function byTile(a: Piece, b: Piece): number {
  return compareTiles(a.tile, b.tile);
}

function asGroup(written: readonly Piece[]): Piece[] {
  const number = numberOf(written.find((piece) => !isJoker(piece.tile))?.tile ?? '') ?? 0;
  return written.map(({ tile }) => ({ tile, as: isJoker(tile) ? { colour: null, number } : null })).toSorted(byTile);
}

function asRun(written: readonly Piece[], rules: MeldRules): Piece[] {
  const first = written.find((piece) => !isJoker(piece.tile));
  const colour = colourOf(first?.tile ?? '');
  const places = new Map<number, Piece>();
  for (const piece of written) {
    const number = numberOf(piece.tile);
    if (number !== null) {
      places.set(number, piece);
    }
  }
  const lowest = Math.min(...places.keys());
  const highest = Math.max(...places.keys());
  const gaps = new Set(range(lowest, highest).filter((number) => !places.has(number)));
  const jokers = written.flatMap((piece, place) => (isJoker(piece.tile) ? [{ piece, place }] : []));
  const free: typeof jokers = [];
  for (const joker of jokers) {
    const number = nameIn(joker.piece.as, colour);
    if (number !== null && gaps.delete(number)) {
      places.set(number, standing(joker.piece, colour, number));
    } else {
      free.push(joker);
    }
  }
  const below: Piece[] = [];
  const above: Piece[] = [];
  const filling: Piece[] = [];
  const filled: number[] = [];
  for (const joker of free) {
    const gap = nearest(gaps, placeNumber(written, joker.place));
    if (gap !== null) {
      gaps.delete(gap);
      filled.push(gap);
      filling.push(joker.piece);
    } else if (goesBelow(written, joker, colour, lowest)) {
      below.push(joker.piece);
    } else {
      above.push(joker.piece);
    }
  }
  for (const [at, gap] of filled.toSorted((a, b) => a - b).entries()) {
    const piece = filling[at];
    if (piece !== undefined) {
      places.set(gap, standing(piece, colour, gap));
    }
  }
  while (below.length > lowest - 1 && highest + above.length < rules.numbers) {
    above.push(...below.splice(0, 1));
  }
  while (above.length > 0 && highest + above.length > rules.numbers && lowest - below.length > 1) {
    below.unshift(...above.splice(-1));
  }
  return [
    ...below.map((piece, at) => standing(piece, colour, lowest - below.length + at)),
    ...range(lowest, highest).flatMap((number) => places.get(number) ?? []),
    ...above.map((piece, at) => standing(piece, colour, highest + 1 + at)),
  ].map((piece) => (inRange(piece, rules) ? piece : { tile: piece.tile, as: null }));
}

function inRange(piece: Piece, rules: MeldRules): boolean {
  return piece.as === null || (piece.as.number >= 1 && piece.as.number <= rules.numbers);
}

/** The number that a joker's name gives it in a run of this colour. */
function nameIn(face: Face | null, colour: Colour | null): number | null {
  return face !== null && (face.colour === colour || face.colour === null) ? face.number : null;
}

function standing(piece: Piece, colour: Colour | null, number: number): Piece {
  return { tile: piece.tile, as: { colour, number } };
}

/** The number that would be at this place if the run went on from the numbered tile before it, or up to the next. */
function placeNumber(written: readonly Piece[], place: number): number {
  for (let at = place - 1; at >= 0; at -= 1) {
    const number = numberOf(written[at]?.tile ?? '');
    if (number !== null) {
      return number + place - at;
    }
  }
  const next = written.findIndex((piece) => numberOf(piece.tile) !== null);
  return (numberOf(written[next]?.tile ?? '') ?? 0) - (next - place);
}

function nearest(gaps: ReadonlySet<number>, wanted: number): number | null {
  let best: number | null = null;
  for (const gap of gaps) {
    if (best === null || Math.abs(gap - wanted) < Math.abs(best - wanted)) {
      best = gap;
    }
  }
  return best;
}

/** Whether a joker goes below the lowest tile: as its name says, or by the end that it lies nearer to. One whose
 * place was taken goes above. */
function goesBelow(
  written: readonly Piece[],
  joker: { readonly piece: Piece; readonly place: number },
  colour: Colour | null,
  lowest: number,
): boolean {
  const name = joker.piece.as;
  if (name !== null && name.colour === colour) {
    return name.number < lowest;
  }
  const numbered = written.map((piece) => numberOf(piece.tile) !== null);
  const before = numbered.slice(0, joker.place).filter(Boolean).length;
  const after = numbered.slice(joker.place + 1).filter(Boolean).length;
  return before < after;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
