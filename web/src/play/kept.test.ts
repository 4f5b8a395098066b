import { describe, expect, it } from 'vitest';
import { canUndo } from '../game/history';
import { rules } from '../game/testkit';
import { put, sort, undo } from '../table/board';
import { isUntouched } from '../table/state';
import { lies, racked, sitting } from '../table/testkit';
import type { May } from '../table/types';
import { addKept, findKept, keptOf, revived, type Owner } from './kept';

const TABLE = 'r4 r5 r6 | b8 k8 y8';
const RACK = 'r7 y1 b10 b11 b12 j';
const ada: Owner = { room: 'one', match: 1, round: 1, seat: 0, player: 'ada' };
const kept = keptOf(sitting(TABLE, RACK));

function prepared() {
  const run = put(sitting(TABLE, RACK, 'prepare'), ['b10', 'b11', 'b12'], { to: 'new' });
  return put(run, ['r7'], { to: 'meld', meld: 0, index: 3 });
}

function now(table: string, rack: string, may: May = 'prepare') {
  return { rules: rules(), may, table: table.split(' | '), rack };
}

describe('what was prepared', () => {
  it('is there again, and can be undone', () => {
    const back = revived(keptOf(prepared()), now(TABLE, RACK));
    expect(back?.dropped).toEqual([]);
    expect(back && lies(back.state)).toBe('r4 r5 r6 r7 | b8 k8 y8 | b10 b11 b12');
    expect(back && racked(back.state)).toBe('y1 j');
    expect(back && canUndo(back.state.history) && isUntouched(undo(back.state))).toBe(true);
  });

  it('stays as far as it still fits on the table of now', () => {
    const back = revived(keptOf(prepared()), now("r4 r5 r6 r7' | b8 k8 y8", `${RACK} k2`, 'play'));
    expect(back && lies(back.state)).toBe("r4 r5 r6 r7' | b8 k8 y8 | b10 b11 b12");
    expect(back?.dropped).toEqual(['r7']);
    expect(back?.state.may).toBe('play');
  });

  it('is gone once it was played', () => {
    const after = 'r4 r5 r6 r7 | b8 k8 y8 | b10 b11 b12';
    const back = revived(keptOf(prepared()), now(after, 'y1 j'));
    expect(back && [lies(back.state), isUntouched(back.state), back.dropped]).toEqual([after, true, []]);
  });

  it('does not lie on a table that may only be watched, or a rack that may only be arranged', () => {
    const back = revived(keptOf(prepared()), now(TABLE, RACK, 'arrange'));
    expect(back && [lies(back.state), isUntouched(back.state)]).toEqual([TABLE, true]);
  });

  it('never makes a tile, or loses one', () => {
    const tampered = { ...keptOf(prepared()), draft: ['r4 r5 r6', 'b8 k8 y8', 'k1 k2 k3'] };
    const short = { ...keptOf(prepared()), draft: ['r4 r5 r6 r7'] };
    expect([revived(tampered, now(TABLE, RACK)), revived(short, now(TABLE, RACK))]).toEqual([null, null]);
    expect(revived({ ...kept, draft: ['q9'] }, now(TABLE, RACK))).toBe(null);
  });
});

describe("a rack's order", () => {
  it('is there again, by hand or sorted, with what was drawn since', () => {
    const hand = put(sitting(TABLE, RACK), ['j'], { to: 'rack', index: 0 });
    const back = revived(keptOf(hand), now(TABLE, `${RACK} k2`));
    expect(back && racked(back.state)).toBe(`${racked(hand)} k2`);
    const sorted = revived(keptOf(sort(sitting(TABLE, RACK), 'number')), now(TABLE, `${RACK} k2`));
    expect(sorted && racked(sorted.state)).toBe('y1 k2 r7 b10 b11 b12 j');
  });
});

describe('the place where it is kept', () => {
  it('gives it to who kept it, in that round and at that seat, and to nobody else', () => {
    const stored = addKept(null, ada, kept);
    expect(findKept(stored, ada)).toEqual(kept);
    const others: Partial<Owner>[] = [{ player: 'zoe' }, { seat: 1 }, { round: 2 }, { match: 2 }, { room: 'two' }];
    expect(others.map((other) => findKept(stored, { ...ada, ...other }))).toEqual(others.map(() => null));
  });

  it('has one entry for a room, and forgets rooms of long ago', () => {
    let stored = addKept(addKept(null, ada, kept), { ...ada, round: 2 }, kept);
    expect([findKept(stored, ada), findKept(stored, { ...ada, round: 2 })]).toEqual([null, kept]);
    for (let room = 0; room < 8; room += 1) stored = addKept(stored, { ...ada, room: `${room}` }, kept);
    expect(findKept(stored, { ...ada, round: 2 })).toBe(null);
    expect(findKept(stored, { ...ada, room: '0' })).toEqual(kept);
  });

  it('believes nothing of what else is written there', () => {
    for (const text of ['', '{', '3', 'null', '[[]]', '[["one","[1,1,0,\\"ada\\"]",{"table":3}]]']) {
      expect([text, findKept(text, ada)]).toEqual([text, null]);
      expect(findKept(addKept(text, ada, kept), ada)).toEqual(kept);
    }
  });
});
