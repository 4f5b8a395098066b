/** Tiles as the notation writes them: a physical piece is its text (`r5`, its second copy `r5'`, a joker `j`). */

export type Colour = 'r' | 'b' | 'k' | 'y';

/** A physical tile in the notation, copies told apart; `?0`, `?1` … are tiles that lie face down. */
export type Tile = string;

/** What a joker stands for: one exact tile in a run, a number of any missing colour in a group. */
export interface Face {
  readonly colour: Colour | null;
  readonly number: number;
}

/** A tile as somebody wrote or laid it; a joker may be named with what it stands for. */
export interface Piece {
  readonly tile: Tile;
  readonly as: Face | null;
}

export const COLOURS: readonly Colour[] = ['r', 'b', 'k', 'y'];
export const MAX_NUMBER = 13;
/** The kind of a joker; numbered kinds are 0 to 51, by colour, then by number. */
export const JOKER = COLOURS.length * MAX_NUMBER;
const MOST_COPIES = 4;

export type UnreadableCode = 'no-tile' | 'no-colour' | 'no-number' | 'too-many-copies' | 'no-face' | 'not-a-joker';

/** A text that is no tile; `word` is the part of it that cannot be read. */
export class Unreadable extends Error {
  constructor(
    readonly code: UnreadableCode,
    readonly word: string,
  ) {
    super(`${code}: ${word}`);
    this.name = 'Unreadable';
  }
}

interface Known {
  readonly kind: number;
  readonly copy: number;
  readonly colour: Colour | null;
  readonly number: number | null;
  readonly face: Tile;
}

const known = new Map<Tile, Known>();
for (let kind = 0; kind <= JOKER; kind += 1) {
  const joker = kind === JOKER;
  const colour = joker ? null : (COLOURS[Math.floor(kind / MAX_NUMBER)] ?? null);
  const number = joker ? null : (kind % MAX_NUMBER) + 1;
  const face = joker ? 'j' : `${colour}${number}`;
  for (let copy = 0; copy < (joker ? MOST_COPIES : MOST_COPIES - 1); copy += 1) {
    known.set(face + "'".repeat(copy), { kind, copy, colour, number, face });
  }
}

/** Whether a tile lies face down: it is on the table, and nobody else may know which one it is. */
export function isFaceDown(tile: Tile): boolean {
  return tile.startsWith('?');
}

/** The colour of a numbered tile; null of a joker, and of a tile that lies face down. */
export function colourOf(tile: Tile): Colour | null {
  return known.get(tile)?.colour ?? null;
}

/** The number of a numbered tile; null of a joker, and of a tile that lies face down. */
export function numberOf(tile: Tile): number | null {
  return known.get(tile)?.number ?? null;
}

export function isJoker(tile: Tile): boolean {
  return known.get(tile)?.kind === JOKER;
}

/** The kind: 0 to 51 by colour and number, 52 for a joker, -1 for a tile that lies face down. */
export function kindOf(tile: Tile): number {
  return known.get(tile)?.kind ?? -1;
}

/** Which copy of its kind a tile is, from 0. */
export function copyOf(tile: Tile): number {
  return known.get(tile)?.copy ?? 0;
}

/** The tile without the mark of its copy: `r5` for both red 5s. */
export function plain(tile: Tile): Tile {
  return known.get(tile)?.face ?? tile;
}

/** The tile of this colour, number and copy. */
export function tileOf(colour: Colour, number: number, copy = 0): Tile {
  return `${colour}${number}${"'".repeat(copy)}`;
}

/** The order of the notation: by colour, number, copy; jokers last, and after them what lies face down. */
export function compareTiles(a: Tile, b: Tile): number {
  return rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0);
}

function rank(tile: Tile): number {
  const found = known.get(tile);
  return found ? found.kind * MOST_COPIES + found.copy : (JOKER + 1) * MOST_COPIES;
}

/** Every tile of a set, in the order of the notation. */
export function allTiles(numbers: number, copies: number, jokers: number): Tile[] {
  return [...known]
    .filter(([, one]) => (one.number === null ? one.copy < jokers : one.number <= numbers && one.copy < copies))
    .map(([tile]) => tile);
}

function readTile(word: string): Tile {
  if (known.has(word)) {
    return word;
  }
  const found = /^([A-Za-z])(\d+)('*)$/.exec(word);
  if (found === null) {
    throw new Unreadable(/^j'*$/.test(word) ? 'too-many-copies' : 'no-tile', word);
  }
  const [, letter = '', digits = ''] = found;
  if (!COLOURS.some((colour) => colour === letter)) {
    throw new Unreadable('no-colour', word);
  }
  if (!/^([1-9]|1[0-3])$/.test(digits)) {
    throw new Unreadable('no-number', word);
  }
  throw new Unreadable('too-many-copies', word);
}

/** Read tiles separated by blanks; throws Unreadable. */
export function tilesOf(text: string): Tile[] {
  return words(text).map(readTile);
}

/** Write tiles separated by blanks, in the order given. */
export function textOf(tiles: Iterable<Tile>): string {
  return [...tiles].join(' ');
}

/** Write what a joker stands for: `r5` in a run, `5` in a group. */
export function faceText(face: Face): string {
  return `${face.colour ?? ''}${face.number}`;
}

/** Read what a joker stands for; throws Unreadable. */
export function readFace(text: string): Face {
  const found = /^([rbky]?)([1-9]|1[0-3])$/.exec(text);
  if (found === null) {
    throw new Unreadable('no-face', text);
  }
  const colour = COLOURS.find((one) => one === found[1]) ?? null;
  return { colour, number: Number(found[2]) };
}

export function sameFace(a: Face | null, b: Face | null): boolean {
  return a === b || (a !== null && b !== null && a.colour === b.colour && a.number === b.number);
}

function readPiece(word: string): Piece {
  const at = word.indexOf('=');
  const tile = readTile(at < 0 ? word : word.slice(0, at));
  if (at < 0) {
    return { tile, as: null };
  }
  if (!isJoker(tile)) {
    throw new Unreadable('not-a-joker', word);
  }
  return { tile, as: readFace(word.slice(at + 1)) };
}

/** Read a meld as written: tiles separated by blanks, jokers named or not; throws Unreadable. */
export function readMeld(text: string): Piece[] {
  return words(text).map(readPiece);
}

/** Write a meld: `b6 b7 j=b8`. */
export function writeMeld(pieces: Iterable<Piece>): string {
  return [...pieces].map((piece) => (piece.as ? `${piece.tile}=${faceText(piece.as)}` : piece.tile)).join(' ');
}

/** Read a table as written: melds separated by `|`; throws Unreadable. */
export function readTable(text: string): Piece[][] {
  return text.trim() === '' ? [] : text.split('|').map(readMeld);
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
