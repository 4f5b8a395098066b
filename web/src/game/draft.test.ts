import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changed,
  draftOf,
  isUnchanged,
  laid,
  meldById,
  meldWith,
  moveMeld,
  split,
  tableText,
  taken,
  toMeld,
  toNewMeld,
  toRack,
  unchanged,
  withTable,
  type Draft,
  type Moved,
} from './draft';
import { judge } from './melds';
import { IDS, done, draft, everything, rules, shortly, type RulesetId } from './testkit';
import { allTiles, readMeld, tilesOf } from './tiles';

/** Put tiles into the meld with this id, of a table and a rack in short. */
function put(table: string, rack: string, tiles: string, id: number, index: number, by: RulesetId = 'sabra'): string {
  return shortly(done(toMeld(draft(table, rack), tilesOf(tiles), id, index, rules(by))));
}

describe('a tile put into a meld', () => {
  it.each([
    ['at its end', 'r4 r5 r6', 'r7', 3, 'r4 r5 r6 r7'],
    ['at its beginning', 'r4 r5 r6', 'r3', 0, 'r3 r4 r5 r6'],
    ['at the wrong end', 'r4 r5 r6', 'r3', 3, 'r3 r4 r5 r6'],
    ['in the gap where it belongs', 'r4 r5 r7 r8', 'r6', 2, 'r4 r5 r6 r7 r8'],
    ['elsewhere, when it belongs into the gap', 'r4 r5 r7 r8', 'r6', 1, 'r4 r5 r6 r7 r8'],
    ['in the middle, when it belongs to the end', 'r4 r5 r6', 'r7', 1, 'r4 r5 r6 r7'],
    ['into a group, anywhere', 'r5 k5 y5', 'b5', 3, 'r5 b5 k5 y5'],
    ['far from the others of its colour', 'r4 r5 r6', 'r9', 3, 'r4 r5 r6 r9'],
    ['far from the others, in the middle', 'r4 r5 r6', 'r9', 1, 'r4 r5 r6 r9'],
    ['of another colour, at the end', 'r4 r5 r6', 'b9', 3, 'r4 r5 r6 b9'],
    ['of another colour, at the beginning', 'r4 r5 r6', 'b9', 0, 'b9 r4 r5 r6'],
    ['beyond the last place', 'r4 r5 r6', 'r7', 99, 'r4 r5 r6 r7'],
    ['before the first place', 'r4 r5 r6', 'r3', -1, 'r3 r4 r5 r6'],
  ])('%s', (_, table, tile, index, after) => {
    expect(put(table, tile, tile, 0, index)).toBe(after);
  });

  it.each([
    [0, "r4 r5 r6' | r6 r7 r8"],
    [1, "r4 r5 r6' | r6 r7 r8"],
    [2, "r4 r5 r6' | r6 r7 r8"],
    [3, "r4 r5 r6 | r6' r7 r8"],
    [4, "r4 r5 r6 | r6' r7 r8"],
    [5, "r4 r5 r6 | r6' r7 r8"],
  ])('divides a run that has it already, at place %i', (index, after) => {
    expect(put('r4 r5 r6 r7 r8', "r6'", "r6'", 0, index)).toBe(after);
  });

  it.each([
    ['the part after it', 'r4 r5 r6 r7', "r6'", 3, "r4 r5 r6 | r6' r7"],
    ['the part before it, from nearby', 'r4 r5 r6 r7', "r6'", 1, "r4 r5 r6' | r6 r7"],
    ['a tile of its number', 'r4 r5 r6 r7', 'b4', 1, 'r4 b4 | r5 r6 r7'],
    ['no part', 'r4 r5 r6 r7', 'b9', 2, 'r4 r5 | b9 | r6 r7'],
    ['a part of a group', 'r5 b5 k5 y5', "r5'", 1, "r5 | r5' b5 k5 y5"],
  ])('between two tiles divides the meld and goes with %s', (_, table, tile, index, after) => {
    expect(put(table, tile, tile, 0, index)).toBe(after);
  });

  it('takes the tile along that it needs, where all are melds then', () => {
    expect(put('r4 r5 r6 r7', 'b7 k7', 'b7 k7', 0, 4)).toBe('r4 r5 r6 | r7 b7 k7');
    expect(put('r4 r5 r6 r7', 'b4 k4', 'b4 k4', 0, 4)).toBe('r4 b4 k4 | r5 r6 r7');
    expect(put('r4 r5 r6', 'b6 k6', 'b6 k6', 0, 3)).toBe('r4 r5 r6 b6 k6');
  });

  it('divides nothing where one may only add', () => {
    expect(put('r1 r2 r3 r4', 'b9', 'b9', 0, 2, 'junior')).toBe('r1 r2 r3 r4 | b9');
    expect(put('r1 r2 r3 r4 r5 r6', 'j', 'j', 0, 3, 'junior')).toBe('r1 r2 r3 r4 r5 r6 j=r7');
  });

  it('keeps the ids and places of melds; a part that is new lies beside', () => {
    const before = draft('b1 b2 b3 | r4 r5 r6 r7 r8 | k1 k2 k3', "r6'");
    const after = done(toMeld(before, ["r6'"], 1, 3, rules()));
    expect(shortly(after)).toBe("b1 b2 b3 | r4 r5 r6 | r6' r7 r8 | k1 k2 k3");
    expect(after.melds.map((meld) => meld.id)).toEqual([0, 1, 3, 2]);
    expect(after.next).toBe(4);
  });

  it('takes the gap, or the end at which it was put, when it is a joker', () => {
    expect(put('r4 r5 r7', 'j', 'j', 0, 0)).toBe('r4 r5 j=r6 r7');
    expect(put('r4 r5 r6', 'j', 'j', 0, 0)).toBe('j=r3 r4 r5 r6');
    expect(put('r4 r5 r6', 'j', 'j', 0, 3)).toBe('r4 r5 r6 j=r7');
    expect(put('r4 r5 r6', 'j', 'j', 0, 1)).toBe('j=r3 r4 r5 r6');
    expect(put('r11 r12 r13', 'j', 'j', 0, 3)).toBe('j=r10 r11 r12 r13');
  });

  it('divides a long run when it is a joker put between two tiles, and both parts are melds', () => {
    expect(put('r4 r5 r6 r7 r8', 'j', 'j', 0, 2)).toBe('r4 r5 j=r6 | r6 r7 r8');
    expect(put('r4 r5 r6 r7 r8', 'j', 'j', 0, 5)).toBe('r4 r5 r6 r7 r8 j=r9');
  });

  it('turns a joker round that is moved within its run', () => {
    expect(put('r4 r5 j=r6', '', 'j', 0, 0)).toBe('j=r3 r4 r5');
    expect(put('j=r3 r4 r5', '', 'j', 0, 2)).toBe('r4 r5 j=r6');
  });

  it('pushes the joker that stands for it to the end, ready to be taken', () => {
    expect(put('r4 r5 j=r6', 'r6', 'r6', 0, 3)).toBe('r4 r5 r6 j=r7');
    expect(put('r4 j=r5 r6', 'r5', 'r5', 0, 1)).toBe('r4 r5 r6 j=r7');
  });

  it('leaves the other jokers as they are', () => {
    expect(put("j=r3 r4 r5 | k1 k2 j'=k3", 'r6', 'r6', 0, 3)).toBe("j=r3 r4 r5 r6 | k1 k2 j'=k3");
  });
});

