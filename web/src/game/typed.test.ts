import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import plays from '../../../tests/truth/plays.json';
import { laid } from './draft';
import { draft, everything, rules, shortly, toldApart, type RulesetId } from './testkit';
import { typeDraft } from './typed';
import { plain, readTable, tilesOf } from './tiles';

function typed(text: string, table: string, rack: string, ruleset: RulesetId = 'sabra'): string {
  const result = typeDraft(text, draft(table, rack), rules(ruleset));
  return result.ok ? shortly(result.draft) : `${result.reason}: ${result.word}`;
}

describe('what is typed', () => {
  it.each([
    ['is a new meld from the rack', 'r5 r6 r7', 'k1 k2 k3', 'r7 r5 r6', 'k1 k2 k3 | r5 r6 r7'],
    ['may be in any order and in capitals', 'R7, r5,R6', '', 'r7 r5 r6', 'r5 r6 r7'],
    ['makes a meld longer that is in it', 'k1 k2 k3 k4', 'k1 k2 k3 | b1 b2 b3', 'k4', 'k1 k2 k3 k4 | b1 b2 b3'],
    ['may be several melds', 'r5 r6 r7 | k1 k2 k3 k4', 'k1 k2 k3', 'r5 r6 r7 k4', 'k1 k2 k3 k4 | r5 r6 r7'],
    ['takes tiles from other melds', 'k4 b4 r4', 'k1 k2 k3 k4', 'b4 r4', 'k1 k2 k3 | r4 b4 k4'],
    ['takes the copy of the rack first', 'r4 b4 k4', "k1 k2 k3 k4'", 'r4 b4 k4', "k1 k2 k3 k4' | r4 b4 k4"],
    ['may be the whole table', 'r4 r5 r6 | r6 r7 r8', 'r4 r5 r6 r7 r8', "r6'", "r4 r5 r6 | r6' r7 r8"],
    ['as a whole table uses what lies there', 'r4 r5 r6', 'r4 r5 r6', "r6'", 'r4 r5 r6'],
    [
      'as a whole table leaves the copy on the rack',
      'r4 b4 k4 y4 | r5 r6 r7',
      "r4' r5 r6 r7 | b4 k4 y4",
      'r4',
      "r5 r6 r7 | r4' b4 k4 y4",
    ],
    [
      'takes the copy that is typed',
      "r4' b4 k4",
      'r4 r5 r6 | y4 y5 y6',
      "b4 k4 r4'",
      "r4 r5 r6 | y4 y5 y6 | r4' b4 k4",
    ],
    ['takes that copy from a meld too', "r4' b4 k4", "r4' r5 r6 r7", 'b4 k4 r4', "r4' b4 k4 | r5 r6 r7"],
    [
      'leaves a meld for the copy that is typed',
      "r9' b9' k9' | k8 k9 k10",
      "r9' b9' k9",
      "k8 k10 k9'",
      "r9' b9' k9' | k8 k9 k10",
    ],
    ['takes the first of two copies on the rack', 'r9 b9 k9', '', "r9' r9 b9 k9", 'r9 b9 k9'],
    ['names jokers', 'r5 j=5 j', '', "r5 j j'", "r5 j=5 j'=5"],
    ['leaves jokers as they stand', 'r3 j r5 r6', 'j=r4 r5 r6', 'r3', 'r3 j=r4 r5 r6'],
    ['may turn a joker', 'b4 j b6 b7', 'b6 b7 j=b8', 'b4', 'b4 j=b5 b6 b7'],
    ['may be unfinished', 'r5 r6', '', 'r5 r6', 'r5 r6'],
    ['may have other apostrophes', 'r5’ r6 r7', '', "r5 r5' r6 r7", "r5' r6 r7"],
  ])('%s', (_, text, table, rack, after) => {
    expect(typed(text, table, rack)).toBe(after);
  });

  it('takes a joker that it leaves over to the rack, where one may be kept', () => {
    expect(typed('y5 y6 y7', 'y5 j=y6 y7 | k1 k2 k3', 'y6', 'junior')).toBe('y5 y6 y7 | k1 k2 k3');
    expect(typed('y5 y6 y7 | j b2 b3', 'y5 j=y6 y7', 'y6 b2 b3', 'junior')).toBe('y5 y6 y7 | j=b1 b2 b3');
    expect(typed('y5 y6 y7', 'y5 j=y6 y7 | k1 k2 k3', 'y6', 'classic')).toBe('y5 y6 y7 | j=y6 | k1 k2 k3');
  });

  it.each([
    ['r5 x6', 'no-colour: x6'],
    ['r5 r99', 'no-number: r99'],
    ['r5 r6 r9', 'not-there: r9'],
    ['r5 r5', 'not-there: r5'],
    ['', 'nothing: '],
    [' | ', 'nothing: '],
    ['r5=r6', 'not-a-joker: r5=r6'],
  ])('%j cannot be laid', (text, said) => {
    expect(typed(text, '', 'r5 r6')).toBe(said);
  });

  const legal = plays.filter((play) => play.codes.sabra.length === 0 && !play.name.includes('rack is empty'));

  it.each(legal.map((play) => [play.name, play]))('of %s is its table', (_, play) => {
    const copies = new Map<string, number>();
    const before = draft(toldApart(play.table, copies), toldApart(play.rack, copies));
    const result = typeDraft(play.after, before, rules());
    const kinds = (text: string): string[] =>
      readTable(text)
        .map((meld) =>
          meld
            .map((one) => plain(one.tile))
            .toSorted()
            .join(' '),
        )
        .toSorted();
    expect(result.ok && kinds(shortly(result.draft))).toEqual(kinds(play.after));
    expect(result.ok && everything(result.draft)).toEqual(everything(before));
    expect(result.ok && laid(result.draft, before).length).toBeGreaterThan(0);
  });

  it('loses no tile, whatever it is', () => {
    const before = draft('r4 r5 r6 r7 r8 | b1 k1 y1 | j=b3 b4 b5', "r6' r1 k9 j'");
    const word = fc.constantFrom(...tilesOf('r4 r5 r6 r7 r8 b1 k1 y1 j b4 b5 r1 k9'), '|', '|', 'j=r5', 'q');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 14 }), (words) => {
        const result = typeDraft(words.join(' '), before, rules());
        expect(everything(result.ok ? result.draft : before)).toEqual(everything(before));
      }),
      { numRuns: 400 },
    );
  });
});
