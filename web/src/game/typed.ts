/** Typed notation as a way to move tiles: a few melds, or the whole table. */

import { arrange } from './arrange';
import { allOf, meldPieces, withTable, type Draft, type DraftMeld } from './draft';
import { carry } from './moves';
import type { Rules } from './rules';
import { Unreadable, copyOf, isJoker, plain, readTable } from './tiles';
import type { Piece, Tile, UnreadableCode } from './tiles';

/** What was typed as a new draft, or the word that is wrong and why: it is no tile, or is not there to be moved. */
export type Typed =
  | { readonly ok: true; readonly draft: Draft }
  | { readonly ok: false; readonly reason: UnreadableCode | 'not-there' | 'nothing'; readonly word: string };

/** Lay what was typed. `r5 r6 r7` is a meld of such tiles: one that lies there grows by it, otherwise it is new;
 * melds are separated by `|`. Copies need not be told apart; where one is, every word means the very copy. Where every
 * tile on the table is typed again, it is the whole table. Tiles come from the rack where it has them, and else from
 * other melds. Jokers that are left over go to the rack, where they may be kept.
 */
export function typeDraft(text: string, draft: Draft, rules: Rules): Typed {
  let melds: Piece[][];
  try {
    melds = readTable(tidy(text)).filter((meld) => meld.length > 0);
  } catch (error) {
    if (error instanceof Unreadable) {
      return { ok: false, reason: error.code, word: error.word };
    }
    throw error;
  }
  if (melds.length === 0) {
    return { ok: false, reason: 'nothing', word: '' };
  }
  const found = assign(melds, draft);
  if (typeof found === 'string') {
    return { ok: false, reason: 'not-there', word: found };
  }
  const typed = found.map((pieces) => arrange(pieces, rules));
  const used = new Set(typed.flat().map((piece) => piece.tile));
  const left = draft.melds.flatMap((meld) => {
    const pieces = meldPieces(meld).filter((piece) => !used.has(piece.tile));
    const gone = rules.jokerGoes === 'rack' && pieces.every((piece) => isJoker(piece.tile));
    return pieces.length === 0 || gone ? [] : [pieces.length === meld.tiles.length ? pieces : arrange(pieces, rules)];
  });
  const { melds: laid } = carry(draft.melds, [...left, ...typed], draft.next);
  return { ok: true, draft: withTable(draft, laid) };
}

/** Capitals, commas and other apostrophes are what a keyboard makes of the notation. */
function tidy(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[’‘´`]/g, "'")
    .replaceAll(',', ' ');
}

/** A physical tile for each typed one, or the first word for which there is none. */
function assign(melds: readonly (readonly Piece[])[], draft: Draft): Piece[][] | Tile {
  const free = new Set(allOf(draft));
  const table = draft.melds.flatMap((meld) => meld.tiles);
  const whole = contains(melds.flat(), table);
  const told = melds.flat().some((piece) => copyOf(piece.tile) > 0);
  const sources = whole ? [table, draft.rack] : [draft.rack, table];
  const use = (tile: Tile): Tile => {
    free.delete(tile);
    return tile;
  };
  // What lies in a meld that was typed again stays there; only then are other tiles looked for.
  const kept = melds.map((meld) => {
    const lying = lyingIn(meld, draft.melds, free);
    return meld.map((piece): Piece | null => {
      const tile = lying && choose(piece.tile, [lying.tiles], free);
      const other = told && tile !== piece.tile && free.has(piece.tile);
      return tile && !other ? { tile: use(tile), as: piece.as ?? lying?.names?.[tile] ?? null } : null;
    });
  });
  const result: Piece[][] = [];
  for (const [place, meld] of melds.entries()) {
    const pieces: Piece[] = [];
    for (const [at, typed] of meld.entries()) {
      const exact = told && free.has(typed.tile) ? typed.tile : null;
      const tile = kept[place]?.[at]?.tile ?? exact ?? choose(typed.tile, sources, free);
      if (tile === null) {
        return typed.tile;
      }
      pieces.push(kept[place]?.[at] ?? { tile: use(tile), as: typed.as });
    }
    result.push(pieces);
  }
  return result;
}

/** A tile of this kind from the first place that has one: the very copy, where it is there, or else any. */
function choose(typed: Tile, sources: readonly (readonly Tile[])[], free: ReadonlySet<Tile>): Tile | null {
  for (const source of sources) {
    const there = source.filter((tile) => free.has(tile) && plain(tile) === plain(typed));
    if (there.length > 0) {
      return there.find((tile) => tile === typed) ?? there[0] ?? null;
    }
  }
  return null;
}

/** The longest meld that is in what was typed, whole. */
function lyingIn(typed: readonly Piece[], melds: readonly DraftMeld[], free: ReadonlySet<Tile>): DraftMeld | null {
  const [best] = melds
    .filter((meld) => meld.tiles.every((tile) => free.has(tile)) && contains(typed, meld.tiles))
    .toSorted((a, b) => b.tiles.length - a.tiles.length);
  return best ?? null;
}

/** Whether tiles as typed have at least these ones among them, copies not told apart. */
function contains(typed: readonly Piece[], tiles: readonly Tile[]): boolean {
  const left = typed.map((piece) => plain(piece.tile));
  return tiles.every((tile) => {
    const at = left.indexOf(plain(tile));
    return at >= 0 && left.splice(at, 1).length === 1;
  });
}
