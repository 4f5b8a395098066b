import { describe, expect, it } from 'vitest';
import { plain } from '../game/tiles';
import {
  added,
  beyond,
  emptyPosition,
  left,
  problems,
  readMelds,
  readPosition,
  readRack,
  removed,
  reread,
  tableText,
  tidy,
  ways,
  withoutMeld,
  writePosition,
  type Position,
  type Target,
} from './position';

const SABRA = { numbers: 13, copies: 2, jokers: 2, groups: true };
const JUNIOR = { numbers: 10, copies: 1, jokers: 4, groups: false };

function entered(tiles: string, target: Target, rules = SABRA, start = emptyPosition('sabra')): Position {
  return tiles.split(' ').reduce((position, tile) => added(position, tile, target, rules) ?? position, start);
}

describe('entering tiles', () => {
  it('tells equal tiles apart, and stops when there are no more', () => {
    const position = entered('r5 r5 r5 j j j', 'rack');
    expect(position.rack).toEqual(['r5', "r5'", 'j', "j'"]);
    expect(left(position, 'r5', SABRA)).toBe(0);
    expect(left(position, 'r6', SABRA)).toBe(2);
  });

  it('counts the table and the rack together', () => {
    const position = entered('r5', 'rack', SABRA, entered('r4 r5 r6', 0));
    expect(position.rack).toEqual(["r5'"]);
    expect(added(position, 'r5', 1, SABRA)).toBeNull();
  });

  it('has only the tiles of the set', () => {
    expect(added(emptyPosition('junior'), 'r11', 'rack', JUNIOR)).toBeNull();
  });

  it('puts a meld in order while it grows', () => {
    expect(tableText(entered('r7 r5 r6', 0))).toBe('r5 r6 r7');
    expect(tableText(entered('y8 r8 k8', 0))).toBe('r8 k8 y8');
    expect(tableText(entered('r5 j r6', 0))).toBe('r5 r6 j=r7');
    expect(tableText(entered('r5 r7 j', 0))).toBe('r5 j=r6 r7');
    expect(tableText(entered('r12 r13 j', 0))).toBe('j=r11 r12 r13');
  });

  it('leaves open what only jokers beside one number stand for, until somebody says so', () => {
    const position = entered('r5 j j', 0);
    expect(problems(position, SABRA)).toMatchObject([{ code: 'meld', broken: { reason: 'joker-unnamed' } }]);
    const both = ways(position.melds[0] ?? [], SABRA);
    const group = both.at(-1) ?? [];
    expect(problems(reread(position, 0, group), SABRA)).toEqual([]);
    expect(tableText(reread(position, 0, group))).toBe('r5 j=5 j=5');
  });

  it('takes tiles and melds away again', () => {
    const position = entered('b1 b2 b3', 1, SABRA, entered('r5 r6 j', 0));
    expect(tableText(removed(position, 0, 0, SABRA))).toBe('r6 j | b1 b2 b3');
    expect(tableText(withoutMeld(position, 0))).toBe('b1 b2 b3');
    const one = entered('r5', 0);
    expect(removed(one, 0, 0, SABRA).melds).toEqual([]);
    expect(removed(entered('r5 r6', 'rack'), 'rack', 0, SABRA).rack).toEqual(['r6']);
  });
});

describe('notation', () => {
  it.each([
    'sabra / b8 b9 b10 | r1 r2 j=r3 / b11 k8 y8 / all',
    'classic opening=40 timed=true / - / j r12 r13 j / new',
    'sabra / r5 r6 r7 | r5 r6 r7 / - / opened',
  ])('reads back what it wrote: %s', (line) => {
    const position = readPosition(line);
    expect(position && writePosition(position)).toBe(line);
  });

  it.each([
    '',
    'sabra',
    'sabra / b8 / x5 / all',
    'sabra / - / - / perhaps',
    'a / b / c / d / e',
    '<b> / - / - / all',
    'sabra / - / r5 r5 r5 r5 / all',
    'sabra / r5 r5 | r5 r6 / r5 / all',
    'sabra / j j j | j / j / all',
  ])('does not read %s', (line) => expect(readPosition(line)).toBeNull());

  it('understands how people type', () => {
    expect(readRack('R5, o7;J r5')).toEqual(['r5', 'y7', 'j', 'r5']);
    const melds = readMelds('B8 b9 b10\nr1 r2 j | ', SABRA);
    expect(Array.isArray(melds) && melds.map((meld) => meld.map((piece) => plain(piece.tile)).join(' '))).toEqual([
      'b8 b9 b10',
      'r1 r2 j',
    ]);
  });

  it('says which word it cannot read', () => {
    expect(readRack('r5 x9')).toEqual({ field: 'rack', code: 'unreadable', word: 'x9' });
    expect(readMelds('r5 r66', SABRA)).toEqual({ field: 'table', code: 'unreadable', word: 'r66' });
  });
});

describe('what is asked about', () => {
  it('names what each joker stands for, and has the rack in order', () => {
    const position = readPosition('sabra / r1 j r3 | y12 j b12 | k7 k6 k5 / k10 b5 r2 / all');
    const asked = tidy(position ?? emptyPosition('sabra'), SABRA);
    expect(tableText(asked)).toBe('r1 j=r2 r3 | b12 y12 j=12 | k5 k6 k7');
    expect(asked.rack).toEqual(['r2', 'b5', 'k10']);
  });
});

describe('what is wrong', () => {
  it('names the field, the tile and the meld', () => {
    const position = readPosition('sabra / r1 r2 r4 | b1 b2 b3 / b1 b1 r13 / all');
    expect(position && problems(position, SABRA)).toMatchObject([
      { field: 'rack', code: 'too-many', tile: 'b1', most: 2 },
      { field: 'table', code: 'meld', meld: 0, broken: { reason: 'numbers' } },
    ]);
    expect(position && beyond(position, SABRA)).toBeNull();
    const child = readPosition('junior / - / r12 / all');
    expect(child && problems(child, JUNIOR)).toEqual([{ field: 'rack', code: 'not-in-set', tile: 'r12' }]);
  });

  it('finds more equal tiles than can be told apart, wherever they are', () => {
    const typed = (melds: string, rack: string): Position => {
      const [lying, held] = [readMelds(melds, SABRA), readRack(rack)];
      if (!Array.isArray(lying) || !Array.isArray(held)) throw new Error('unreadable');
      return { ...emptyPosition('sabra'), melds: lying, rack: held };
    };
    const most = { code: 'too-many', tile: 'r5', most: 2 };
    expect(beyond(typed('', 'r5 r5 r5 r5'), SABRA)).toEqual({ field: 'rack', ...most });
    expect(beyond(typed('r5 r5 r5 r5', ''), SABRA)).toEqual({ field: 'table', ...most });
    expect(beyond(typed('r5 r5', 'r5 r5'), SABRA)).toEqual({ field: 'rack', ...most });
    expect(beyond(typed('', 'j j j j j'), SABRA)).toEqual({ field: 'rack', ...most, tile: 'j' });
    expect(beyond(typed('', 'r5 r5 r5 j j j j'), SABRA)).toBeNull();
  });
});
