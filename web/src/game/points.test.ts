import { describe, expect, it } from 'vitest';
import { toNewMeld } from './draft';
import { judge } from './melds';
import { bestMelds, laidPoints, rackPoints, totals } from './points';
import { done, draft, luck, rules, shuffled } from './testkit';
import { allTiles, isJoker, tilesOf, type Tile } from './tiles';

describe('the best melds of some tiles', () => {
  it.each([
    ['r1 r2 r3 b9 k9 y9 k4', ['r1 r2 r3', 'b9 k9 y9']],
    ['r4 r5 r6 r7 b7 k7', ['r4 r5 r6', 'r7 b7 k7']],
    ["r5 r6 r6' r7 r7' r8", ['r5 r6 r7', "r6' r7' r8"]],
    ['r1 r2 r3 r4 r5 r6 b1 k1', ['r1 b1 k1', 'r2 r3 r4 r5 r6']],
    ['r5 r6 j b1', ['r5 r6 j']],
    ['r5 r6 r7 j', ['r5 r6 r7']],
    ['r5 r7 j', ['r5 j r7']],
    ['j r1 b5', []],
    ["j j' b5", ["b5 j j'"]],
    ['r1 b2 k3', []],
  ])('%s', (tiles, melds) => {
    const found = bestMelds(tilesOf(tiles), rules()).map((meld) => meld.join(' '));
    expect(found.toSorted()).toEqual(melds.toSorted());
  });

  it('are melds, of these tiles alone, and no fewer than taking them as they come finds', { timeout: 30_000 }, () => {
    const next = luck(3);
    for (let time = 0; time < 30; time += 1) {
      const rack = shuffled(allTiles(9, 2, 2), next).slice(0, 8 + next(10));
      const melds = bestMelds(rack, rules());
      const used = melds.flat();
      expect(new Set(used).size).toBe(used.length);
      expect(used.every((tile) => rack.includes(tile))).toBe(true);
      expect(melds.every((meld) => judge(named(meld), rules()).ok)).toBe(true);
      expect(rest(rack, used).length).toBeLessThanOrEqual(greedyRest(rack).length);
    }
  });

  /** Two jokers beside one number are a run or a group: say which. */
  function named(meld: readonly Tile[]) {
    const own = meld.find((tile) => !isJoker(tile)) ?? '';
    const alone = meld.filter((tile) => !isJoker(tile)).length === 1;
    return meld.map((tile) => ({
      tile,
      as: alone && isJoker(tile) ? { colour: null, number: Number(/\d+/.exec(own)?.[0]) } : null,
    }));
  }

  function rest(rack: readonly Tile[], used: readonly Tile[]): Tile[] {
    return rack.filter((tile) => !used.includes(tile) && !isJoker(tile));
  }

  /** Runs of three and groups of three, taken as they come. */
  function greedyRest(rack: readonly Tile[]): Tile[] {
    let left = rack.filter((tile) => !isJoker(tile));
    for (let at = 0; at < left.length; at += 1) {
      const three = left.flatMap((second, two) => left.slice(two + 1).map((third) => [left[at] ?? '', second, third]));
      const found = three.find((some) => new Set(some).size === 3 && judge(some, rules()).ok);
      if (found !== undefined) {
        left = left.filter((tile) => !found.includes(tile));
        at = -1;
      }
    }
    return left;
  }
});

describe('points', () => {
  it('of laid tiles count a joker as what it stands for', () => {
    const base = draft('k1 k2 k3', 'r11 r12 j b5');
    expect(laidPoints(done(toNewMeld(base, ['r11', 'r12', 'j'], rules())), base)).toBe(36);
    expect(laidPoints(base, base)).toBe(0);
  });

  it('of a rack count a joker as the rulebook says', () => {
    expect(rackPoints(tilesOf('r13 b1 j'), rules('sabra'))).toBe(39);
    expect(rackPoints(tilesOf('r13 b1 j'), rules('classic'))).toBe(44);
  });

  it('of rounds add up', () => {
    expect(
      totals(
        [
          [10, -4, -6],
          [-3, 5, -2],
        ],
        3,
      ),
    ).toEqual([7, 1, -8]);
    expect(totals([], 2)).toEqual([0, 0]);
  });
});