describe('tiles from everywhere', () => {
  it('go into one meld together', () => {
    const before = draft('r7 b7 k7 | b9 b10 b11 b12', 'r9 r10');
    const after = done(toMeld(before, ['r7', 'r9', 'r10'], 1, 0, rules()));
    expect(shortly(after)).toBe('b7 k7 | r7 r9 r10 b9 b10 b11 b12');
    expect(after.rack).toEqual([]);
  });

  it('make a new meld, sorted', () => {
    const before = draft('r7 b7 k7 y7 | b9 b10 b11 b12', 'b8');
    const after = done(toNewMeld(before, ['b9', 'b8', 'b7'], rules()));
    expect(shortly(after)).toBe('r7 k7 y7 | b10 b11 b12 | b7 b8 b9');
    expect(after.melds.map((meld) => meld.id)).toEqual([0, 1, 2]);
  });

  it('keep what their jokers stand for when they move together', () => {
    expect(shortly(done(toNewMeld(draft('r1 r2 r3 r4 j=r5 r6'), ['r4', 'j', 'r6'], rules())))).toBe(
      'r1 r2 r3 | r4 j=r5 r6',
    );
  });

  it('take a whole meld along', () => {
    const after = done(toMeld(draft('r1 r2 r3 | r4 r5 r6'), ['r1', 'r2', 'r3'], 1, 0, rules()));
    expect(shortly(after)).toBe('r1 r2 r3 r4 r5 r6');
    expect(after.melds.map((meld) => meld.id)).toEqual([1]);
  });
});

