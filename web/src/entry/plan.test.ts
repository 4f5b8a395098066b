import { describe, expect, it } from 'vitest';
import type { RulesetInfo, SetupView } from '../protocol';
import { isFull, newPlan, peopleHere, planOf, setupOf, withGame, withSeat, withSeats, type Plan } from './plan';

const FIELDS = {
  players: 4, numbers: 13, copies: 2, jokers: 2, deal: 14, dealing: 'pile', opening: 30, starter: 'highest', stars: 0,
  timed: false,
};
const RULESETS: RulesetInfo[] = [
  { id: 'sabra', titles: {}, tilesets: {}, fields: FIELDS },
  { id: 'club', titles: {}, tilesets: {}, fields: { ...FIELDS, timed: true } },
  { id: 'junior', titles: {}, tilesets: {}, fields: { ...FIELDS, numbers: 10, copies: 1, jokers: 4, starter: 'host', stars: 6 } },
];
const PLAN = newPlan('sabra', RULESETS);

describe('a plan', () => {
  it('is sent with only the rules that differ', () => {
    expect(setupOf(PLAN, RULESETS))
      .toMatchObject({ ruleset: 'sabra', house: {}, players: 3, bots: [null, null, null] });
    const plan = { ...PLAN, fields: { ...PLAN.fields, opening: 20 }, clock: 'seconds' as const, seconds: 45 };
    expect(setupOf(plan, RULESETS)).toMatchObject({ house: { opening: 20 }, clock: { seconds: 45 } });
  });

  it('comes back from a setup as it was', () => {
    const six = withSeat(withSeats(PLAN, 6), 2, { kind: 'bot', bot: 'greedy' });
    const setup: SetupView = setupOf({ ...six, clock: 'days', days: 3, public: true }, RULESETS);
    expect(setup.house).toEqual({ players: 6, copies: 3, jokers: 4 });
    expect(setupOf(planOf(setup, RULESETS), RULESETS)).toEqual(setup);
    expect(planOf({ ...setup, clock: { seconds: 86_400 } }, RULESETS)).toMatchObject({ clock: 'days', days: 1 });
  });

  it('lets no bot sit in where turns are slow', () => {
    const quick: Plan = { ...PLAN, clock: 'seconds', seconds: 90, sitIn: 'novice' };
    expect(setupOf(quick, RULESETS).sit_in).toBe('novice');
    expect(setupOf({ ...quick, seconds: 3600 }, RULESETS).sit_in).toBeNull();
    expect(setupOf({ ...quick, clock: 'days' }, RULESETS).sit_in).toBeNull();
  });

  it('changes the game', () => {
    const long: Plan = { ...withSeats(PLAN, 6), rounds: 3, clock: 'rulebook', sitIn: 'novice' };
    const race = withGame(long, 'race', 'junior', RULESETS);
    expect(setupOf(race, RULESETS))
      .toMatchObject({ game: 'race', ruleset: 'junior', house: {}, players: 4, rounds: 1, clock: 'none' });
    expect(withGame({ ...race, caller: 1 }, 'match', 'sabra', RULESETS).caller).toBeNull();
    // Nobody begins a race, and there are no hints that could be forbidden.
    expect(setupOf({ ...race, first: 2, hints: false }, RULESETS)).toMatchObject({ first: 0, hints: true });
  });

  it('takes the clock of the book, unless somebody chose one', () => {
    expect(PLAN.clock).toBe('none');
    expect(withGame(PLAN, 'match', 'club', RULESETS).clock).toBe('rulebook');
    expect(withGame({ ...PLAN, clock: 'days' }, 'match', 'club', RULESETS).clock).toBe('days');
    expect(withGame(newPlan('club', RULESETS), 'match', 'sabra', RULESETS).clock).toBe('none');
  });

  it('keeps caller and beginner among those who play', () => {
    const plan = { ...withGame(PLAN, 'race', 'junior', RULESETS), caller: 2, first: 2 };
    expect(withSeats(plan, 2)).toMatchObject({ caller: null, first: 0 });
    expect(withSeat(plan, 2, { kind: 'bot', bot: 'novice' }).caller).toBeNull();
  });

  it('knows who is to be waited for, and who is here', () => {
    expect(isFull(PLAN)).toBe(false);
    const bot = withSeat(PLAN, 1, { kind: 'bot', bot: 'novice' });
    const here = withSeat(bot, 2, { kind: 'here', id: null, name: ' Bea ' });
    expect(isFull(here)).toBe(true);
    expect(peopleHere(here)).toEqual([{ seat: 2, id: null, name: 'Bea' }]);
  });

  it('gives a new seat what the last one has', () => {
    const bots = withSeat(PLAN, 2, { kind: 'bot', bot: 'greedy' });
    expect(withSeats(bots, 4).seats.at(-1)).toEqual({ kind: 'bot', bot: 'greedy' });
    const here = withSeat(PLAN, 2, { kind: 'here', id: 'p_1', name: 'Bea' });
    expect(withSeats(here, 4).seats.at(-1)).toEqual({ kind: 'here', id: null, name: '' });
  });
});
