import { describe, expect, it } from 'vitest';
import { rulesOf, rulesPath, tableOpen } from './rules';
import { rules } from './testkit';

describe('rules', () => {
  it('are those of the ruleset, with house rules over them', () => {
    const fields = { numbers: 13, groups: true, opening: 30, joker_goes: 'rack', direction: 'counter-clockwise' };
    const made = rulesOf({ id: 'mine', fields }, { opening: 51, groups: false });
    expect([made.id, made.numbers, made.opening, made.groups, made.jokerGoes, made.clockwise]).toEqual([
      'mine',
      13,
      51,
      false,
      'rack',
      false,
    ]);
  });

  it('are told where their house rules are told too', () => {
    const made = rulesOf({ id: 'sabra', fields: {} }, { opening: 40, timed: false });
    expect(rulesPath(made.id, made.house)).toBe('/rules/sabra?house=opening%3D40&house=timed%3Dfalse');
    expect(rulesPath('club')).toBe('/rules/club');
  });

  it('know the tile sets by their names', () => {
    const made = rulesOf({ id: 'sabra', fields: { copies: 2, jokers: 2 } }, { tileset: 'xp', jokers: 3 });
    expect([made.copies, made.jokers]).toEqual([3, 3]);
  });

  it('take no value that is none', () => {
    const made = rulesOf({ id: 'odd', fields: { numbers: '13', groups: 1, usable: 'sometimes' } });
    expect([made.numbers, made.groups, made.usable]).toEqual([13, true, 'opening-turn']);
  });

  it.each([
    ['sabra', [true, true, true]],
    ['club', [false, true, true]],
    ['rummy', [false, false, true]],
  ] as const)('say when the table of %s may be used', (id, open) => {
    const asked = [
      [false, false],
      [true, false],
      [true, true],
    ] as const;
    expect(asked.map(([opened, all]) => tableOpen(rules(id), opened, all))).toEqual(open);
  });
});
