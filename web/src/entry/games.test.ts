import { describe, expect, it } from 'vitest';
import type { MatchView, RoomSummary, RoomView, SetupView } from '../protocol';
import { canSit, myGames, openTables, others, standing } from './games';

const SETUP: SetupView = {
  game: 'match', ruleset: 'sabra', house: {}, players: 3, rounds: 1, clock: 'none', bots: [null, null, 'novice'],
  public: true, spectators: true, hints: true, sit_in: null, caller: null, first: 0,
};

function room(parts: Partial<RoomSummary>): RoomSummary {
  return {
    room: 'one', code: 'KMPR7', version: 4, stage: 'playing', setup: SETUP, host: 'Ada',
    names: ['Ada', 'Ben', 'novice'], free: 0, matches: 1, yours: [0], created_at: 1, updated_at: 2, ...parts,
  };
}

function view(turn: number, phase: MatchView['phase'] = 'playing'): RoomView {
  const seats = ['Ada', 'Ben', 'novice'].map((name) => ({ name }));
  return { seats, match: { turn, phase } } as RoomView;
}

describe('how a game stands', () => {
  it('is told by its stage and by whose turn it is', () => {
    expect(standing(room({}), view(0))).toEqual({ is: 'yours' });
    expect(standing(room({}), view(1))).toEqual({ is: 'theirs', name: 'Ben' });
    expect(standing(room({}), view(0, 'round-over'))).toEqual({ is: 'round-over' });
    expect(standing(room({}), null)).toEqual({ is: 'playing' });
    expect(standing(room({ stage: 'over' }), view(0))).toEqual({ is: 'over' });
    expect(standing(room({ stage: 'lobby', free: 2 }), null)).toEqual({ is: 'waiting', free: 2 });
    expect(standing(room({ stage: 'lobby' }), null)).toEqual({ is: 'ready' });
  });
});

describe('the lists', () => {
  it('put the games first in which it is my turn', () => {
    const rooms = [
      room({ room: 'theirs', updated_at: 9 }), room({ room: 'mine', updated_at: 3 }),
      room({ room: 'later', updated_at: 5 }),
      room({ room: 'closed', stage: 'closed' }), room({ room: 'left', yours: [] }),
    ];
    const views = new Map([['theirs', view(1)], ['mine', view(0)], ['later', view(0)]]);
    expect(myGames(rooms, views).map((game) => game.room.room)).toEqual(['later', 'mine', 'theirs']);
  });

  it('offer tables that one can sit at or watch', () => {
    const rooms = [
      room({ room: 'playing', yours: [] }),
      room({ room: 'lobby', stage: 'lobby', free: 1, yours: [] }),
      room({ room: 'private', yours: [], setup: { ...SETUP, spectators: false } }),
      room({ room: 'mine', stage: 'lobby', free: 1 }),
    ];
    expect(openTables(rooms).map((one) => one.room)).toEqual(['lobby', 'playing']);
    expect(openTables(rooms).map(canSit)).toEqual([true, false]);
  });

  it('name the others', () => {
    expect(others(room({}))).toEqual(['Ben', 'novice']);
    expect(others(room({ stage: 'lobby', names: ['Ada', null, 'novice'] }))).toEqual(['novice']);
    expect(others(room({ names: ['Ada', null, 'novice'] }))).toEqual([null, 'novice']);
  });
});
