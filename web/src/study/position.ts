/** A position that somebody enters: the melds of a table, a rack, whose rules; a pure value, and a line of notation. */

import { judge, piecesOf, readings, type BrokenMeld, type Judged } from '../game/melds';
import { type Rules } from '../game/rules';
import {
  compareTiles,
  isJoker,
  kindOf,
  numberOf,
  plain,
  readMeld,
  sameFace,
  tilesOf,
  Unreadable,
  writeMeld,
  type Piece,
  type Tile,
} from '../game/tiles';

/** Whether whoever is to move has opened, and whether everybody has. */
export type Opened = 'new' | 'opened' | 'all';
export type Goal = 'tiles' | 'points';
export type House = Readonly<Record<string, boolean | number | string>>;
export const OPENED: readonly Opened[] = ['all', 'opened', 'new'];

/** Equal tiles are told apart by the order in which they were entered. */
export interface Position {
  readonly ruleset: string;
  readonly house: House;
  readonly melds: readonly (readonly Piece[])[];
  readonly rack: readonly Tile[];
  readonly opened: Opened;
}

/** Where the next tile goes: the rack, or a meld by its place. */
export type Target = 'rack' | number;

export type TileRules = Pick<Rules, 'numbers' | 'copies' | 'jokers' | 'groups'>;

export const MOST_MELDS = 60;
/** Whatever the rules, no set has more tiles. */
const ANY: TileRules = { numbers: 13, copies: 3, jokers: 4, groups: true };

export function emptyPosition(ruleset: string): Position {
  return { ruleset, house: {}, melds: [], rack: [], opened: 'all' };
}

export function isEmpty(position: Position): boolean {
  return position.rack.length === 0 && position.melds.every((meld) => meld.length === 0);
}

/** How many of a kind the tile set has. */
export function mostOf(tile: Tile, rules: TileRules): number {
  const number = numberOf(tile);
  if (number === null) return rules.jokers;
  return number <= rules.numbers ? rules.copies : 0;
}

/** How many of each kind are entered, by the tile without its copy. */
export function counts(position: Position): Map<Tile, number> {
  const found = new Map<Tile, number>();
  for (const tile of [...position.melds.flat().map((piece) => piece.tile), ...position.rack]) {
    found.set(plain(tile), (found.get(plain(tile)) ?? 0) + 1);
  }
  return found;
}

/** How many of a kind can still be entered. */
export function left(position: Position, tile: Tile, rules: TileRules): number {
  return mostOf(tile, rules) - (counts(position).get(plain(tile)) ?? 0);
}

/** The same position with equal tiles told apart anew: the first one met is the first copy. */
export function toldApart(position: Position): Position {
  const met = new Map<Tile, number>();
  const next = (tile: Tile): Tile => {
    const kind = plain(tile);
    const copy = met.get(kind) ?? 0;
    met.set(kind, copy + 1);
    return kind + "'".repeat(copy);
  };
  return {
    ...position,
    melds: position.melds.map((meld) => meld.map((piece) => ({ ...piece, tile: next(piece.tile) }))),
    rack: position.rack.map(next),
  };
}

/** What cannot be entered at all, not even to be put right later: more equal tiles than copies tell apart. */
export function beyond(position: Position, rules: TileRules): Problem | null {
  const { melds, rack } = toldApart(position);
  const known = [...melds.flat().map((piece) => piece.tile), ...rack].every((tile) => kindOf(tile) >= 0);
  return known ? null : (tooMany(position, rules).next().value ?? null);
}

/** Put one more tile down; null when there is none left. A meld puts itself in order. */
export function added(position: Position, tile: Tile, target: Target, rules: TileRules): Position | null {
  if (left(position, tile, rules) < 1) return null;
  if (target === 'rack') return toldApart({ ...position, rack: [...position.rack, plain(tile)] });
  const meld = position.melds[target] ?? [];
  if (target >= MOST_MELDS) return null;
  const melds = [...position.melds];
  melds[target] = inOrder([...meld, { tile: plain(tile), as: null }], rules);
  return toldApart({ ...position, melds });
}

