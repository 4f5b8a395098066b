import { describe, expect, it } from 'vitest';
import type { BotInfo, RulesetInfo } from '../protocol';
import { quickRoom, readQuick } from './quick';

const RULESETS = ['classic', 'sabra'].map((id): RulesetInfo => ({ id, titles: {}, tilesets: {}, fields: {} }));
const BOTS = ['random', 'novice'].map((name): BotInfo => ({ name, description: '', elo: null }));

describe('the game that one tap starts', () => {
  it('is the usual one of the language at first', () => {
    expect(readQuick(null, 'fr', RULESETS, BOTS)).toEqual({ ruleset: 'classic', bots: 2, level: 'novice' });
    expect(readQuick(null, 'nl', RULESETS, BOTS).ruleset).toBe('sabra');
  });

  it('is the last one afterwards', () => {
    const kept = { ruleset: 'classic', bots: 3, level: 'random' };
    expect(readQuick(JSON.stringify(kept), 'nl', RULESETS, BOTS)).toEqual(kept);
  });

  it('does not believe everything that is stored', () => {
    const usual = { ruleset: 'sabra', bots: 2, level: 'novice' };
    for (const stored of ['', '{', '7', 'null', '[]', '{"ruleset":"gone","bots":40,"level":"gone"}']) {
      expect(readQuick(stored, 'en', RULESETS, BOTS)).toEqual(usual);
    }
  });

  it('has a seat for the player and bots on the others', () => {
    expect(quickRoom({ ruleset: 'sabra', bots: 2, level: 'novice' }))
      .toEqual({ ruleset: 'sabra', players: 3, bots: [null, 'novice', 'novice'] });
  });
});
