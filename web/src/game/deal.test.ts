import { describe, expect, it } from 'vitest';
import truth from '../../../tests/truth/deal.json';
import { checkDeal, checkRounds, commitment, deal, dealRulesOf, drawForStart, shuffle, turnOrder, type DealRules } from './deal';
import { allTiles, textOf, tilesOf } from './tiles';

const USUAL: DealRules = { numbers: 13, copies: 2, jokers: 2, deal: 14, clockwise: true, hostStarts: false };
const JUNIOR: DealRules = { ...USUAL, numbers: 10, copies: 1, jokers: 4, deal: 6, hostStarts: true };
const XP: DealRules = { ...USUAL, copies: 3, jokers: 4 };
const ZEROS = '00'.repeat(32);
const COUNT = Array.from({ length: 32 }, (_, byte) => byte.toString(16).padStart(2, '0')).join('');

const rulesIn = (ruleset: string, house: object): DealRules =>
  ruleset === 'junior' ? JUNIOR : 'tileset' in house ? XP : USUAL;

describe('the fair shuffle', () => {
  it.each(truth)('deals as the server does: $name', (one) => {
    expect(commitment(one.seed)).toBe(one.commitment);
    const items = Array.from({ length: one.size }, (_, item) => item);
    expect(shuffle(one.seed, one.words, one.label, items)).toEqual(one.order);
    const dealt = deal(one.seed, one.words, rulesIn(one.ruleset, one.house), one.round, one.seats);
    expect(dealt.racks.map(textOf)).toEqual(one.racks);
    expect(textOf(dealt.pool)).toBe(one.pool);
  });

  it('tidies words', () => {
    const items = Array.from({ length: 12 }, (_, item) => item);
    expect(shuffle(COUNT, ['Zoë', '  seven  ', '', 'cafe\u0301'], 'round 2 deal', items)).toEqual([
      6, 0, 7, 1, 3, 4, 9, 10, 8, 5, 2, 11,
    ]);
  });

  it('draws for the start', () => {
    const draws = drawForStart(ZEROS, ['luck', ''], USUAL, 1, [0, 1]);
    expect(draws).toEqual([
      [
        { seat: 0, tile: "k9'" },
        { seat: 1, tile: "y5'" },
      ],
    ]);
  });

  it('draws again after a joker, and after a tie', () => {
    const seed = 'b233c090327b1b9dd34c4a07112b770a3d1040c49839af760a78f7eeeb9e5846';
    const draws = drawForStart(seed, ['', '', ''], USUAL, 1, [0, 1, 2]);
    expect(draws.map((drawing) => drawing.map(({ seat, tile }) => `${seat}:${tile}`).join(' '))).toEqual([
      "0:j 1:y10' 2:r7' 0:k10",
      "0:r10 1:k8'",
    ]);
  });

  it('goes round the table both ways', () => {
    expect(turnOrder(1, 4, true)).toEqual([1, 2, 3, 0]);
    expect(turnOrder(1, 4, false)).toEqual([1, 0, 3, 2]);
  });
});

describe('a check of a match', () => {
  const dealt = deal(ZEROS, ['luck', ''], USUAL, 1, [0, 1]);
  const match = {
    seed: ZEROS,
    commitment: commitment(ZEROS),
    words: ['luck', ''],
    players: 2,
    round: 1,
    starter: 0,
    draws: drawForStart(ZEROS, ['luck', ''], USUAL, 1, [0, 1]),
    table: [],
    racks: [textOf([...(dealt.racks[0] ?? []), ...dealt.pool.slice(0, 3)]), textOf(dealt.racks[1] ?? [])],
    pool_size: dealt.pool.length - 3,
  };
  const rack = textOf(dealt.racks[0] ?? []);

  it('finds that all is well', () => {
    const found = checkDeal(match, USUAL, { seat: 0, rack });
    expect(found).toMatchObject({ seed: true, start: true, rack: true, tiles: true });
  });

  it('does not mind that the rack was sorted', () => {
    const sorted = textOf(tilesOf(rack).toSorted());
    expect(checkDeal(match, USUAL, { seat: 0, rack: sorted })).toMatchObject({ rack: true });
  });

  it('finds another seed, another start, another rack and tiles out of order', () => {
    expect(checkDeal({ ...match, commitment: commitment(COUNT) }, USUAL)).toMatchObject({ seed: false, rack: null });
    expect(checkDeal({ ...match, draws: [] }, USUAL)).toMatchObject({ start: false });
    expect(checkDeal(match, USUAL, { seat: 1, rack })).toMatchObject({ rack: false });
    const wrong = [match.racks[0]?.replace('k7', String(dealt.pool[40])) ?? '', match.racks[1] ?? ''];
    expect(checkDeal({ ...match, racks: wrong }, USUAL)).toMatchObject({ tiles: false });
    expect(checkDeal({ ...match, words: ['luck', 'x'] }, USUAL)).toMatchObject({ start: false, tiles: false });
  });

  it('looks at every round whose end was seen', () => {
    const second = deal(ZEROS, ['luck', ''], USUAL, 2, [0, 1]);
    const end = {
      starter: 0,
      draws: drawForStart(ZEROS, ['luck', ''], USUAL, 2, [0, 1]),
      table: [],
      racks: second.racks.map(textOf),
      pool_size: second.pool.length,
    };
    const { starter, draws, table, racks, pool_size } = match;
    const last = { ...match, round: 3 };
    const ends = { 1: { starter, draws, table, racks, pool_size }, 2: end, 3: end };
    const own = { 1: { seat: 0, rack } };
    expect(checkRounds(last, USUAL, ends, own)).toEqual([
      { round: 1, fits: true },
      { round: 2, fits: true },
    ]);
    const [other = ''] = end.racks;
    expect(checkRounds(last, USUAL, ends, { 1: { seat: 0, rack: other } })[0]?.fits).toBe(false);
    expect(checkRounds(last, USUAL, { 1: end }, {})[0]?.fits).toBe(false);
  });

  it('waits for the seed', () => {
    expect(checkDeal({ ...match, seed: null }, USUAL)).toBeNull();
  });
});

it('reads what it needs from a ruleset', () => {
  const fields = { numbers: 13, copies: 2, jokers: 2, deal: 14, direction: 'counter-clockwise', starter: 'host' };
  const rules = dealRulesOf({ fields }, { copies: 3 });
  expect(rules).toEqual({ ...USUAL, copies: 3, clockwise: false, hostStarts: true });
  expect(allTiles(rules.numbers, rules.copies, rules.jokers)).toHaveLength(158);
});
