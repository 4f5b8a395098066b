/** Melds: runs and groups, what a joker in them stands for, and their points; as the server judges them. */

import { MAX_GROUP, MIN_MELD, type Rules } from './rules';
import { COLOURS, colourOf, compareTiles, isJoker, numberOf, writeMeld } from './tiles';
import type { Colour, Face, Piece, Tile } from './tiles';

export const MELD_REASONS = [
  'empty',
  'too-short',
  'no-number',
  'joker-unnamed',
  'joker-name',
  'numbers',
  'beyond',
  'colours',
  'colour-twice',
  'too-long',
  'no-groups',
  'mixed',
] as const;

/** Why some tiles are no meld. */
export type MeldReason = (typeof MELD_REASONS)[number];

export interface ValidMeld {
  readonly ok: true;
  readonly kind: 'run' | 'group';
  /** In canonical order. */
  readonly tiles: readonly Tile[];
  /** What each tile is, or stands for; in a group the colour of a joker is left open. */
  readonly faces: readonly Face[];
  readonly points: number;
}

export interface BrokenMeld {
  readonly ok: false;
  readonly reason: MeldReason;
  readonly args: Readonly<Record<string, string | number>>;
}

export type Judged = ValidMeld | BrokenMeld;

/** The rules that say what a meld is. */
export type MeldRules = Pick<Rules, 'numbers' | 'groups'>;

/** The reasons that no further tile takes away; two tiles for which one holds are not merely too few. */
const FOR_GOOD: ReadonlySet<MeldReason> = new Set(['colours', 'colour-twice', 'mixed', 'no-groups']);

/** Judge a meld as written: the run or group it is, or why it is none.
 *
 * In a run without a name a joker is the tile of its place as written; a run whose jokers are all named, or that
 * has none, may be written in any order.
 */
export function judge(written: readonly (Piece | Tile)[], rules: MeldRules): Judged {
  const pieces = written.map((one) => (typeof one === 'string' ? { tile: one, as: null } : one));
  const numbered = pieces.filter((piece) => !isJoker(piece.tile));
  if (pieces.length === 0) {
    return broken('empty');
  }
  if (numbered.length === 0) {
    return broken('no-number');
  }
  const judged = judgeAll(pieces, numbered, rules);
  if (pieces.length < MIN_MELD && (judged.ok || !FOR_GOOD.has(judged.reason))) {
    return broken('too-short');
  }
  return judged;
}

function judgeAll(pieces: readonly Piece[], numbered: readonly Piece[], rules: MeldRules): Judged {
  const run = asRun(pieces, numbered, rules.numbers);
  const group = rules.groups ? asGroup(pieces, numbered) : 'no-groups';
  if (typeof run !== 'string' && typeof group !== 'string') {
    return broken('joker-unnamed', { choices: [run, group].map((one) => writeMeld(piecesOf(one))).join(' / ') });
  }
  if (typeof run !== 'string') {
    return run;
  }
  if (typeof group !== 'string') {
    return group;
  }
  const oneNumber = numbered.every((piece) => numberOf(piece.tile) === numberOf(numbered[0]?.tile ?? ''));
  const oneColour = run !== 'colours';
  if (oneNumber && (rules.groups || !oneColour) && numbered.length > 1) {
    return broken(group);
  }
  const reason = oneColour || !rules.groups ? run : 'mixed';
  return broken(reason, reason === 'beyond' ? { numbers: rules.numbers } : {});
}

/** The tiles of a meld with every joker named. */
export function piecesOf(meld: ValidMeld): Piece[] {
  return meld.tiles.map((tile, place) => ({ tile, as: isJoker(tile) ? (meld.faces[place] ?? null) : null }));
}

/** The points of a run of this colour, or of a group (no colour), that starts with this number. */
export function meldPoints(colour: Colour | null, number: number, size: number): number {
  return number * size + (colour === null ? 0 : (size * (size - 1)) / 2);
}

function broken(reason: MeldReason, args: BrokenMeld['args'] = {}): BrokenMeld {
  return { ok: false, reason, args };
}

function numberIn(piece: Piece): number | null {
  return piece.as?.number ?? numberOf(piece.tile);
}