/** Take the tile at this place away again; a meld that was emptied goes too. */
export function removed(position: Position, target: Target, place: number, rules: TileRules): Position {
  if (target === 'rack') return toldApart({ ...position, rack: position.rack.filter((_, at) => at !== place) });
  const rest = (position.melds[target] ?? []).filter((_, at) => at !== place);
  // What a joker stood for follows from the others, which have changed.
  const loose = rest.map((piece) => ({ ...piece, as: null }));
  const melds = position.melds.map((meld, at) => (at === target ? inOrder(loose, rules) : meld));
  return toldApart({ ...position, melds: melds.filter((meld) => meld.length > 0) });
}

/** The whole meld goes. */
export function withoutMeld(position: Position, target: number): Position {
  return toldApart({ ...position, melds: position.melds.filter((_, at) => at !== target) });
}

/** As it is asked about and shown: the rack by colour and number, each meld in order, with its jokers named. */
export function tidy(position: Position, rules: TileRules): Position {
  const melds = position.melds.map((meld) => inOrder(meld, rules));
  return { ...position, melds, rack: position.rack.toSorted(compareTiles) };
}

/** Read this meld in another of its ways: what its jokers stand for. */
export function reread(position: Position, target: number, pieces: readonly Piece[]): Position {
  return toldApart({ ...position, melds: position.melds.map((meld, at) => (at === target ? pieces : meld)) });
}

/** The tiles of a meld in the order in which they lie, jokers named; as they came while they are no meld. */
export function inOrder(pieces: readonly Piece[], rules: TileRules): readonly Piece[] {
  const judged = judge(pieces, rules);
  if (judged.ok) return piecesOf(judged);
  const [first] = judged.reason === 'joker-unnamed' ? [] : ways(pieces, rules);
  if (first) return first;
  const numbered = pieces.filter((piece) => !isJoker(piece.tile)).toSorted((a, b) => compareTiles(a.tile, b.tile));
  return [...numbered, ...pieces.filter((piece) => isJoker(piece.tile)).map(({ tile }) => ({ tile, as: null }))];
}

/** Each way in which a meld with jokers can be read; one that leaves no doubt has one, or none. */
export function ways(pieces: readonly Piece[], rules: TileRules): Piece[][] {
  return readings(
    pieces.map((piece) => piece.tile),
    rules,
  ).map(piecesOf);
}

export function sameMeld(a: readonly Piece[], b: readonly Piece[]): boolean {
  const same = (one: Piece, other: Piece | undefined): boolean =>
    other !== undefined && plain(one.tile) === plain(other.tile) && sameFace(one.as, other.as);
  return a.length === b.length && a.every((one, at) => same(one, b[at]));
}

// What is wrong

/** What cannot be solved as it is, and at which field. */
export type Problem =
  | { readonly field: 'table' | 'rack'; readonly code: 'unreadable'; readonly word: string }
  | { readonly field: 'table' | 'rack'; readonly code: 'too-many'; readonly tile: Tile; readonly most: number }
  | { readonly field: 'table' | 'rack'; readonly code: 'not-in-set'; readonly tile: Tile }
  | { readonly field: 'table'; readonly code: 'meld'; readonly meld: number; readonly broken: BrokenMeld }
  | { readonly field: 'table'; readonly code: 'too-many-melds' };

/** Everything that is wrong with a position, meld by meld. */
export function problems(position: Position, rules: TileRules): Problem[] {
  const found: Problem[] = [...tooMany(position, rules)];
  for (const [meld, pieces] of position.melds.entries()) {
    const judged: Judged = judge(pieces, rules);
    if (!judged.ok) found.push({ field: 'table', code: 'meld', meld, broken: judged });
  }
  return found;
}

