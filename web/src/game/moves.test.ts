import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import plays from '../../../tests/truth/plays.json';
import type { DraftMeld } from './draft';
import { carry, follow, followSeen, litTiles, partners, replay, tileMoves } from './moves';
import { draft, shortly, toldApart } from './testkit';
import { compareTiles, readTable, tilesOf } from './tiles';

describe('melds from one table to the next', () => {
  it('are those that share most tiles', () => {
    const before = ['r4 r5 r6 r7 r8', 'b1 b2 b3'].map(tilesOf);
    expect(partners(before, ['b1 b2 b3', 'r4 r5 r6', "r6' r7 r8", 'k1 k2 k3'].map(tilesOf))).toEqual([
      1,
      0,
      null,
      null,
    ]);
    expect(partners(before, ['r4 r5', 'r6 r7 r8'].map(tilesOf))).toEqual([null, 0]);
  });

  it('keep their ids and places, although the server puts changed ones last', () => {
    const before = draft('r1 r2 r3 | b1 b2 b3 | k1 k2 k3', 'b4 y1 y2 y3');
    const after = follow(before, ['r1 r2 r3', 'k1 k2 k3', 'y1 y2 y3', 'b1 b2 b3 b4'], []);
    expect(shortly(after)).toBe('r1 r2 r3 | b1 b2 b3 b4 | k1 k2 k3 | y1 y2 y3');
    expect(after.melds.map((meld) => meld.id)).toEqual([0, 1, 2, 3]);
    expect(after.next).toBe(4);
  });

  it('bring the names of their jokers', () => {
    const { melds } = carry([], readTable('r1 j=r2 r3'), 5);
    expect(melds).toEqual([{ id: 5, tiles: ['r1', 'j', 'r3'], names: { j: { colour: 'r', number: 2 } } }]);
  });
});

describe("somebody else's draft", () => {
  const table = draft('b8 b9 b10 | r1 j=r2 r3').melds;

  it('has tiles that lie face down, each with a name that it keeps', () => {
    const first = followSeen(
      table,
      [
        ['b8', 'b9', 'b10', '?'],
        ['r1', 'j=r2', 'r3'],
        ['?', '?'],
      ],
      2,
    );
    expect(first.melds.map((meld) => meld.tiles.join(' '))).toEqual(['b8 b9 b10 ?0', 'r1 j r3', '?1 ?2']);
    expect(first.melds.map((meld) => meld.id)).toEqual([0, 1, 2]);
    const second = followSeen(
      first.melds,
      [
        ['b8', 'b9', 'b10', '?', '?'],
        ['r1', 'j=r2', 'r3'],
      ],
      first.next,
    );
    expect(second.melds.map((meld) => meld.tiles.join(' '))).toEqual(['b8 b9 b10 ?0 ?3', 'r1 j r3']);
  });

  it('keeps what its jokers stand for', () => {
    const { melds } = followSeen(
      table,
      [
        ['b8', 'b9', 'b10'],
        ['?', 'r1', 'j=r2', 'r3'],
      ],
      2,
    );
    expect(melds[1]?.names).toEqual({ j: { colour: 'r', number: 2 } });
  });
});

describe('the moves of a play', () => {
  const before = draft('r4 r5 r6 r7 r8 | b6 k6 j=6', "r6' y6").melds;
  const after = carry(before, readTable("b6 k6 y6 | r4 r5 r6' | r6 r7 r8"), 2).melds;

  it('are the tiles that lie elsewhere', () => {
    expect(tileMoves(before, after)).toEqual([
      { tile: 'r4', from: { on: 'meld', meld: 0 }, to: { on: 'meld', meld: 2 } },
      { tile: 'r5', from: { on: 'meld', meld: 0 }, to: { on: 'meld', meld: 2 } },
      { tile: "r6'", from: { on: 'rack' }, to: { on: 'meld', meld: 2 } },
      { tile: 'y6', from: { on: 'rack' }, to: { on: 'meld', meld: 1 } },
      { tile: 'j', from: { on: 'meld', meld: 1 }, to: { on: 'rack' } },
    ]);
  });

  it('leave what was divided off beside its meld, on the side where it was', () => {
    expect(after.map((meld) => meld.tiles.join(' '))).toEqual(["r4 r5 r6'", 'r6 r7 r8', 'b6 k6 y6']);
    const upper = carry(before, readTable("b6 k6 j=6 | r4 r5 r6 | r6' r7 r8"), 2).melds;
    expect(upper.map((meld) => meld.tiles.join(' '))).toEqual(['r4 r5 r6', "r6' r7 r8", 'b6 k6 j']);
  });

  it('leave lit what was laid, and jokers that were turned', () => {
    expect([...litTiles(before, after)].toSorted(compareTiles)).toEqual(["r6'", 'y6']);
    const turned = carry(before, readTable('r4 r5 r6 r7 r8 | j=b5 b6 b7'), 2).melds;
    expect([...litTiles(before, turned)].toSorted(compareTiles)).toEqual(['b7', 'j']);
  });
});