describe('a hole in a run', () => {
  it('makes two runs of it, where both are whole', () => {
    expect(shortly(done(toNewMeld(draft('r1 r2 r3 r4 r5 r6 r7'), ['r4'], rules())))).toBe('r1 r2 r3 | r5 r6 r7 | r4');
  });

  it.each([
    ['a part is too short', 'r1 r2 r3 r4 r5', 'r3', 'sabra', 'r1 r2 r4 r5 | r3'],
    ['one may only add', 'r1 r2 r3 r4 r5 r6 r7', 'r4', 'junior', 'r1 r2 r3 r5 r6 r7 | r4'],
    ['the tile was at the end', 'r1 r2 r3 r4', 'r4', 'sabra', 'r1 r2 r3 | r4'],
  ] as const)('stays one meld, when %s', (_, table, tile, by, after) => {
    expect(shortly(done(toNewMeld(draft(table), [tile], rules(by))))).toBe(after);
  });
});

describe('a new meld', () => {
  const before = draft('r1 r2 r3 | b1 b2 b3 | k1 k2 k3', 'y5 y6');

  it.each([
    [undefined, 'r1 r2 r3 | b1 b2 b3 | k1 k2 k3 | y5'],
    [null, 'y5 | r1 r2 r3 | b1 b2 b3 | k1 k2 k3'],
    [0, 'r1 r2 r3 | y5 | b1 b2 b3 | k1 k2 k3'],
    [2, 'r1 r2 r3 | b1 b2 b3 | k1 k2 k3 | y5'],
    [77, 'r1 r2 r3 | b1 b2 b3 | k1 k2 k3 | y5'],
  ])('lies after meld %s', (after, table) => {
    expect(shortly(done(toNewMeld(before, ['y5'], rules(), after)))).toBe(table);
  });

  it('lies where the meld was that gave its last tile', () => {
    const alone = draft('r1 r2 r3 | b1 | k1 k2 k3', 'y5');
    expect(shortly(done(toNewMeld(alone, ['b1', 'y5'], rules(), 1)))).toBe('r1 r2 r3 | b1 y5 | k1 k2 k3');
    const first = draft('b1 | k1 k2 k3', 'y5');
    expect(shortly(done(toNewMeld(first, ['b1', 'y5'], rules(), 0)))).toBe('b1 y5 | k1 k2 k3');
  });

  it('of all tiles of a meld is that meld, moved', () => {
    const after = done(toNewMeld(before, ['b3', 'b1', 'b2'], rules(), null));
    expect(shortly(after)).toBe('b1 b2 b3 | r1 r2 r3 | k1 k2 k3');
    expect(after.melds.map((meld) => meld.id)).toEqual([1, 0, 2]);
  });
});

describe('a whole meld', () => {
  const before = draft('r1 r2 r3 | b1 b2 b3 | k1 k2 k3');

  it.each([
    [0, 2, [1, 2, 0]],
    [0, undefined, [1, 2, 0]],
    [2, null, [2, 0, 1]],
    [2, 0, [0, 2, 1]],
    [1, 1, [0, 1, 2]],
  ])('%i moves after %s', (id, after, ids) => {
    expect(done(moveMeld(before, id, after)).melds.map((meld) => meld.id)).toEqual(ids);
  });

  it('put into itself stays', () => {
    expect(done(toMeld(before, ['r1', 'r2', 'r3'], 0, 1, rules()))).toBe(before);
  });

  it('can be divided', () => {
    expect(shortly(done(split(draft('r1 r2 r3 r4 r5 r6'), 0, 3, rules())))).toBe('r1 r2 r3 | r4 r5 r6');
    expect(done(split(before, 0, 0, rules()))).toBe(before);
    expect(done(split(before, 0, 3, rules()))).toBe(before);
  });
});

