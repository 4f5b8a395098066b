import { describe, expect, it } from 'vitest';
import type { SeatView } from '../protocol';
import { drawnBySeat, seatNames, turnOrder } from './seats';

function seat(kind: SeatView['kind'], name: string | null, bot: string | null = null): SeatView {
  return { seat: 0, name, kind, bot, ready: true, present: true, away: false, host: false, word: null };
}

describe('turnOrder', () => {
  it('begins with oneself and goes the way the turn goes', () => {
    expect(turnOrder(4, 2, true)).toEqual([2, 3, 0, 1]);
    expect(turnOrder(4, 2, false)).toEqual([2, 1, 0, 3]);
  });
});

describe('seatNames', () => {
  it('tells bots of the same name apart', () => {
    const seats = [seat('person', 'Ada'), seat('bot', 'novice', 'novice'), seat('bot', 'novice', 'novice')];
    expect(seatNames(seats, () => 'Beginner')).toEqual(['Ada', 'Beginner 1', 'Beginner 2']);
    expect(seatNames(seats.slice(0, 2), () => 'Beginner')).toEqual(['Ada', 'Beginner']);
  });

  it('keeps the name of a person for whom a bot plays', () => {
    expect(seatNames([seat('person', 'Ada', 'novice')], () => 'Beginner')).toEqual(['Ada']);
  });
});

describe('what was drawn for the start', () => {
  it('is told once for each seat, also after a joker and after a tie', () => {
    const draws = [
      [{ seat: 0, tile: 'j' }, { seat: 1, tile: "y10'" }, { seat: 2, tile: "r7'" }, { seat: 0, tile: 'k10' }],
      [{ seat: 0, tile: 'r10' }, { seat: 1, tile: "k8'" }],
    ];
    expect(drawnBySeat(draws)).toEqual([
      { seat: 0, tiles: ['j', 'k10', 'r10'] },
      { seat: 1, tiles: ["y10'", "k8'"] },
      { seat: 2, tiles: ["r7'"] },
    ]);
    expect(drawnBySeat([])).toEqual([]);
  });
});