function asRun(pieces: readonly Piece[], numbered: readonly Piece[], numbers: number): ValidMeld | MeldReason {
  const colour = colourOf(numbered[0]?.tile ?? '');
  if (numbered.some((piece) => colourOf(piece.tile) !== colour)) {
    return 'colours';
  }
  if (pieces.some((piece) => piece.as !== null && piece.as.colour !== null && piece.as.colour !== colour)) {
    return 'joker-name';
  }
  const byPlace = pieces.some((piece) => isJoker(piece.tile) && piece.as === null);
  const ordered = byPlace ? pieces : pieces.toSorted((a, b) => (numberIn(a) ?? 0) - (numberIn(b) ?? 0));
  const place = byPlace ? ordered.findIndex((piece) => !isJoker(piece.tile)) : 0;
  const anchor = ordered[place];
  const first = anchor === undefined ? 0 : (byPlace ? (numberOf(anchor.tile) ?? 0) : (numberIn(anchor) ?? 0)) - place;
  for (const [at, piece] of ordered.entries()) {
    const number = numberIn(piece);
    if (number !== null && number !== first + at) {
      return piece.as !== null && byPlace ? 'joker-name' : 'numbers';
    }
  }
  if (first < 1 || first + ordered.length - 1 > numbers) {
    return 'beyond';
  }
  return {
    ok: true,
    kind: 'run',
    tiles: ordered.map((piece) => piece.tile),
    faces: ordered.map((_, at) => ({ colour, number: first + at })),
    points: meldPoints(colour, first, ordered.length),
  };
}

function asGroup(pieces: readonly Piece[], numbered: readonly Piece[]): ValidMeld | MeldReason {
  const number = numberOf(numbered[0]?.tile ?? '') ?? 0;
  if (numbered.some((piece) => numberOf(piece.tile) !== number)) {
    return 'numbers';
  }
  if (pieces.some((piece) => piece.as !== null && piece.as.number !== number)) {
    return 'joker-name';
  }
  const named = pieces.map((piece) => piece.as?.colour ?? colourOf(piece.tile)).filter((colour) => colour !== null);
  if (new Set(named).size < named.length) {
    return 'colour-twice';
  }
  if (pieces.length > MAX_GROUP) {
    return 'too-long';
  }
  const tiles = pieces.map((piece) => piece.tile).toSorted(compareTiles);
  return {
    ok: true,
    kind: 'group',
    tiles,
    faces: tiles.map((tile) => ({ colour: colourOf(tile), number })),
    points: meldPoints(null, number, tiles.length),
  };
}

/** Each way in which these tiles, in any order, are a meld: what the jokers may stand for.
 *
 * The run that has the jokers at its upper end comes first, then those further down, then the group.
 */
export function readings(tiles: readonly Tile[], rules: MeldRules): ValidMeld[] {
  const found: ValidMeld[] = [];
  const numbered = tiles.filter((tile) => !isJoker(tile)).toSorted(compareTiles);
  const jokers = tiles.filter(isJoker);
  const [lowest] = numbered;
  if (lowest === undefined || tiles.length < MIN_MELD) {
    return found;
  }
  const colour = colourOf(lowest);
  const have = new Map(numbered.map((tile) => [numberOf(tile) ?? 0, tile]));
  if (have.size === numbered.length && numbered.every((tile) => colourOf(tile) === colour)) {
    const least = numberOf(lowest) ?? 0;
    const most = Math.max(...have.keys());
    for (let first = least; first >= 1 && first > most - tiles.length; first -= 1) {
      const spare = [...jokers];
      const places = tiles.map((_, at): Piece => {
        const tile = have.get(first + at);
        return tile === undefined
          ? { tile: spare.shift() ?? '', as: { colour, number: first + at } }
          : { tile, as: null };
      });
      const judged = first + tiles.length - 1 <= rules.numbers && most < first + tiles.length && judge(places, rules);
      if (judged && judged.ok) {
        found.push(judged);
      }
    }
  }
  const group = judge(
    tiles.map((tile) => ({ tile, as: isJoker(tile) ? { colour: null, number: numberOf(lowest) ?? 0 } : null })),
    rules,
  );
  if (group.ok && group.kind === 'group') {
    found.push(group);
  }
  return found;
}

/** Whether some more tiles could make these ones a meld; what is one already is on its way too. */
export function promising(tiles: readonly Tile[], rules: MeldRules): boolean {
  const numbered = tiles.filter((tile) => !isJoker(tile));
  const colours = new Set(numbered.map(colourOf));
  const numbers = new Set(numbered.map(numberOf));
  const run = colours.size <= 1 && numbers.size === numbered.length && tiles.length <= rules.numbers;
  const group = rules.groups && numbers.size <= 1 && colours.size === numbered.length && tiles.length <= COLOURS.length;
  return tiles.length > 0 && (run || group);
}
