import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keepOrder, orderOf, placeInRack, playable, shown, sortRack, type RackOrder } from './order';
import { draft, luck, rules, shuffled } from './testkit';
import { allTiles, compareTiles, tilesOf } from './tiles';

const RACK = tilesOf("y3 j b2 r13 b2' r2 k1");
const nothing = { melds: [], rules: rules() };

function hand(tiles: string): RackOrder {
  return { by: 'hand', tiles: tilesOf(tiles) };
}

describe('a rack is sorted', () => {
  it('by colour', () => {
    expect(orderOf(RACK).tiles.join(' ')).toBe("r2 r13 b2 b2' k1 y3 j");
  });

  it('by number', () => {
    expect(sortRack(orderOf(RACK), RACK, 'number', nothing).tiles.join(' ')).toBe("k1 r2 b2 b2' y3 r13 j");
  });

  it('by what is playable: melds of the rack, then what can be added to the table, then the rest', () => {
    const rack = tilesOf('y1 k7 r5 b8 k2 r4 r6 b12 j');
    const playing = { melds: draft("b5 b6 b7 | k8 y8 j'=8 | r10 r11 r12").melds, rules: rules() };
    const order = sortRack(orderOf(rack, 'number'), rack, 'playable', playing);
    expect(order.tiles.join(' ')).toBe('r4 r5 r6 b8 j b12 k2 k7 y1');
    expect(order.by).toBe('playable');
  });

  it('with the tiles in their places that lie on the table for now', () => {
    const order = sortRack(orderOf(RACK), ['k1', 'y3'], 'number', nothing);
    expect(shown(order, RACK).join(' ')).toBe("k1 r2 b2 b2' y3 r13 j");
    expect(shown(order, ['y3', 'k1']).join(' ')).toBe('k1 y3');
  });
});

describe('what is playable', () => {
  it.each([
    ['a run from the rack', '', 'r4 r5 r6 k1', 'r4 r5 r6'],
    ['a group with a joker', '', 'r4 b4 j k1', 'r4 b4 j'],
    ['the end of a run', 'r4 r5 r6', 'r7 r9', 'r7'],
    ['the colour that a group lacks', 'r4 b4 k4', "y4 r4'", 'y4'],
    ['a tile that frees a joker', 'r4 j=r5 r6', 'r5 b5', 'r5'],
    ['a tile that frees a joker of a group', 'r4 b4 j=4', "y4 r4'", 'y4'],
    ['a joker, while there is a meld', 'r4 r5 r6', 'j k9', 'j'],
    ['nothing', 'r4 r5 r6', 'b1 k9', ''],
  ])('%s', (_, table, rack, found) => {
    expect(playable(tilesOf(rack), { melds: draft(table).melds, rules: rules() }).join(' ')).toBe(found);
  });
});

describe('an order by hand', () => {
  it.each([
    ['b9', 0, 'b9 r1 k5 y7'],
    ['r1', 0, 'r1 b9 k5 y7'],
    ['r1', 2, 'b9 k5 r1 y7'],
    ['r1', 3, 'b9 k5 y7 r1'],
    ['r1', 99, 'b9 k5 y7 r1'],
    ['y7', 1, 'r1 y7 b9 k5'],
    ['y7 r1', 1, 'b9 y7 r1 k5'],
  ])('has %s at place %i', (tiles, index, after) => {
    const order = hand('r1 b9 k5 y7');
    expect(shown(placeInRack(order, order.tiles, tilesOf(tiles), index), order.tiles).join(' ')).toBe(after);
  });

  it('has a place for tiles that come', () => {
    const order = placeInRack(hand('r1 b9 k5'), tilesOf('r1 b9 k5'), ['y7'], 1);
    expect(order).toEqual({ by: 'hand', tiles: tilesOf('r1 y7 b9 k5') });
  });

  it('keeps the place of a tile that is laid and taken back', () => {
    const order = hand('r1 b9 k5 y7');
    expect(shown(order, tilesOf('r1 k5 y7')).join(' ')).toBe('r1 k5 y7');
    expect(shown(order, tilesOf('k5 y7 b9 r1')).join(' ')).toBe('r1 b9 k5 y7');
    const moved = placeInRack(order, tilesOf('r1 k5 y7'), ['y7'], 0);
    expect(shown(moved, tilesOf('r1 b9 k5 y7')).join(' ')).toBe('y7 r1 b9 k5');
  });

  it('survives plays and draws; what is drawn comes last', () => {
    expect(keepOrder(hand('y7 r1 k5'), tilesOf('r1 y7 b3 b2'))).toEqual(hand('y7 r1 b2 b3'));
  });

  it('is the same when the rack is', () => {
    const order = hand('y7 r1 k5');
    expect(keepOrder(order, tilesOf('k5 r1 y7'))).toBe(order);
  });
});

describe('a sorted order', () => {
  it('has drawn tiles sorted in', () => {
    expect(keepOrder(orderOf(tilesOf('r1 k5 y7')), tilesOf('r1 y7 b3'))).toEqual({
      by: 'colour',
      tiles: tilesOf('r1 b3 y7'),
    });
    const byNumber = sortRack(orderOf([]), tilesOf('r1 k5 y7'), 'number', nothing);
    expect(keepOrder(byNumber, tilesOf('r1 k5 y7 b3')).tiles.join(' ')).toBe('r1 b3 k5 y7');
  });

  it('by what is playable has drawn tiles last, so that nothing jumps', () => {
    const order = sortRack(orderOf([]), tilesOf('r4 r5 r6 b1'), 'playable', nothing);
    expect(keepOrder(order, tilesOf('r4 r5 r6 b1 b2')).tiles.join(' ')).toBe('r4 r5 r6 b1 b2');
  });
});

describe('whatever is done to it', () => {
  it('a rack shows each of its tiles once', { timeout: 30_000 }, () => {
    const all = allTiles(13, 2, 2);
    fc.assert(
      fc.property(
        fc.shuffledSubarray(all, { maxLength: 30 }),
        fc.array(fc.tuple(fc.nat(5), fc.nat(30), fc.nat(1000)), { maxLength: 12 }),
        (dealt, steps) => {
          let rack = dealt;
          let order = orderOf(rack);
          for (const [how, index, seed] of steps) {
            const next = luck(seed);
            if (how === 0) {
              rack = shuffled(rack, next).slice(next(3));
            } else if (how === 1) {
              rack = [...rack, ...all.filter((tile) => !rack.includes(tile)).slice(index, index + 2)];
              order = keepOrder(order, rack);
            } else if (how === 2) {
              order = placeInRack(order, rack, shuffled(rack, next).slice(0, 1 + next(3)), index);
            } else {
              order = sortRack(order, rack, how === 3 ? 'colour' : how === 4 ? 'number' : 'playable', nothing);
            }
            expect(shown(order, rack).toSorted(compareTiles)).toEqual(rack.toSorted(compareTiles));
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