describe('the rack', () => {
  const base = draft('r1 r2 r3 j=r4', "b5 b6 b7 j'");
  const moved = done(toNewMeld(base, ['b5', 'b6', 'b7', 'r1'], rules()));

  it('takes back what came from it', () => {
    const back = toRack(moved, base, ['b6', 'b7'], rules());
    expect(back).toMatchObject({ ok: true, refusal: null });
    expect(everything(done(back))).toEqual(everything(base));
    expect(done(back).rack).toEqual(["j'", 'b6', 'b7']);
    expect(shortly(done(back))).toBe('r2 r3 j=r4 | b5 r1');
  });

  it('takes nothing that lay on the table', () => {
    expect(toRack(moved, base, ['r1'], rules())).toEqual({
      ok: false,
      refusal: { reason: 'table-tile', tiles: ['r1'] },
    });
    expect(toRack(moved, base, ['j'], rules())).toEqual({
      ok: false,
      refusal: { reason: 'joker-stays', tiles: ['j'] },
    });
  });

  it('takes what it may of a selection, and says what stays', () => {
    const back = toRack(moved, base, ['b5', 'r1', 'b6'], rules());
    expect(back).toMatchObject({ ok: true, refusal: { reason: 'table-tile', tiles: ['r1'] } });
    expect(done(back).rack).toEqual(["j'", 'b5', 'b6']);
  });

  it('takes a joker where one may be kept', () => {
    const junior = draft('r1 r2 j=r3', 'r3');
    const swapped = done(toMeld(junior, ['r3'], 0, 3, rules('junior')));
    const after = done(toRack(swapped, junior, ['j'], rules('junior')));
    expect([shortly(after), after.rack]).toEqual(['r1 r2 r3', ['j']]);
    expect(taken(after, junior)).toEqual(['j']);
    expect(laid(after, junior)).toEqual(['r3']);
  });
});

describe('what cannot be moved', () => {
  const before = draft('r1 r2 r3', 'b5');

  it.each([
    [toMeld(before, ['k9'], 0, 0, rules()), 'not-there'],
    [toMeld(before, [], 0, 0, rules()), 'not-there'],
    [toMeld(before, ['b5', 'b5'], 0, 0, rules()), 'not-there'],
    [toMeld(before, ['b5'], 9, 0, rules()), 'no-such-meld'],
    [toNewMeld(before, ['k9'], rules()), 'not-there'],
    [moveMeld(before, 9), 'no-such-meld'],
    [split(before, 9, 1, rules()), 'no-such-meld'],
    [toRack(before, before, ['k9'], rules()), 'not-there'],
  ] as [Moved, string][])('%# is refused', (moved, reason) => {
    expect(moved.ok || moved.refusal.reason).toBe(reason);
  });
});

describe('what has changed', () => {
  const base = draft('r1 r2 r3 | b5 j=b6 b7 | k1 k2 k3 k4', 'k5 y1');

  it('is told meld by meld', () => {
    const after = done(toMeld(base, ['k5'], 2, 4, rules()));
    expect([...changed(after, base)]).toEqual([2]);
    expect([...unchanged(after, base)]).toEqual([0, 1]);
    expect(laid(after, base)).toEqual(['k5']);
    expect(taken(after, base)).toEqual([]);
    expect(isUnchanged(after, base)).toBe(false);
  });

  it('is nothing at first, and after everything is put back', () => {
    expect(isUnchanged(base, base)).toBe(true);
    const after = done(toRack(done(toNewMeld(base, ['y1'], rules())), base, ['y1'], rules()));
    expect(isUnchanged(after, base)).toBe(true);
    expect(isUnchanged(done(moveMeld(base, 0)), base)).toBe(true);
  });

  it('is also what a joker stands for', () => {
    const turned = withTable(base, base.melds.with(1, { id: 1, tiles: ['b7', 'j', 'b5'] }));
    expect([...changed(turned, base)]).toEqual([1]);
  });

  it('is also a meld that is gone', () => {
    const all = done(toMeld(base, ['r1', 'r2', 'r3'], 2, 0, rules()));
    expect([...changed(all, base)]).toEqual([2]);
    expect(isUnchanged(all, base)).toBe(false);
    expect(isUnchanged(withTable(base, base.melds.slice(1)), base)).toBe(false);
  });
});

describe('what goes to the server', () => {
  it('is every meld with its jokers named', () => {
    expect(tableText(draftOf(['r1 j=r2 r3', "b5 k5 j'=5"], 'y1'))).toEqual(['r1 j=r2 r3', "b5 k5 j'=5"]);
    expect(put('r13 b13', 'j', 'j', 0, 0)).toBe('r13 b13 j=13');
    expect(shortly(done(toNewMeld(draft('', "r5 j j'"), ['r5', 'j', "j'"], rules())))).toBe("r5 j=r6 j'=r7");
  });
});

interface Step {
  readonly how: number;
  readonly tiles: readonly number[];
  readonly to: number;
  readonly index: number;
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    how: fc.nat(5),
    tiles: fc.array(fc.nat(200), { minLength: 1, maxLength: 5 }),
    to: fc.nat(20),
    index: fc.integer({ min: -1, max: 14 }),
  }),
  { maxLength: 25 },
);

