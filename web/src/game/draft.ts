/** The draft: the table and the rack as a player arranges them in one turn, a pure value.
 *
 * Every move keeps the tiles: none is lost, none appears. Melds keep their ids and their places, so that the eye and
 * the animation can follow them; a meld that loses all its tiles is gone.
 */

import { arrange } from './arrange';
import { judge, promising } from './melds';
import type { Rules } from './rules';
import { isJoker, numberOf, readMeld, sameFace, tilesOf, writeMeld } from './tiles';
import type { Face, Piece, Tile } from './tiles';

/** A meld as it lies in a draft, finished or not; `names` says what its jokers stand for. */
export interface DraftMeld {
  /** Stays the same while the meld changes. */
  readonly id: number;
  readonly tiles: readonly Tile[];
  readonly names?: Readonly<Record<Tile, Face>>;
}

/** The melds in the order in which they lie, and the rack's tiles (order.ts knows in which order they are shown). */
export interface Draft {
  readonly melds: readonly DraftMeld[];
  readonly rack: readonly Tile[];
  /** The id of the next new meld. */
  readonly next: number;
}

/** Why tiles cannot be moved:
 *
 * - `not-there`: they are neither on the table nor on the rack
 * - `no-such-meld`: the meld they should go to is gone
 * - `table-tile`: they lay on the table as the turn began, so they stay on it
 * - `joker-stays`: the same, of jokers
 */
export type RefusalReason = 'not-there' | 'no-such-meld' | 'table-tile' | 'joker-stays';

export interface Refusal {
  readonly reason: RefusalReason;
  readonly tiles: readonly Tile[];
}

/** A moved draft, with a refusal where some of the tiles stayed behind; or why nothing could be moved. */
export type Moved =
  | { readonly ok: true; readonly draft: Draft; readonly refusal: Refusal | null }
  | { readonly ok: false; readonly refusal: Refusal };

/** Some melds, each as pieces that may not be in order yet. */
type Parts = readonly (readonly Piece[])[];

/** The table and a rack as the server tells them. */
export function draftOf(table: readonly string[], rack: string): Draft {
  const melds = table.map((text, id) => meldOf(id, readMeld(text)));
  return { melds, rack: tilesOf(rack), next: melds.length };
}

/** A meld of these pieces, as they lie. */
export function meldOf(id: number, pieces: readonly Piece[]): DraftMeld {
  const names = Object.fromEntries(pieces.flatMap(({ tile, as }) => (as === null ? [] : [[tile, as]])));
  const tiles = pieces.map((piece) => piece.tile);
  return Object.keys(names).length === 0 ? { id, tiles } : { id, tiles, names };
}

/** The tiles of a meld with the names of its jokers. */
export function meldPieces(meld: DraftMeld): Piece[] {
  return meld.tiles.map((tile) => ({ tile, as: meld.names?.[tile] ?? null }));
}

/** What a tile of a meld stands for, if it is a joker and that is known. */
export function nameOf(meld: DraftMeld, tile: Tile): Face | null {
  return meld.names?.[tile] ?? null;
}

export function meldWith(draft: Draft, tile: Tile): DraftMeld | null {
  return draft.melds.find((meld) => meld.tiles.includes(tile)) ?? null;
}

export function meldById(draft: Draft, id: number): DraftMeld | null {
  return draft.melds.find((meld) => meld.id === id) ?? null;
}

/** All tiles of a draft: the table's in their order, then the rack's. */
export function allOf(draft: Draft): Tile[] {
  return [...draft.melds.flatMap((meld) => meld.tiles), ...draft.rack];
}

/** Put tiles into a meld; `index` counts those of its tiles that are not moved themselves.
 *
 * They are sorted in where they belong. Between two tiles where they do not belong they divide the meld.
 */
