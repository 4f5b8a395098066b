import { describe, expect, it } from 'vitest';
import { canUndo } from '../game/history';
import { carry, followSeen } from '../game/moves';
import { readTable } from '../game/tiles';
import { hover, pickUp, put, select, sort, undo } from './board';
import {
  isMovable,
  isUntouched,
  judgeMeld,
  newState,
  sameButTarget,
  shownMelds,
  update,
  withGlow,
  withLit,
  withOthers,
} from './state';
import { lies, racked, sitting } from './testkit';
import { rules } from '../game/testkit';

const TABLE = 'r4 r5 r6 | b8 k8 y8';
const RACK = 'r7 y1 b10 b11 b12 j';

describe('a state', () => {
  it('begins as the server tells it, with the rack sorted', () => {
    const state = sitting(TABLE, 'y1 r7 b12 j b10 b11');
    expect([lies(state), racked(state)]).toEqual([TABLE, 'r7 b10 b11 b12 y1 j']);
    expect([state.flags.size, state.changed.size, state.laid.size, isUntouched(state)]).toEqual([0, 0, 0, true]);
  });

  it('can begin with an order that was kept', () => {
    const order = { by: 'hand' as const, tiles: ['j', 'y1', 'r7'] };
    expect(racked(newState(rules(), [], 'r7 y1 j k2', 'play', order))).toBe('j y1 r7 k2');
  });

  it('flags the melds that are none, and why', () => {
    const state = put(sitting(TABLE, RACK), ['b10', 'b11'], { to: 'new' });
    expect([...state.flags]).toEqual([[2, { reason: 'too-short', args: {} }]]);
    expect([...state.changed]).toEqual([2]);
    expect([...state.laid]).toEqual(['b10', 'b11']);
    expect(isUntouched(state)).toBe(false);
    const done = put(state, ['b12'], { to: 'meld', meld: 2, index: 2 });
    expect(done.flags.size).toBe(0);
    const [meld] = done.melds.slice(-1);
    expect(meld && judgeMeld(done, meld)).toMatchObject({ ok: true, points: 33 });
  });
});

describe('a step of a drag', () => {
  it('changes where the hand would put its tiles, and nothing else', () => {
    const lifted = pickUp(sitting(TABLE, RACK), 'r7');
    const over = hover(lifted, { to: 'meld', meld: 0, index: 3 });
    expect([over.target === lifted.target, sameButTarget(lifted, over)]).toEqual([false, true]);
    expect(sameButTarget(lifted, select(lifted, 'y1'))).toBe(false);
    expect(sameButTarget(over, put(over, ['r7'], { to: 'meld', meld: 0, index: 3 }))).toBe(false);
  });
});