function* tooMany(position: Position, rules: TileRules): Generator<Problem> {
  const met = new Map<Tile, number>();
  const said = new Set<Tile>();
  const fields = [
    ['table', position.melds.flat().map((piece) => piece.tile)],
    ['rack', position.rack],
  ] as const;
  for (const [field, tiles] of fields) {
    for (const tile of tiles.map(plain)) {
      const count = (met.get(tile) ?? 0) + 1;
      const most = mostOf(tile, rules);
      met.set(tile, count);
      if (count > most && !said.has(tile)) {
        said.add(tile);
        yield most === 0 ? { field, code: 'not-in-set', tile } : { field, code: 'too-many', tile, most };
      }
    }
  }
}

// Notation

/** What somebody typed, in the notation's letters: capitals, commas and an orange `o` are understood. */
function tidied(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[,;]/g, ' ')
    .replaceAll(/[’‘`]/g, "'")
    .replaceAll(/\bo(?=\d)/g, 'y');
}

export function readRack(text: string): Tile[] | Problem {
  try {
    return tilesOf(tidied(text));
  } catch (error) {
    return unreadable(error, 'rack');
  }
}

/** Melds with `|`, or a new line, between them. */
export function readMelds(text: string, rules: TileRules): (readonly Piece[])[] | Problem {
  const parts = tidied(text).split(/[|\n]/).filter((part) => part.trim() !== '');
  if (parts.length > MOST_MELDS) return { field: 'table', code: 'too-many-melds' };
  try {
    return parts.map(readMeld).map((meld) => (judge(meld, rules).ok ? inOrder(meld, rules) : meld));
  } catch (error) {
    return unreadable(error, 'table');
  }
}

function unreadable(error: unknown, field: 'table' | 'rack'): Problem {
  if (!(error instanceof Unreadable)) throw error;
  return { field, code: 'unreadable', word: error.word };
}

export function rackText(position: Position): string {
  return position.rack.map(plain).join(' ');
}

export function tableText(position: Position): string {
  return position.melds
    .map((meld) => writeMeld(meld.map((piece) => ({ ...piece, tile: plain(piece.tile) }))))
    .join(' | ');
}

/** A position as one line, as docs/notation.md tells it. */
export function writePosition(position: Position): string {
  const house = Object.entries(position.house).map(([field, value]) => `${field}=${String(value)}`);
  const rules = [position.ruleset, ...house].join(' ');
  return [rules, tableText(position) || '-', rackText(position) || '-', position.opened].join(' / ');
}

/** Read such a line; null when it is none. What its rules say about it is judged elsewhere. */
export function readPosition(line: string): Position | null {
  const fields = line.split('/').map((field) => field.trim());
  const [rules = '', table = '', rack = '', opened = ''] = fields;
  const [ruleset = '', ...house] = rules.split(/\s+/);
  const who = OPENED.find((one) => one === opened);
  if (fields.length !== 4 || !/^[a-z-]+$/.test(ruleset) || who === undefined) return null;
  try {
    const melds = table === '-' || table === '' ? [] : tidied(table).split('|').map(readMeld);
    const tiles = rack === '-' ? [] : tilesOf(tidied(rack));
    const lying = melds.filter((meld) => meld.length > 0);
    const position = { ruleset, house: readHouse(house), melds: lying, rack: tiles, opened: who };
    return melds.length > MOST_MELDS || beyond(position, ANY) ? null : toldApart(position);
  } catch {
    return null;
  }
}

/** House rules as `field=value`. */
export function readHouse(words: readonly string[]): House {
  const pairs = words.map((one) => one.split('=')).filter((pair) => pair.length === 2);
  return Object.fromEntries(pairs.map(([field = '', value = '']) => [field, houseValue(value)]));
}

function houseValue(value: string): boolean | number | string {
  if (value === 'true' || value === 'false') return value === 'true';
  return /^-?\d+$/.test(value) ? Number(value) : value;
}