export function toMeld(draft: Draft, tiles: readonly Tile[], id: number, index: number, rules: Rules): Moved {
  const moved = take(draft, tiles);
  if (moved === null) {
    return refused('not-there', tiles);
  }
  const target = meldById(draft, id);
  if (target === null) {
    return refused('no-such-meld', tiles);
  }
  const staying = meldPieces(target).filter((piece) => !tiles.includes(piece.tile));
  if (staying.length === 0) {
    return settled(draft);
  }
  const at = Math.min(Math.max(0, index), staying.length);
  const parts = insert(staying, moved, at, rules).map((part) => arrange(part, rules));
  const rest = without(draft, tiles, rules, id);
  const melds = rest.melds.flatMap((meld) =>
    meld.id === id ? parts.map((part, place) => meldOf(place === 0 ? id : rest.next + place - 1, part)) : [meld],
  );
  return settled({ melds, rack: rest.rack, next: rest.next + parts.length - 1 });
}

/** Make a new meld of tiles, after the meld with the id `after` (null: before all), or at the end. */
export function toNewMeld(draft: Draft, tiles: readonly Tile[], rules: Rules, after?: number | null): Moved {
  const moved = take(draft, tiles);
  if (moved === null) {
    return refused('not-there', tiles);
  }
  const whole = draft.melds.find(
    (meld) => meld.tiles.length === tiles.length && meld.tiles.every((tile) => tiles.includes(tile)),
  );
  if (whole !== undefined) {
    return moveMeld(draft, whole.id, after);
  }
  const made = meldOf(draft.next, arrange(moved, rules));
  const rest = without({ ...draft, next: draft.next + 1 }, tiles, rules);
  return settled({ ...rest, melds: placed(rest.melds, made, afterIn(draft, rest, after)) });
}

/** Move a whole meld to another place among the melds. */
export function moveMeld(draft: Draft, id: number, after?: number | null): Moved {
  const meld = meldById(draft, id);
  if (meld === null) {
    return refused('no-such-meld', []);
  }
  if (after === id) {
    return settled(draft);
  }
  const others = draft.melds.filter((one) => one.id !== id);
  return settled({ ...draft, melds: placed(others, meld, after) });
}

/** Put tiles back on the rack: only those that came from it in this turn, and jokers where they may be kept. */
export function toRack(draft: Draft, base: Draft, tiles: readonly Tile[], rules: Rules): Moved {
  if (take(draft, tiles) === null) {
    return refused('not-there', tiles);
  }
  const own = new Set(base.rack);
  const mayGo = (tile: Tile): boolean => own.has(tile) || (isJoker(tile) && rules.jokerGoes === 'rack');
  const going = tiles.filter(mayGo);
  const staying = tiles.filter((tile) => !mayGo(tile));
  const refusal: Refusal | null =
    staying.length === 0 ? null : { reason: staying.every(isJoker) ? 'joker-stays' : 'table-tile', tiles: staying };
  if (going.length === 0 && refusal !== null) {
    return { ok: false, refusal };
  }
  const rest = without(draft, going, rules);
  return { ok: true, draft: { ...rest, rack: [...rest.rack, ...going] }, refusal };
}

/** Divide a meld before the tile at this index. */
export function split(draft: Draft, id: number, index: number, rules: Rules): Moved {
  const meld = meldById(draft, id);
  if (meld === null) {
    return refused('no-such-meld', []);
  }
  const tail = meld.tiles.slice(Math.max(0, index));
  return tail.length === 0 || tail.length === meld.tiles.length ? settled(draft) : toNewMeld(draft, tail, rules, id);
}

/** Lay melds as somebody else proposes them: the hint's best play, or what was typed. */
export function withTable(draft: Draft, melds: readonly DraftMeld[]): Draft {
  const lying = new Set(melds.flatMap((meld) => meld.tiles));
  return {
    melds,
    rack: allOf(draft).filter((tile) => !lying.has(tile)),
    next: Math.max(draft.next, ...melds.map((meld) => meld.id + 1)),
  };
}

/** The draft with jokers exchanged within their melds, where nobody sees which is which: one that can go on standing for
 * what it stood for as the turn began does, so that what looks as if it had stayed has stayed. */