describe('what the server says next', () => {
  it('after a play of mine begins anew, melds in their places', () => {
    const state = put(put(sitting(TABLE, RACK), ['r7'], { to: 'meld', meld: 0, index: 3 }), ['b10', 'b11', 'b12'], {
      to: 'new',
    });
    const { state: next, dropped } = update(state, ['b8 k8 y8', 'r4 r5 r6 r7', 'b10 b11 b12'], 'y1 j', 'prepare');
    expect([lies(next), racked(next), dropped]).toEqual(['r4 r5 r6 r7 | b8 k8 y8 | b10 b11 b12', 'y1 j', []]);
    expect(next.melds.map((meld) => meld.id)).toEqual([0, 1, 2]);
    expect([canUndo(next.history), isUntouched(next), next.may]).toEqual([false, true, 'prepare']);
  });

  it('keeps a draft that still fits, and the way back', () => {
    const state = put(sitting(TABLE, RACK, 'prepare'), ['r7'], { to: 'meld', meld: 0, index: 3 });
    const { state: next, dropped } = update(state, ['r4 r5 r6', 'b8 k8 y8', 'y5 y6 y7'], RACK, 'play');
    expect([lies(next), dropped]).toEqual(['r4 r5 r6 r7 | b8 k8 y8 | y5 y6 y7', []]);
    expect([...next.laid]).toEqual(['r7']);
    expect(lies(undo(next))).toBe('r4 r5 r6 | b8 k8 y8 | y5 y6 y7');
  });

  it('says which tiles of a draft are on the rack again', () => {
    const state = put(sitting(TABLE, RACK, 'prepare'), ['r7'], { to: 'meld', meld: 0, index: 3 });
    const { state: next, dropped } = update(state, ["r4 r5 r6 r7'", 'b8 k8 y8'], RACK, 'play');
    expect([lies(next), dropped]).toEqual(["r4 r5 r6 r7' | b8 k8 y8", ['r7']]);
    expect(racked(next)).toBe('r7 b10 b11 b12 y1 j');
  });

  it('when it is nothing new leaves the draft with every step back', () => {
    const one = put(sitting(TABLE, RACK), ['r7'], { to: 'meld', meld: 0, index: 3 });
    const two = put(one, ['y1'], { to: 'new' });
    const { state: next } = update(two, ['r4 r5 r6', 'b8 k8 y8'], RACK, 'play');
    expect(lies(next)).toBe(lies(two));
    expect(lies(undo(next))).toBe(lies(one));
  });

  it('keeps the order of the rack, with drawn tiles in it', () => {
    const state = sort(sitting(TABLE, RACK), 'number');
    expect(racked(update(state, ['r4 r5 r6', 'b8 k8 y8'], `${RACK} k9`, 'prepare').state)).toBe(
      'y1 r7 k9 b10 b11 b12 j',
    );
  });

  it('lets go of what is in the hand only where it is gone', () => {
    const state = pickUp(sitting(TABLE, RACK), 'r7');
    expect(update(state, ['r4 r5 r6'], RACK, 'play').state.dragging?.held).toBe('r7');
    expect(update(state, ['r4 r5 r6'], 'y1', 'play').state.dragging).toBe(null);
    expect(update(state, ['r4 r5 r6'], RACK, 'watch').state.dragging).toBe(null);
    expect(update(select(sitting(TABLE, RACK), 'r7'), ['r4 r5 r6'], 'y1', 'play').state.selection).toEqual([]);
  });
});

describe('what others do', () => {
  it('is shown in place of the own table, with tiles face down', () => {
    const state = sitting(TABLE, RACK, 'prepare');
    const seen = followSeen(
      state.melds,
      [
        ['r4', 'r5', 'r6', '?'],
        ['b8', 'k8', 'y8'],
      ],
      9,
    ).melds;
    const watching = withOthers(state, seen);
    expect(shownMelds(watching).map((meld) => meld.tiles.join(' '))).toEqual(['r4 r5 r6 ?0', 'b8 k8 y8']);
    expect(seen[0] && judgeMeld(watching, seen[0])).toBe(null);
    expect(isMovable(watching, '?0')).toBe(false);
    expect(shownMelds(withOthers(watching, null))).toBe(state.melds);
  });

  it('stays lit, and what is drawn glows', () => {
    const state = sitting(TABLE, RACK);
    const after = carry(state.melds, readTable('r4 r5 r6 r7 | b8 k8 y8'), 2).melds;
    expect([...withLit(state, state.melds, after).lit]).toEqual(['r7']);
    const glowing = withGlow(state, ['y1', 'r7']);
    expect([...update(glowing, ['r4 r5 r6 r7'], 'y1', 'play').state.glowing]).toEqual(['y1']);
  });
});

describe('what may be moved', () => {
  it.each([
    ['play', true, true],
    ['prepare', true, true],
    ['arrange', true, false],
    ['watch', false, false],
  ] as const)('when one may %s', (may, rack, table) => {
    const state = sitting(TABLE, RACK, may);
    expect([isMovable(state, 'r7'), isMovable(state, 'r4')]).toEqual([rack, table]);
  });
});
