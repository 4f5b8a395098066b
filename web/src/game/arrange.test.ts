import { describe, expect, it } from 'vitest';
import { arrange } from './arrange';
import { judge, readings } from './melds';
import { luck, rules, shuffled, type RulesetId } from './testkit';
import { COLOURS, allTiles, colourOf, compareTiles, isJoker, numberOf, readMeld, writeMeld } from './tiles';

function arranged(written: string, ruleset: RulesetId = 'sabra'): string {
  return writeMeld(arrange(readMeld(written), rules(ruleset)));
}

describe('a run', () => {
  it.each([
    ['r7 r5 r6', 'r5 r6 r7'],
    ['r8 r5', 'r5 r8'],
    ["r6' r5 r6 r7", "r5 r6 r6' r7"],
    ['r5 r7 j', 'r5 j=r6 r7'],
    ['j r5 r7', 'r5 j=r6 r7'],
    ['r5 r6 j', 'r5 r6 j=r7'],
    ['j r5 r6', 'j=r4 r5 r6'],
    ['r5 j r6', 'r5 r6 j=r7'],
    ['r4 j r5 r6', 'j=r3 r4 r5 r6'],
    ['r4 r5 j r6', 'r4 r5 r6 j=r7'],
    ['r12 r13 j', 'j=r11 r12 r13'],
    ['j r1 r2', 'r1 r2 j=r3'],
    ['r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13 j', 'r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13 j'],
    ["r2 r5 j j'", "r2 j=r3 j'=r4 r5"],
    ["r2 r9 j j'", "r2 j=r7 j'=r8 r9"],
    ["j r2 r4 j'", "r2 j=r3 r4 j'=r5"],
  ])('%s lies as %s', (written, lies) => {
    expect(arranged(written)).toBe(lies);
  });

  it.each([
    ['a joker keeps its name', 'r4 r5 j=r6', 'r4 r5 j=r6'],
    ['also when the run grows at its other end', 'r3 r4 r5 j=r6', 'r3 r4 r5 j=r6'],
    ['also when the run grows beyond it', 'r4 r5 j=r6 r7', 'r4 r5 j=r6 r7'],
    ['also when the tiles come in another order', 'r7 j=r6 r4 r5', 'r4 r5 j=r6 r7'],
    ['also when only one tile is left beside it', 'r5 j=r6', 'r5 j=r6'],
    ['and goes to an end when its tile comes', 'r5 j=r6 r7 r6', 'r5 r6 r7 j=r8'],
    ['or fills another gap', 'r5 j=r6 r6 r8', 'r5 r6 j=r7 r8'],
    ['a name of another colour is forgotten', 'b9 b10 j=r6', 'b9 b10 j=b11'],
    ['a name of a group is forgotten', 'b9 b10 j=5', 'b9 b10 j=b11'],
    ['a number alone will do in a run', 'r4 j=5 r6', 'r4 j=r5 r6'],
    ['a joker named below stays below', 'r5 r6 j=r4', 'j=r4 r5 r6'],
  ])('%s: %s', (_, written, lies) => {
    expect(arranged(written)).toBe(lies);
  });
});

describe('a group', () => {
  it.each([
    ['y5 r5 k5', 'r5 k5 y5'],
    ['j y5 r5', 'r5 y5 j=5'],
    ['y5 r5', 'r5 y5'],
    ['r5 b5 k5 y5 j', 'r5 b5 k5 y5 j=5'],
    ["y5 r5' r5", "r5 r5' y5"],
  ])('%s lies as %s', (written, lies) => {
    expect(arranged(written)).toBe(lies);
  });
});

describe('one tile with jokers', () => {
  it.each([
    ["r5 j j'", 'sabra', "r5 j=r6 j'=r7"],
    ["j r5 j'", 'sabra', "j=r4 r5 j'=r6"],
    ["r13 j j'", 'sabra', "j=r11 j'=r12 r13"],
    ["r5 j=5 j'", 'sabra', "r5 j=5 j'=5"],
    ["r5 j=r6 j'", 'sabra', "r5 j=r6 j'=r7"],
    ["r5 j=b9 j'", 'sabra', "r5 j=r6 j'=r7"],
    ['r5 j=5', 'sabra', 'r5 j=5'],
    ["r5 j=5 j'", 'junior', "r5 j=r6 j'=r7"],
    ['j r5', 'sabra', 'j r5'],
    ['j r5', 'junior', 'j=r4 r5'],
  ] as const)('%s under %s lies as %s', (written, ruleset, lies) => {
    expect(arranged(written, ruleset)).toBe(lies);
  });
});

describe('neither', () => {
  it.each(['b9 r4 r5', 'j=r5 b9 r6', "j j'", ''])('%j lies as it was laid', (written) => {
    expect(arranged(written)).toBe(written);
  });
});

describe('whatever is laid', () => {
  const next = luck(11);
  const all = allTiles(13, 2, 2);
  // Neighbours of one tile, by colour or by number, and the jokers: often a meld, and nearly as often not quite one.
  const some = Array.from({ length: 1500 }, () => {
    const colour = COLOURS[next(4)] ?? 'r';
    const number = 1 + next(13);
    const run = next(2) === 0;
    const near = all.filter((tile) => {
      const away = Math.abs((numberOf(tile) ?? number) - number);
      return (
        isJoker(tile) || (run ? colourOf(tile) === colour && away < 3 : away === 0) || (away < 2 && next(20) === 0)
      );
    });
    return shuffled(near, next).slice(0, 1 + next(6));
  });

  it('keeps its tiles, and stays as it lies', { timeout: 30_000 }, () => {
    for (const tiles of some) {
      const once = arrange(
        tiles.map((tile) => ({ tile, as: null })),
        rules(),
      );
      expect(once.map((piece) => piece.tile).toSorted(compareTiles)).toEqual(tiles.toSorted(compareTiles));
      expect(writeMeld(arrange(once, rules()))).toBe(writeMeld(once));
    }
  });

  it('is a meld whenever it can be one, in any order, and then all its jokers are named', { timeout: 30_000 }, () => {
    let melds = 0;
    for (const tiles of some) {
      const lies = arrange(
        tiles.map((tile) => ({ tile, as: null })),
        rules(),
      );
      const judged = judge(lies, rules());
      expect([tiles, judged.ok]).toEqual([tiles, readings(tiles, rules()).length > 0]);
      if (judged.ok) {
        melds += 1;
        expect(judged.tiles).toEqual(lies.map((piece) => piece.tile));
        expect(lies.every((piece) => piece.as !== null || !piece.tile.startsWith('j'))).toBe(true);
      }
    }
    expect(melds).toBeGreaterThan(100);
  });

  it('never has a number that is not in the game', { timeout: 30_000 }, () => {
    for (const tiles of some) {
      const lies = arrange(
        tiles.map((tile) => ({ tile, as: null })),
        rules('junior'),
      );
      expect(lies.filter((piece) => piece.as !== null && (piece.as.number < 1 || piece.as.number > 10))).toEqual([]);
    }
  });
});
