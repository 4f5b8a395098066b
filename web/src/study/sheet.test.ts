import { describe, expect, it } from 'vitest';
import type { MatchView } from '../protocol';
import { leftOvers, rackCost, sheetOf, signed, winnersOf } from './sheet';

const match: MatchView = {
  seat: 0,
  version: 90,
  ruleset: 'classic',
  house: {},
  players: 4,
  rounds: 3,
  round: 2,
  phase: 'round-over',
  draws: [],
  starter: 0,
  turn: 2,
  table: [],
  draft: null,
  rack: 'r6',
  rack_sizes: [1, 1, 0, 1],
  racks: ['r6', 'b11', '', 'k5'],
  pool_size: 20,
  opened: [true, true, true, true],
  stars: [0, 0, 0, 0],
  passes: 0,
  bots: [null, null, null, null],
  hints: [0, 0, 0, 0],
  scores: [
    [24, -5, -16, -3],
    [-6, -11, 22, -5],
  ],
  winner: 2,
  commitment: '',
  words: ['', '', '', ''],
  seed: null,
};
const rules = { jokerValue: 30, stars: 0 };

describe('the score sheet', () => {
  it('is the one that the classic rulebook prints', () => {
    expect(sheetOf(match, rules)).toEqual({
      rows: [
        ['1', '+24', '−5', '−16', '−3'],
        ['2', '−6', '−11', '+22', '−5'],
      ],
      totals: ['+18', '−16', '+6', '−8'],
    });
    expect(signed(0)).toBe('0');
  });

  it('has no signs in a game for stars', () => {
    const sheet = sheetOf({ ...match, scores: [[4, 0, 9, 2]] }, { stars: 6 });
    expect(sheet.totals).toEqual(['4 ★', '0 ★', '9 ★', '2 ★']);
  });

  it('knows who won the round, and who the match', () => {
    expect(winnersOf(match)).toEqual([2]);
    expect(winnersOf({ ...match, phase: 'match-over' })).toEqual([0]);
    expect(winnersOf({ ...match, phase: 'match-over', scores: [[5, 5, -5, -5]] })).toEqual([0, 1]);
    const alone = { rounds: 1, scores: [[5, 5, 0, 0]], winner: 1 };
    expect(winnersOf({ ...match, ...alone, phase: 'match-over' })).toEqual([1]);
  });

  it('counts what is left on a rack, jokers as the rulebook says', () => {
    expect(rackCost(['r6', 'j', "b13'"], rules)).toBe(49);
    expect(rackCost(['r6', 'j'], { jokerValue: 1, stars: 6 })).toBe(2);
    expect(leftOvers(match, rules).map(({ seat, cost }) => [seat, cost])).toEqual([
      [2, 0],
      [3, 5],
      [0, 6],
      [1, 11],
    ]);
  });
});
