/** Plays that show a rule, made ready to be drawn. */

import { plain, readMeld, tilesOf, type Piece, type Tile } from '../game/tiles';
import type { ToldExample, ToldParagraph, ToldRules, ToldSection } from '../protocol';

export interface DrawnMeld {
  readonly pieces: readonly Piece[];
  /** Which of them came from the rack. */
  readonly laid: readonly boolean[];
}

export interface DrawnPlay {
  readonly before: readonly DrawnMeld[];
  readonly rack: readonly Tile[];
  readonly after: readonly DrawnMeld[];
}

/** The melds of an example, and which tiles came from the rack; where nothing lay before, none is marked. */
export function drawnPlay(example: ToldExample): DrawnPlay {
  const rack = tilesOf(example.rack);
  const waiting = example.before.length > 0 ? rack.map(plain) : [];
  const before = example.before.map(readMeld).map((pieces) => ({ pieces, laid: [] }));
  const stays = before.flatMap(({ pieces }) => pieces.map((piece) => plain(piece.tile)));
  const after = example.after.map(readMeld);
  // Where there is an equal one on the table, the first that is met stays, as a player would see it.
  const spare = new Map<Tile, number>();
  for (const tile of stays) spare.set(tile, (spare.get(tile) ?? 0) + 1);
  const drawn = after.map((pieces) => ({
    pieces,
    laid: pieces.map((piece) => {
      const tile = plain(piece.tile);
      const at = waiting.indexOf(tile);
      const left = spare.get(tile) ?? 0;
      if (left > 0) spare.set(tile, left - 1);
      if (left > 0 || at < 0) return false;
      waiting.splice(at, 1);
      return true;
    }),
  }));
  return { before, rack, after: drawn };
}

/** What stands together: sentences in a list, pictures side by side, score sheets. */
export type Block =
  | { readonly kind: 'lines'; readonly lines: readonly ToldParagraph[] }
  | { readonly kind: 'examples'; readonly examples: readonly (ToldParagraph & { example: ToldExample })[] }
  | { readonly kind: 'words'; readonly words: readonly ToldParagraph[] }
  | { readonly kind: 'sheet'; readonly sheet: ToldParagraph };

/** The paragraphs of a section, those together that are of one kind. */
export function blocksOf(section: ToldSection): Block[] {
  const blocks: Block[] = [];
  for (const paragraph of section.paragraphs) {
    const last = blocks.at(-1);
    if (paragraph.example !== null) {
      const shown = { ...paragraph, example: paragraph.example };
      if (last?.kind === 'examples') blocks[blocks.length - 1] = { ...last, examples: [...last.examples, shown] };
      else blocks.push({ kind: 'examples', examples: [shown] });
    } else if (paragraph.sheet.length > 0) {
      blocks.push({ kind: 'sheet', sheet: paragraph });
    } else if (paragraph.term !== '') {
      if (last?.kind === 'words') blocks[blocks.length - 1] = { ...last, words: [...last.words, paragraph] };
      else blocks.push({ kind: 'words', words: [paragraph] });
    } else if (last?.kind === 'lines') {
      blocks[blocks.length - 1] = { ...last, lines: [...last.lines, paragraph] };
    } else {
      blocks.push({ kind: 'lines', lines: [paragraph] });
    }
  }
  return blocks;
}

/** The sections without what is about the rulebook itself, and that on its own: it belongs to the foot of a page. */
export function withoutNotes(told: ToldRules): { sections: ToldSection[]; notes: string[] } {
  const isNote = (section: ToldSection, paragraph: ToldParagraph): boolean =>
    section.key === 'words' && paragraph.term === '';
  const sections = told.sections.map((section) => ({
    ...section,
    paragraphs: section.paragraphs.filter((paragraph) => !isNote(section, paragraph)),
  }));
  const notes = told.sections.flatMap((section) =>
    section.paragraphs.filter((paragraph) => isNote(section, paragraph)).map((paragraph) => paragraph.text),
  );
  return { sections: sections.filter((section) => section.paragraphs.length > 0), notes };
}