export function keepJokers(draft: Draft, base: Draft): Draft {
  const stood = new Map(base.melds.flatMap(meldPieces).map((piece) => [piece.tile, piece.as]));
  const stays = ({ tile, as }: Piece): boolean => as !== null && sameFace(stood.get(tile) ?? null, as);
  const melds = draft.melds.map((meld) => {
    const pieces = meldPieces(meld);
    for (const tile of meld.tiles.filter(isJoker)) {
      const from = pieces.findIndex((piece) => piece.tile === tile);
      const to = pieces.findIndex((piece) => isJoker(piece.tile) && stays({ tile, as: piece.as }) && !stays(piece));
      const [own, other] = [pieces[from], pieces[to]];
      if (own !== undefined && other !== undefined && !stays(own)) {
        pieces[from] = { tile: other.tile, as: own.as };
        pieces[to] = { tile, as: other.as };
      }
    }
    return pieces.every((piece, place) => piece.tile === meld.tiles[place]) ? meld : meldOf(meld.id, pieces);
  });
  return melds.every((meld, place) => meld === draft.melds[place]) ? draft : { ...draft, melds };
}

/** What goes to the server: every meld as it lies, with the names of its jokers. */
export function tableText(draft: Draft): string[] {
  return draft.melds.map((meld) => writeMeld(meldPieces(meld)));
}

/** The rack tiles that lie on the table now. */
export function laid(draft: Draft, base: Draft): Tile[] {
  const own = new Set(base.rack);
  return draft.melds.flatMap((meld) => meld.tiles).filter((tile) => own.has(tile));
}

/** The table's tiles that are on the rack now: jokers, where they may be kept. */
export function taken(draft: Draft, base: Draft): Tile[] {
  const own = new Set(base.rack);
  return draft.rack.filter((tile) => !own.has(tile));
}

/** Whether two melds are of the same tiles, and their jokers stand for the same. */
export function sameMeld(a: DraftMeld, b: DraftMeld): boolean {
  return (
    a.tiles.length === b.tiles.length &&
    a.tiles.every((tile) => b.tiles.includes(tile) && sameFace(nameOf(a, tile), nameOf(b, tile)))
  );
}

/** The melds that lie as they did when the turn began. */
export function unchanged(draft: Draft, base: Draft): Set<number> {
  const same = draft.melds.filter((meld) => base.melds.some((one) => sameMeld(meld, one)));
  return new Set(same.map((meld) => meld.id));
}

/** The melds that are new, or not as they were when the turn began. */
export function changed(draft: Draft, base: Draft): Set<number> {
  const same = unchanged(draft, base);
  return new Set(draft.melds.map((meld) => meld.id).filter((id) => !same.has(id)));
}

/** Whether nothing differs from how the turn began. */
export function isUnchanged(draft: Draft, base: Draft): boolean {
  return draft.melds.length === base.melds.length && changed(draft, base).size === 0;
}

function settled(draft: Draft): Moved {
  return { ok: true, draft, refusal: null };
}

function refused(reason: RefusalReason, tiles: readonly Tile[]): Moved {
  return { ok: false, refusal: { reason, tiles } };
}

/** The tiles as pieces; null unless all are there, once each. A joker moved alone does not keep its name. */
function take(draft: Draft, tiles: readonly Tile[]): Piece[] | null {
  const there = new Set(allOf(draft));
  if (tiles.length === 0 || new Set(tiles).size < tiles.length || tiles.some((tile) => !there.has(tile))) {
    return null;
  }
  return tiles.map((tile) => {
    const meld = meldWith(draft, tile);
    return { tile, as: meld === null || tiles.every(isJoker) ? null : nameOf(meld, tile) };
  });
}

/** The draft without these tiles; `keep` is a meld that stays although it may be empty, and is not put in order. */
function without(draft: Draft, tiles: readonly Tile[], rules: Rules, keep?: number): Draft {
  let next = draft.next;
  const melds = draft.melds.flatMap((meld) => {
    const pieces = meldPieces(meld).filter((piece) => !tiles.includes(piece.tile));
    if (pieces.length === meld.tiles.length || meld.id === keep) {
      return [meld];
    }
    const parts = closeHole(pieces, rules);
    return parts.map((part, place) => meldOf(place === 0 ? meld.id : next++, arrange(part, rules)));
  });
  return { melds, rack: draft.rack.filter((tile) => !tiles.includes(tile)), next };
}

