import { describe, expect, it } from 'vitest';
import type { RulesetInfo } from '../protocol';
import { differences } from './compare';

const fields = {
  players: 4,
  numbers: 13,
  copies: 2,
  jokers: 2,
  deal: 14,
  stars: 0,
  direction: 'clockwise',
  groups: true,
  opening: 30,
  usable: 'opening-turn',
  rearranging: 'free',
  joker_leaves: 'free',
  joker_goes: 'table',
  joker_melds: 'divisible',
  timed: true,
  turn_seconds: 120,
  timeout: 'restore',
  timeout_draws: 1,
  joker_value: 30,
  stalemate: 'all-pass',
  stalemate_score: 'differences',
};

const ruleset = (id: string, change: Partial<Record<keyof typeof fields, boolean | number | string>>): RulesetInfo => ({
  id,
  titles: {},
  tilesets: {},
  fields: { ...fields, ...change },
});

describe('what differs', () => {
  it('leaves out what all agree on, and puts those together that agree', () => {
    const found = differences([ruleset('a', {}), ruleset('b', { opening: 40 }), ruleset('c', {})]);
    expect(found).toMatchObject([{ topic: 'rules.topic-opening', groups: [[0, 2], [1]] }]);
  });

  it('does not say that melds may be divided where they may only grow', () => {
    const only = ruleset('b', { rearranging: 'adding' });
    const found = differences([ruleset('a', {}), only]).find((one) => one.topic === 'rules.topic-joker-melds');
    expect(found?.values.map((value) => 'key' in value && value.key)).toEqual([
      'rules.value-joker-melds',
      'rules.value-rearranging',
    ]);
  });

  it('tells a clock in minutes, in seconds, and that it is left to the players', () => {
    const [clock] = differences([
      ruleset('a', { turn_seconds: 60 }),
      ruleset('b', { turn_seconds: 45 }),
      ruleset('c', { timed: false }),
    ]);
    expect(clock?.values).toEqual([
      { key: 'rules.value-minutes', args: { count: 1 } },
      { key: 'rules.value-seconds', args: { count: 45 } },
      { key: 'rules.value-if-wanted', args: {}, time: { key: 'rules.value-minutes', count: 2 } },
    ]);
  });
});
