/** Points: the best melds within some tiles, what laid tiles are worth, and what is left on a rack. */

import { meldPieces, type Draft } from './draft';
import { meldPoints, type MeldRules } from './melds';
import { MAX_GROUP, MIN_MELD, type Rules } from './rules';
import { COLOURS, JOKER, MAX_NUMBER, compareTiles, isJoker, kindOf, numberOf } from './tiles';
import type { Colour, Tile } from './tiles';

/** A meld by kinds: where it starts, how long it is, and which numbered kinds are in it; the others are jokers. */
interface Shape {
  readonly colour: Colour | null;
  readonly number: number;
  readonly size: number;
  readonly kinds: readonly number[];
}

interface Found {
  readonly worth: number;
  readonly shape: Shape | null;
  readonly rest: Found | null;
}

type Worth = (shape: Shape) => number;

/** The most points that disjoint melds within these tiles are worth. */
export function bestValue(tiles: readonly Tile[], rules: MeldRules): number {
  return search(tiles, rules, (shape) => meldPoints(shape.colour, shape.number, shape.size)).worth;
}

/** Disjoint melds that use as many of these tiles as possible, with as few jokers as that takes; none is longer than
 * five tiles. */
export function bestMelds(tiles: readonly Tile[], rules: MeldRules): Tile[][] {
  const left = new Map<number, Tile[]>();
  for (const tile of tiles.toSorted(compareTiles)) {
    left.set(kindOf(tile), [...(left.get(kindOf(tile)) ?? []), tile]);
  }
  const take = (kind: number): Tile[] => left.get(kind)?.splice(0, 1) ?? [];
  const melds: Tile[][] = [];
  const most: Worth = ({ size, kinds }) => 3 * kinds.length - (size - kinds.length);
  for (let found: Found | null = search(tiles, rules, most); found !== null; found = found.rest) {
    const { shape } = found;
    if (shape === null) {
      continue;
    }
    const places = Array.from({ length: shape.size }, (_, at) => shape.number + at);
    const there = new Map(shape.kinds.map((kind) => [(kind % MAX_NUMBER) + 1, kind]));
    melds.push(
      shape.colour === null
        ? [...shape.kinds, ...Array<number>(shape.size - shape.kinds.length).fill(JOKER)].flatMap(take)
        : places.flatMap((number) => take(there.get(number) ?? JOKER)),
    );
  }
  return melds.toSorted((a, b) => compareTiles(firstNumbered(a), firstNumbered(b)));
}

function firstNumbered(tiles: readonly Tile[]): Tile {
  return tiles.find((tile) => !isJoker(tile)) ?? '';
}

/** The points of the tiles that were laid, a joker counting as what it stands for. */
export function laidPoints(draft: Draft, base: Draft): number {
  const own = new Set(base.rack);
  return draft.melds
    .flatMap(meldPieces)
    .filter((piece) => own.has(piece.tile))
    .reduce((sum, piece) => sum + (piece.as?.number ?? numberOf(piece.tile) ?? 0), 0);
}

/** What the tiles left on a rack cost. */
export function rackPoints(tiles: readonly Tile[], rules: Pick<Rules, 'jokerValue'>): number {
  return tiles.reduce((sum, tile) => sum + (numberOf(tile) ?? rules.jokerValue), 0);
}

/** Each seat's sum over the rounds of a match. */
export function totals(rounds: readonly (readonly number[])[], seats: number): number[] {
  return Array.from({ length: seats }, (_, seat) => rounds.reduce((sum, round) => sum + (round[seat] ?? 0), 0));
}

/** Numbered kinds, lowest number first. */
const BY_NUMBER = Array.from({ length: JOKER }, (_, at) => (at % COLOURS.length) * MAX_NUMBER + Math.floor(at / 4));

function search(tiles: readonly Tile[], rules: MeldRules, worth: Worth): Found {
  const counts = Array<number>(JOKER + 1).fill(0);
  for (const tile of tiles) {
    const kind = kindOf(tile);
    if (kind >= 0) {
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
  }
  const seen = new Map<string, Found>();
  const best = (): Found => {
    const lowest = BY_NUMBER.find((kind) => (counts[kind] ?? 0) > 0);
    if (lowest === undefined) {
      return { worth: 0, shape: null, rest: null };
    }
    const key = counts.join('');
    const known = seen.get(key);
    if (known !== undefined) {
      return known;
    }
    change(counts, [lowest], 0, -1);
    let found: Found = best();
    change(counts, [lowest], 0, 1);
    for (const shape of shapes(counts, lowest, rules)) {
      const jokers = shape.size - shape.kinds.length;
      change(counts, shape.kinds, jokers, -1);
      const rest = best();
      change(counts, shape.kinds, jokers, 1);
      const total = worth(shape) + rest.worth;
      if (total > found.worth) {
        found = { worth: total, shape, rest };
      }
    }
    seen.set(key, found);
    return found;
  };
  return best();
}

function change(counts: number[], kinds: readonly number[], jokers: number, by: 1 | -1): void {
  for (const kind of kinds) {
    counts[kind] = (counts[kind] ?? 0) + by;
  }
  counts[JOKER] = (counts[JOKER] ?? 0) + jokers * by;
}

/** Each meld of the tiles whose lowest numbered tile is of this kind. */
function shapes(counts: readonly number[], lowest: number, rules: MeldRules): Shape[] {
  const jokers = counts[JOKER] ?? 0;
  const number = (lowest % MAX_NUMBER) + 1;
  const found: Shape[] = [];
  if (rules.groups) {
    const others = COLOURS.map((_, at) => at * MAX_NUMBER + number - 1).filter(
      (kind) => kind > lowest && (counts[kind] ?? 0) > 0,
    );
    for (const chosen of subsets(others)) {
      for (let size = MIN_MELD; size <= MAX_GROUP; size += 1) {
        const missing = size - chosen.length - 1;
        if (missing >= 0 && missing <= jokers) {
          found.push({ colour: null, number, size, kinds: [lowest, ...chosen] });
        }
      }
    }
  }
  const colour = COLOURS[Math.floor(lowest / MAX_NUMBER)] ?? null;
  for (let before = 0; before <= jokers && before < number; before += 1) {
    longer({ colour, number: number - before, size: before + 1, kinds: [lowest] }, counts, jokers, rules, found);
  }
  return found;
}

/** Each run that this one can grow into upwards, a tile or a joker at a time. */
function longer(run: Shape, counts: readonly number[], jokers: number, rules: MeldRules, found: Shape[]): void {
  if (run.size >= MIN_MELD) {
    found.push(run);
  }
  // A run of six is two of three, worth the same.
  if (run.size === 2 * MIN_MELD - 1) {
    return;
  }
  const number = run.number + run.size;
  const kind = (run.kinds[0] ?? 0) - ((run.kinds[0] ?? 0) % MAX_NUMBER) + number - 1;
  if (number > rules.numbers) {
    return;
  }
  if ((counts[kind] ?? 0) > 0) {
    longer({ ...run, size: run.size + 1, kinds: [...run.kinds, kind] }, counts, jokers, rules, found);
  }
  if (run.size - run.kinds.length < jokers) {
    longer({ ...run, size: run.size + 1 }, counts, jokers, rules, found);
  }
}

function subsets(kinds: readonly number[]): number[][] {
  return kinds.reduce<number[][]>((all, kind) => [...all, ...all.map((some) => [...some, kind])], [[]]);
}
