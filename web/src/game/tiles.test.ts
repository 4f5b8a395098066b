import { describe, expect, it } from 'vitest';
import {
  Unreadable,
  allTiles,
  colourOf,
  compareTiles,
  copyOf,
  faceText,
  isFaceDown,
  isJoker,
  kindOf,
  numberOf,
  plain,
  readFace,
  readMeld,
  readTable,
  textOf,
  tileOf,
  tilesOf,
  writeMeld,
} from './tiles';
import { luck, shuffled } from './testkit';

describe('a tile', () => {
  it('knows its colour, number and copy', () => {
    expect(["b8'", 'r13', "j''"].map((tile) => [colourOf(tile), numberOf(tile), copyOf(tile), kindOf(tile)])).toEqual([
      ['b', 8, 1, 20],
      ['r', 13, 0, 12],
      [null, null, 2, 52],
    ]);
    expect(isJoker("j'")).toBe(true);
    expect(isJoker('k1')).toBe(false);
    expect(plain("y5''")).toBe('y5');
    expect(tileOf('k', 12, 2)).toBe("k12''");
  });

  it('may lie face down', () => {
    expect(isFaceDown('?3')).toBe(true);
    expect([colourOf('?3'), numberOf('?3'), kindOf('?3'), isJoker('?3')]).toEqual([null, null, -1, false]);
  });

  it('has its order: by colour, number and copy, jokers last', () => {
    const sorted = ['r2', "r2'", 'r13', 'b2', 'k1', 'y1', 'j', "j'", '?0', '?1'];
    expect(shuffled(sorted, luck(7)).toSorted(compareTiles)).toEqual(sorted);
  });
});

describe('a tile set', () => {
  it.each([
    [13, 2, 2, 106],
    [13, 3, 4, 160],
    [13, 2, 4, 108],
    [10, 1, 4, 44],
  ])('of %i numbers, %i copies and %i jokers has %i tiles', (numbers, copies, jokers, total) => {
    const tiles = allTiles(numbers, copies, jokers);
    expect(new Set(tiles).size).toBe(total);
    expect(tiles).toHaveLength(total);
    expect(tiles.toSorted(compareTiles)).toEqual(tiles);
  });
});

describe('the notation', () => {
  it('reads back as it is written', () => {
    expect(textOf(tilesOf("  b10 j  b8 b8' "))).toBe("b10 j b8 b8'");
    expect(writeMeld(readMeld("b6 j=b7 j'=5"))).toBe("b6 j=b7 j'=5");
    expect(readTable(' ')).toEqual([]);
    expect(readTable('r1 r2 r3|b1 k1 y1').map(writeMeld)).toEqual(['r1 r2 r3', 'b1 k1 y1']);
    expect(faceText(readFace('y13'))).toBe('y13');
    expect(readFace('13')).toEqual({ colour: null, number: 13 });
  });

  it.each([
    ['x5', 'no-colour'],
    ['R5', 'no-colour'],
    ['r14', 'no-number'],
    ['r0', 'no-number'],
    ['r05', 'no-number'],
    ["r5'''", 'too-many-copies'],
    ["j''''", 'too-many-copies'],
    ['', null],
    ['r', 'no-tile'],
    ['5', 'no-tile'],
    ['r5=r6', 'not-a-joker'],
    ['j=', 'no-face'],
    ['j=r14', 'no-face'],
    ['j=g5', 'no-face'],
    ['toString', 'no-tile'],
  ])('says what is wrong with %j', (text, code) => {
    let found: string | null = null;
    try {
      readMeld(`r1 ${text}`);
    } catch (error) {
      found = error instanceof Unreadable ? error.code : 'another';
    }
    expect(found).toBe(code);
  });
});
