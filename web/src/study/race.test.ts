import { describe, expect, it } from 'vitest';
import type { RaceView } from '../protocol';
import { ALL, fitting, mixed, nextLeft, raceResult, widest } from './race';

const race: RaceView = {
  version: 1,
  players: 3,
  caller: 0,
  stars: [0, 1, 4],
  placed: 'r5 r6',
  called: 'r5',
  finds: [],
  open: true,
  winners: [2],
};

describe('the race', () => {
  it('knows which tile lies next to one that is gone', () => {
    const order = ['r1', 'r2', 'r3', 'r4'];
    expect(nextLeft(order, new Set(['r2', 'r3']), 'r2')).toBe('r4');
    expect(nextLeft(order, new Set(['r3', 'r4']), 'r4')).toBe('r2');
    expect(nextLeft(order, new Set(order), 'r2')).toBeNull();
  });

  it('knows what fits at either end of the row', () => {
    expect(fitting(race)).toEqual(['r4', 'r7']);
    expect(fitting({ ...race, placed: 'r1', called: 'r1' })).toEqual(['r2']);
    expect(fitting({ ...race, placed: 'y10 y9 y8', called: 'y9' })).toEqual(['y7']);
    expect(fitting({ ...race, called: null })).toEqual([]);
  });

  it('mixes all forty tiles, the same way for the same room', () => {
    expect(mixed('abc')).toEqual(mixed('abc'));
    expect(mixed('abc')).not.toEqual(mixed('abd'));
    expect(mixed('abc').toSorted()).toEqual([...ALL].toSorted());
    const neighbours = mixed('abc').filter((tile, at, all) => tile[0] === all[at + 1]?.[0]);
    expect(neighbours.length).toBeLessThan(20);
  });

  it('lists the stars, and the caller last', () => {
    expect(raceResult(race).map(({ seat }) => seat)).toEqual([2, 1, 0]);
  });

  it('draws tiles as large as there is room', () => {
    expect(widest(40, 1200, 400, 8, 40, 84)).toBeGreaterThan(70);
    const phone = widest(40, 374, 400, 6, 40, 84);
    expect(phone).toBeGreaterThanOrEqual(44);
    expect(widest(40, 300, 100, 6, 40, 84)).toBe(40);
  });
});