const games = fc.record({
  ruleset: fc.constantFrom(...IDS),
  deal: fc.shuffledSubarray(allTiles(13, 2, 4), { minLength: 12, maxLength: 50 }),
  melds: fc.nat(8),
  steps,
});

/** Any table at all, with any rack; melds need not be melds. */
function begun(tiles: readonly string[], melds: number): Draft {
  const lying = Array.from({ length: melds }, (_, place) => tiles.slice(place * 4, place * 4 + 4)).filter(
    (one) => one.length > 0,
  );
  return draftOf(
    lying.map((one) => one.join(' ')),
    tiles.slice(melds * 4).join(' '),
  );
}

function stepped(now: Draft, base: Draft, step: Step, ruleset: RulesetId): Moved {
  const all = now.melds.flatMap((meld) => meld.tiles).concat(now.rack);
  const tiles = [...new Set(step.tiles.map((at) => all[at % all.length] ?? ''))];
  const meld = now.melds[step.to % Math.max(1, now.melds.length)];
  switch (step.how) {
    case 0:
    case 1:
      return toMeld(now, tiles, meld?.id ?? -1, step.index, rules(ruleset));
    case 2:
      return toNewMeld(now, tiles, rules(ruleset), step.index < 0 ? null : meld?.id);
    case 3:
      return toRack(now, base, tiles, rules(ruleset));
    case 4:
      return split(now, meld?.id ?? -1, step.index, rules(ruleset));
    default:
      return moveMeld(now, meld?.id ?? -1, step.index < 0 ? null : step.index);
  }
}

describe('whatever is done', () => {
  it(
    'loses no tile and makes none; ids are never used twice; only what came from the rack goes back',
    { timeout: 30_000 },
    () => {
      fc.assert(
        fc.property(games, (game) => {
          const base = begun(game.deal, game.melds);
          const own = new Set(base.rack);
          let now = base;
          for (const step of game.steps) {
            const moved = stepped(now, base, step, game.ruleset);
            const next = moved.ok ? moved.draft : now;
            const ids = next.melds.map((meld) => meld.id);
            expect(everything(next)).toEqual(everything(base));
            expect(new Set(ids).size).toBe(ids.length);
            expect(ids.every((id) => id < next.next)).toBe(true);
            expect(next.melds.every((meld) => meld.tiles.length > 0)).toBe(true);
            expect(
              next.rack.every((tile) => own.has(tile) || (game.ruleset === 'junior' && tile.startsWith('j'))),
            ).toBe(true);
            expect(
              next.melds.every((meld) => Object.keys(meld.names ?? {}).every((tile) => meld.tiles.includes(tile))),
            ).toBe(true);
            now = next;
          }
        }),
        { numRuns: 150 },
      );
    },
  );

  it('leaves the melds alone that are not concerned', { timeout: 30_000 }, () => {
    fc.assert(
      fc.property(games, (game) => {
        let now = begun(game.deal, game.melds);
        const base = now;
        for (const step of game.steps) {
          const moved = stepped(now, base, step, game.ruleset);
          if (!moved.ok) {
            continue;
          }
          const concerned = new Set(
            step.tiles.map((at) => everythingAt(now, at)).map((tile) => meldWith(now, tile)?.id),
          );
          concerned.add(now.melds[step.to % Math.max(1, now.melds.length)]?.id);
          for (const meld of now.melds.filter((one) => !concerned.has(one.id))) {
            expect(meldById(moved.draft, meld.id)).toBe(meld);
          }
          now = moved.draft;
        }
      }),
      { numRuns: 100 },
    );
  });

  it('names every joker in a meld, and names it as the engine would read it', { timeout: 30_000 }, () => {
    fc.assert(
      fc.property(games, (game) => {
        let now = begun(game.deal, 0);
        for (const step of game.steps) {
          const moved = stepped(now, now, { ...step, how: step.how % 3 }, game.ruleset);
          now = moved.ok ? moved.draft : now;
        }
        for (const text of tableText(now)) {
          const judged = judge(readMeld(text), rules(game.ruleset));
          const reason = judged.ok ? null : judged.reason;
          expect(reason).not.toBe('joker-unnamed');
          expect(judged.ok && /j'*( |$)/.test(text)).toBe(false);
        }
      }),
      { numRuns: 150 },
    );
  });
});

function everythingAt(now: Draft, at: number): string {
  const all = now.melds.flatMap((meld) => meld.tiles).concat(now.rack);
  return all[at % all.length] ?? '';
}
