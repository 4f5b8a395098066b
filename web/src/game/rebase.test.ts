import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isUnchanged, laid, toMeld, toNewMeld, toRack } from './draft';
import { rebase } from './rebase';
import { done, draft, everything, luck, rules, shortly, shuffled } from './testkit';
import { allTiles, textOf } from './tiles';

const base = draft('r4 r5 r6 r7 | b8 k8 y8 | k1 k2 k3 k4 | r9 b9 k9', 'r8 y4 b10 b11 b12 k5');
const rack = textOf(base.rack);

function table(text: string): string[] {
  return text.split(' | ');
}

describe('what was prepared', () => {
  it('is kept where the table is the same', () => {
    const prepared = done(toMeld(base, ['r8'], 0, 4, rules()));
    const { draft: kept, dropped } = rebase(prepared, base, table(shortly(base)), rack, rules());
    expect(shortly(kept)).toBe(shortly(prepared));
    expect(kept.melds.map((meld) => meld.id)).toEqual(prepared.melds.map((meld) => meld.id));
    expect(dropped).toEqual([]);
  });

  it('is kept when it is of own tiles alone, whatever happens on the table', () => {
    const prepared = done(toNewMeld(base, ['b10', 'b11', 'b12'], rules()));
    const { base: now, draft: kept, dropped } = rebase(prepared, base, ['y5 y6 y7'], `${rack} j`, rules());
    expect(shortly(kept)).toBe('y5 y6 y7 | b10 b11 b12');
    expect(laid(kept, now)).toEqual(['b10', 'b11', 'b12']);
    expect(kept.rack).toEqual(['r8', 'y4', 'k5', 'j']);
    expect(dropped).toEqual([]);
  });

  it('is kept when the melds that it uses lie as they did', () => {
    const prepared = done(toNewMeld(base, ['k4', 'y4', 'r4'], rules()));
    const now = table('r4 r5 r6 r7 | k1 k2 k3 k4 | r9 b9 k9 y9 | b7 b8 | k8 y8');
    const { base: begun, draft: kept, dropped } = rebase(prepared, base, now, rack, rules());
    expect(dropped).toEqual([]);
    expect(shortly(kept)).toBe('r5 r6 r7 | k1 k2 k3 | r4 k4 y4 | b7 b8 | k8 y8 | r9 b9 k9 y9');
    expect(everything(kept)).toEqual(everything(begun));
  });

  it('is kept when it was added to a meld that has grown', () => {
    const prepared = done(toMeld(base, ['r8'], 0, 4, rules()));
    const now = table('b8 k8 y8 | k1 k2 k3 k4 | r9 b9 k9 | r3 r4 r5 r6 r7');
    const { draft: kept, dropped } = rebase(prepared, base, now, rack, rules());
    expect(shortly(kept)).toBe('r3 r4 r5 r6 r7 r8 | b8 k8 y8 | k1 k2 k3 k4 | r9 b9 k9');
    expect(dropped).toEqual([]);
  });

  it('goes back to the rack when its place is taken', () => {
    const prepared = done(toMeld(base, ['r8'], 0, 4, rules()));
    const now = table("b8 k8 y8 | k1 k2 k3 k4 | r9 b9 k9 | r4 r5 r6 r7 r8'");
    const { base: begun, draft: kept, dropped } = rebase(prepared, base, now, rack, rules());
    expect(shortly(kept)).toBe("r4 r5 r6 r7 r8' | b8 k8 y8 | k1 k2 k3 k4 | r9 b9 k9");
    expect(dropped).toEqual(['r8']);
    expect(isUnchanged(kept, begun)).toBe(true);
  });

  it('goes back to the rack when its meld is gone, and only that', () => {
    const first = done(toMeld(base, ['r8'], 0, 4, rules()));
    const prepared = done(toMeld(first, ['k5'], 2, 4, rules()));
    const now = table("b8 k8 y8 | k1 k2 k3 k4 | r9 b9 k9 | r4 b4 y4' | r5 r6 r7 j=r8");
    const { draft: kept, dropped } = rebase(prepared, base, now, rack, rules());
    expect(dropped).toEqual(['r8']);
    expect(shortly(kept)).toContain('k1 k2 k3 k4 k5');
  });

  it('goes back when two melds were used and one of them has changed', () => {
    const prepared = done(toNewMeld(base, ['k4', 'y4', 'r4'], rules()));
    const now = table('b8 k8 y8 | k1 k2 k3 k4 | r9 b9 k9 | r3 r4 r5 r6 r7');
    const { base: begun, draft: kept, dropped } = rebase(prepared, base, now, rack, rules());
    expect(dropped).toEqual(['y4']);
    expect(isUnchanged(kept, begun)).toBe(true);
  });

  it('keeps a joker that was taken to the rack, where that is allowed', () => {
    const junior = draft('r1 r2 j=r3', 'r3 b1');
    const swapped = done(toMeld(junior, ['r3'], 0, 3, rules('junior')));
    const prepared = done(toRack(swapped, junior, ['j'], rules('junior')));
    const { draft: kept } = rebase(prepared, junior, ['r1 r2 j=r3', 'y1 y2 y3'], 'r3 b1', rules('junior'));
    expect(shortly(kept)).toBe('r1 r2 r3 | y1 y2 y3');
    expect(kept.rack.toSorted()).toEqual(['b1', 'j']);
  });

  it('forgets tiles that are no longer on the rack', () => {
    const prepared = done(toNewMeld(base, ['b10', 'b11', 'b12'], rules()));
    const { draft: kept, dropped } = rebase(prepared, base, table(shortly(base)), 'r8 y4', rules());
    expect(shortly(kept)).toBe(shortly(base));
    expect(dropped).toEqual([]);
  });
});

describe('whatever others play', () => {
  it('no tile is lost or doubled, and ids stay single', { timeout: 30_000 }, () => {
    const all = allTiles(13, 2, 2);
    fc.assert(
      fc.property(fc.nat(100000), (seed) => {
        const next = luck(seed);
        const tiles = shuffled(all, next).slice(0, 40);
        const cut = (some: readonly string[]): string[] => {
          const left = [...some];
          return Array.from({ length: 12 }, () => left.splice(0, 1 + next(4)).join(' ')).filter((one) => one !== '');
        };
        const begun = draft(cut(tiles.slice(0, 24)).join(' | '), tiles.slice(24, 36).join(' '));
        const lying = begun.melds.flatMap((meld) => meld.tiles);
        let prepared = begun;
        for (let time = 0; time < 5; time += 1) {
          const some = shuffled([...lying, ...begun.rack], next).slice(0, 1 + next(3));
          const meld = prepared.melds[next(prepared.melds.length)];
          const moved = next(2)
            ? toNewMeld(prepared, some, rules())
            : toMeld(prepared, some, meld?.id ?? 0, next(4), rules());
          prepared = moved.ok ? moved.draft : prepared;
        }
        const shuffle = next(2) ? lying : shuffled(lying, next);
        const after = cut([...shuffle, ...tiles.slice(36)]);
        const { base: now, draft: kept } = rebase(prepared, begun, after, textOf(begun.rack), rules());
        expect(everything(kept)).toEqual(everything(now));
        const ids = kept.melds.map((one) => one.id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.every((id) => id < kept.next)).toBe(true);
      }),
      { numRuns: 120 },
    );
  });
});