/** What is left of a meld: two melds, where a tile taken from the middle leaves a whole run on either side. */
function closeHole(pieces: readonly Piece[], rules: Rules): Parts {
  if (pieces.length === 0) {
    return [];
  }
  if (!judge(pieces, rules).ok && rules.rearranging === 'free') {
    for (let at = 1; at < pieces.length; at += 1) {
      const parts = [pieces.slice(0, at), pieces.slice(at)];
      if (parts.every((part) => judge(part, rules).ok)) {
        return parts;
      }
    }
  }
  return [pieces];
}

/** The melds that come of putting pieces into a meld at a place: one where they belong, else more. */
function insert(staying: readonly Piece[], moved: readonly Piece[], at: number, rules: Rules): Parts {
  const before = staying.slice(0, at);
  const after = staying.slice(at);
  const whole = [...before, ...moved, ...after];
  const inside = before.length > 0 && after.length > 0;
  const free = rules.rearranging === 'free';
  if (inside && free && moved.every((piece) => isJoker(piece.tile)) && isValid(staying, rules)) {
    const parts = joinings(before, moved, after).find((some) => some.every((part) => isValid(part, rules)));
    if (parts !== undefined) {
      return parts;
    }
  }
  if (isValid(whole, rules) || promising(tilesIn(whole), rules)) {
    return [whole];
  }
  if (!free) {
    return inside ? [staying, moved] : [whole];
  }
  return divided(staying, moved, at, inside, rules) ?? (inside ? [before, moved, after] : [whole]);
}

/** The division in which the pieces go with one part of the meld: one that leaves only finished melds, at any place;
 * or else, between two tiles, one whose parts can all become melds without a gap. The nearest place is the best. */
function divided(
  staying: readonly Piece[],
  moved: readonly Piece[],
  at: number,
  inside: boolean,
  rules: Rules,
): Parts | null {
  const places = staying.map((_, place) => place).slice(1);
  const all = places
    .toSorted((a, b) => Math.abs(a - at) - Math.abs(b - at))
    .flatMap((place) => joinings(staying.slice(0, place), moved, staying.slice(place)));
  const good = all.find((parts) => parts.every((part) => isValid(part, rules)));
  if (good !== undefined || !inside) {
    return good ?? null;
  }
  return all.find((parts) => parts.every((part) => promising(tilesIn(part), rules) && !hasGap(part, rules))) ?? null;
}

function joinings(before: readonly Piece[], moved: readonly Piece[], after: readonly Piece[]): Parts[] {
  return [
    [[...before, ...moved], after],
    [before, [...moved, ...after]],
  ];
}

function isValid(pieces: readonly Piece[], rules: Rules): boolean {
  return judge(arrange(pieces, rules), rules).ok;
}

/** Whether numbers are missing between tiles of one colour. */
function hasGap(pieces: readonly Piece[], rules: Rules): boolean {
  const numbers = arrange(pieces, rules).map((piece) => piece.as?.number ?? numberOf(piece.tile));
  return numbers.some((number, place) => {
    const last = numbers[place - 1];
    return number !== null && last !== null && last !== undefined && number - last > 1;
  });
}

function tilesIn(pieces: readonly Piece[]): Tile[] {
  return pieces.map((piece) => piece.tile);
}

/** The melds with one more, after the one with this id; null: before all; undefined: at the end. */
function placed(melds: readonly DraftMeld[], made: DraftMeld, after?: number | null): DraftMeld[] {
  const at = after === null ? 0 : melds.findIndex((meld) => meld.id === after) + 1;
  const place = after === undefined || (at === 0 && after !== null) ? melds.length : at;
  return melds.toSpliced(place, 0, made);
}

/** The meld to put a new one after, when the one that was meant may just have lost its last tile. */
function afterIn(draft: Draft, rest: Draft, after?: number | null): number | null | undefined {
  if (after === null || after === undefined || meldById(rest, after) !== null) {
    return after;
  }
  const place = draft.melds.findIndex((meld) => meld.id === after);
  const earlier = draft.melds.slice(0, Math.max(0, place)).findLast((meld) => meldById(rest, meld.id) !== null);
  return place < 0 ? undefined : (earlier?.id ?? null);
}