/** The melds as texts, in no order, and their tiles in none. */
function sorted(melds: readonly DraftMeld[]): string[] {
  return melds
    .map((meld) => `${meld.id}: ${meld.tiles.toSorted(compareTiles).join(' ')}`)
    .filter((one) => !one.endsWith(': '))
    .toSorted();
}

function without(meld: DraftMeld, tiles: ReadonlySet<string>): DraftMeld {
  return { id: meld.id, tiles: meld.tiles.filter((tile) => !tiles.has(tile)) };
}

describe('a replay', () => {
  it('tells a play in steps that end at the new table', () => {
    const before = draft('r4 r5 r6 r7 r8 | k1 k2 k3', '').melds;
    const after = carry(before, readTable("r4 r5 r6' | r6 r7 r8 | k1 k2 k3 k4"), 2).melds;
    const steps = replay(before, after);
    expect(steps.map((one) => [one.verb, one.tiles.join(' ')])).toEqual([
      ['move', 'r4 r5'],
      ['lay', "r6'"],
      ['lay', 'k4'],
    ]);
    expect(steps.map((one) => one.melds.map((meld) => meld.tiles.join(' ')).join(' | '))).toEqual([
      'r4 r5 | r6 r7 r8 | k1 k2 k3',
      "r4 r5 r6' | r6 r7 r8 | k1 k2 k3",
      "r4 r5 r6' | r6 r7 r8 | k1 k2 k3 k4",
    ]);
  });

  it('shows a joker that stands for something else in its meld', () => {
    const before = draft('b6 b7 j=b8').melds;
    const after = carry(before, readTable('b4 j=b5 b6 b7'), 1).melds;
    expect(replay(before, after).map((one) => [one.verb, one.tiles.join(' ')])).toEqual([
      ['lay', 'b4'],
      ['turn', 'j'],
    ]);
  });

  it('is nothing where nothing happened', () => {
    const { melds } = draft('r1 r2 r3');
    expect(replay(melds, melds)).toEqual([]);
  });

  const told = plays.filter((play) => play.name !== 'an empty meld is no meld');

  it.each(told.map((play) => [play.name, play.table, play.after]))('of %s ends at its table', (_, table, end) => {
    const before = draft(toldApart(table)).melds;
    const after = carry(before, readTable(toldApart(end)), before.length).melds;
    const steps = replay(before, after);
    expect(steps.at(-1)?.melds ?? before).toEqual(after);
    for (const one of steps) {
      const tiles = one.melds.flatMap((meld) => meld.tiles);
      expect(new Set(tiles).size).toBe(tiles.length);
      expect(one.melds.every((meld) => meld.tiles.length > 0)).toBe(true);
    }
  });

  it('moves every tile at most once, and ends at any table', { timeout: 30_000 }, () => {
    const tiles = tilesOf("r1 r2 r3 r4 b1 b2 b3 b4 k1 k2 k3 k4 j j' y1 y2 y3 y4");
    const tables = fc
      .tuple(
        fc.shuffledSubarray(tiles, { minLength: 1 }),
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 20, maxLength: 20 }),
      )
      .map(([some, sizes]) => {
        const left = [...some];
        return sizes
          .map((size) => left.splice(0, size).map((tile) => ({ tile, as: null })))
          .filter((one) => one.length > 0);
      });
    fc.assert(
      fc.property(tables, tables, (one, two) => {
        const before = carry([], one, 0);
        const after = carry(before.melds, two, before.next).melds;
        const steps = replay(before.melds, after);
        const moved = steps.flatMap((each) => each.tiles);
        expect(new Set(moved).size).toBe(moved.length);
        expect(moved.toSorted()).toEqual(
          tileMoves(before.melds, after)
            .map((move) => move.tile)
            .toSorted(),
        );
        expect(sorted(steps.at(-1)?.melds ?? before.melds)).toEqual(sorted(after));
        // All but the last step are made; the last one is the table itself, so look at the one before it.
        const nearly = steps.at(-2)?.melds ?? before.melds;
        const last = new Set(steps.at(-1)?.tiles);
        const rest = (melds: readonly DraftMeld[]): string[] => sorted(melds.map((meld) => without(meld, last)));
        expect(rest(nearly)).toEqual(rest(after));
      }),
      { numRuns: 200 },
    );
  });
});
