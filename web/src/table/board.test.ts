import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { everything } from '../game/testkit';
import {
  cancel,
  clearSelection,
  drop,
  extend,
  focus,
  hover,
  pickUp,
  pickUpMeld,
  put,
  redo,
  reset,
  select,
  selectMeld,
  send,
  sort,
  tap,
  toggle,
  turnJokers,
  type,
  undo,
} from './board';
import { lies, racked, sitting } from './testkit';
import type { DropTarget, TableState } from './types';

const TABLE = 'r4 r5 r6 r7 r8 | b8 k8 y8';
const state = sitting(TABLE, "r6' y1 b10 b11 b12 j");

describe('selecting', () => {
  it('is of one tile, of more, and of none', () => {
    expect(select(state, 'b10').selection).toEqual(['b10']);
    expect(toggle(select(state, 'b10'), 'r4').selection).toEqual(['b10', 'r4']);
    expect(toggle(toggle(select(state, 'b10'), 'r4'), 'b10').selection).toEqual(['r4']);
    expect(clearSelection(select(state, 'b10')).selection).toEqual([]);
    expect(selectMeld(state, 0).selection).toEqual(['r4', 'r5', 'r6', 'r7', 'r8']);
  });

  it('reaches from the last tile to another in one meld, or on the rack', () => {
    expect(extend(select(state, 'r5'), 'r8').selection).toEqual(['r5', 'r6', 'r7', 'r8']);
    expect(extend(select(state, 'r8'), 'r6').selection).toEqual(['r7', 'r8', 'r6']);
    expect(extend(select(state, 'b10'), 'b12').selection).toEqual(['b10', 'b11', 'b12']);
    expect(extend(select(state, 'b10'), 'r5').selection).toEqual(['b10', 'r5']);
    expect(extend(state, 'r5').selection).toEqual(['r5']);
  });

  it('is only of what may be moved', () => {
    expect(select(sitting(TABLE, 'r1', 'arrange'), 'r4').selection).toEqual([]);
    expect(toggle(sitting(TABLE, 'r1', 'watch'), 'r1').selection).toEqual([]);
    expect(selectMeld(sitting(TABLE, 'r1', 'watch'), 0).selection).toEqual([]);
  });
});

describe('a drag', () => {
  it('takes one tile, or the whole selection in the order in which it is seen', () => {
    expect(pickUp(state, 'b10').dragging?.tiles).toEqual(['b10']);
    const selected = toggle(toggle(select(state, 'b12'), 'r4'), 'b10');
    expect(pickUp(selected, 'b10').dragging?.tiles).toEqual(['r4', 'b10', 'b12']);
    expect(pickUp(selected, 'y1').dragging?.tiles).toEqual(['y1']);
  });

  it('goes where it is dropped, and is one step', () => {
    const held = hover(pickUp(state, "r6'"), { to: 'meld', meld: 0, index: 3 }, { x: 5, y: 6 });
    expect([held.dragging?.at, lies(held)]).toEqual([{ x: 5, y: 6 }, TABLE]);
    const after = drop(held);
    expect(lies(after)).toBe("r4 r5 r6 | r6' r7 r8 | b8 k8 y8");
    expect([after.dragging, after.target, after.selection, after.focus]).toEqual([
      null,
      null,
      [],
      { on: 'tile', tile: "r6'" },
    ]);
    expect(lies(undo(after))).toBe(TABLE);
  });

  it('goes back when it is cancelled, or dropped nowhere', () => {
    const held = hover(pickUp(state, 'b10'), { to: 'new' });
    expect([lies(cancel(held)), cancel(held).dragging]).toEqual([TABLE, null]);
    expect(cancel(held).history).toBe(state.history);
    expect(drop(hover(held, null)).history).toBe(state.history);
    expect(drop(state)).toBe(state);
  });

  it('of a whole meld moves it, or joins another, which gives a tile where both are melds then', () => {
    const held = pickUpMeld(state, 1);
    expect(held.dragging?.tiles).toEqual(['b8', 'k8', 'y8']);
    expect(lies(drop(held, { to: 'new', after: null }))).toBe('b8 k8 y8 | r4 r5 r6 r7 r8');
    expect(lies(drop(held, { to: 'meld', meld: 0, index: 5 }))).toBe('r4 r5 r6 r7 | r8 b8 k8 y8');
    expect(lies(drop(pickUpMeld(state, 0), { to: 'meld', meld: 1, index: 3 }))).toBe('b8 k8 y8 r4 r5 r6 r7 r8');
    expect(pickUpMeld(sitting(TABLE, '', 'arrange'), 1).dragging).toBe(null);
    expect(pickUpMeld(state, 99)).toBe(state);
  });

  it('keeps the same target while it stays over it', () => {
    const once = hover(pickUp(state, 'b10'), { to: 'meld', meld: 0, index: 3 });
    expect(hover(once, { to: 'meld', meld: 0, index: 3 }).target).toBe(once.target);
    expect(hover(once, { to: 'meld', meld: 0, index: 2 }).target).toEqual({ to: 'meld', meld: 0, index: 2 });
    expect(hover(state, { to: 'new' })).toBe(state);
  });
});

describe('the rack', () => {
  const laid = put(state, ['b10', 'b11', 'b12'], { to: 'new' });

  it('takes tiles back to their old places', () => {
    expect(racked(laid)).toBe("r6' y1 j");
    const back = put(laid, ['b11'], { to: 'rack', index: 0 });
    expect([racked(back), lies(back)]).toEqual(["r6' b11 y1 j", `${TABLE} | b10 b12`]);
  });

  it('takes them where they are put, once it is in an order by hand', () => {
    const byHand = put(laid, ['j'], { to: 'rack', index: 0 });
    expect(racked(byHand)).toBe("j r6' y1");
    expect(byHand.history).toBe(laid.history);
    expect(racked(put(byHand, ['b11'], { to: 'rack', index: 1 }))).toBe("j b11 r6' y1");
  });

  it('does not take what lay on the table, and says so', () => {
    const refused = put(laid, ['r4'], { to: 'rack', index: 0 });
    expect(refused.refused).toEqual({ reason: 'table-tile', tiles: ['r4'] });
    expect(refused.history).toBe(laid.history);
    expect(select(refused, 'r4').refused).toBe(null);
    const some = put(laid, ['r4', 'b10'], { to: 'rack', index: 0 });
    expect([some.refused?.tiles, racked(some)]).toEqual([['r4'], "r6' b10 y1 j"]);
  });

  it('can be arranged while the table may not be touched', () => {
    const waiting = sitting(TABLE, 'r1 r2 b3', 'arrange');
    expect(racked(put(waiting, ['b3'], { to: 'rack', index: 0 }))).toBe('b3 r1 r2');
    expect(lies(put(waiting, ['b3'], { to: 'new' }))).toBe(TABLE);
    expect(lies(put(waiting, ['r4'], { to: 'new' }))).toBe(TABLE);
  });

  it('can be sorted, which is no step to undo', () => {
    expect(racked(sort(state, 'number'))).toBe("y1 r6' b10 b11 b12 j");
    expect(racked(sort(sort(state, 'number'), 'playable'))).toBe("b10 b11 b12 j r6' y1");
    expect(sort(state, 'number').history).toBe(state.history);
    expect(racked(undo(sort(laid, 'number')))).toBe("y1 r6' b10 b11 b12 j");
  });
});

describe('tap, then tap', () => {
  it('selects, and then puts there what is selected', () => {
    const one = tap(state, { on: 'tile', tile: 'b10' });
    expect(one.selection).toEqual(['b10']);
    const three = tap(tap(one, { on: 'tile', tile: 'b11' }), { on: 'tile', tile: 'b12' });
    expect(three.selection).toEqual(['b10', 'b11', 'b12']);
    expect(lies(tap(three, { on: 'felt' }))).toBe(`${TABLE} | b10 b11 b12`);
    expect(tap(one, { on: 'tile', tile: 'b10' }).selection).toEqual([]);
  });

  it('puts a tile beside the tapped one', () => {
    const picked = tap(state, { on: 'tile', tile: "r6'" });
    expect(lies(tap(picked, { on: 'tile', tile: 'r7' }, 3))).toBe("r4 r5 r6 | r6' r7 r8 | b8 k8 y8");
    expect(lies(tap(picked, { on: 'meld', meld: 1 }))).toBe("r4 r5 r6 r7 r8 | b8 k8 y8 r6'");
  });

  it('in the same meld selects more of it', () => {
    const two = tap(tap(state, { on: 'tile', tile: 'r4' }), { on: 'tile', tile: 'r5' });
    expect(two.selection).toEqual(['r4', 'r5']);
    expect(lies(tap(two, { on: 'tile', tile: 'b8' }, 0))).toBe('r6 r7 r8 | r4 r5 b8 k8 y8');
  });

  it('takes back to the rack', () => {
    const laid = put(state, ['b10', 'b11'], { to: 'new' });
    const back = tap(tap(laid, { on: 'tile', tile: 'b10' }), { on: 'rack' });
    expect(racked(back)).toBe("r6' b10 b12 y1 j");
    expect(racked(tap(tap(laid, { on: 'tile', tile: 'b10' }), { on: 'tile', tile: 'y1' }))).toBe("r6' b10 b12 y1 j");
  });

  it('on a handle selects the meld, and then lets it go', () => {
    const whole = tap(state, { on: 'meld', meld: 1 });
    expect(whole.selection).toEqual(['b8', 'k8', 'y8']);
    expect(tap(whole, { on: 'meld', meld: 1 }).selection).toEqual([]);
    expect(tap(tap(state, { on: 'tile', tile: 'b8' }), { on: 'meld', meld: 1 }).selection).toEqual(['b8', 'k8', 'y8']);
  });

  it('ends what keys carry, and goes on with it', () => {
    const carried = hover(pickUp(state, 'b11', 'keys'), { to: 'new' });
    const laid = tap(carried, { on: 'tile', tile: 'r7' }, 5);
    expect([lies(laid), laid.dragging, laid.target]).toEqual(['r4 r5 r6 r7 r8 b11 | b8 k8 y8', null, null]);
    expect(tap(carried, { on: 'tile', tile: 'b10' })).toMatchObject({ dragging: null, selection: ['b11', 'b10'] });
    expect(send(carried, 'b11')).toMatchObject({ dragging: null, target: null });
    expect(extend(carried, 'b12')).toMatchObject({ dragging: null, selection: ['b11', 'b12'] });
  });

  it('on nothing, with nothing selected, does nothing', () => {
    expect(tap(state, { on: 'felt' })).toBe(state);
    expect(tap(state, { on: 'rack' })).toBe(state);
  });

  it('takes what somebody else has only begun for free felt', () => {
    const waiting = select(sitting(TABLE, "r6' y1 b10", 'prepare'), 'y1');
    const begun = 99;
    for (const next of [
      tap(waiting, { on: 'tile', tile: '?1' }, 1),
      tap(waiting, { on: 'meld', meld: begun }, 1),
      put(waiting, ['y1'], { to: 'meld', meld: begun, index: 1 }),
    ]) {
      expect(lies(next)).toBe(`${TABLE} | y1`);
      expect(next).toMatchObject({ refused: null, selection: [] });
    }
    expect(tap(clearSelection(waiting), { on: 'tile', tile: '?1' }).selection).toEqual([]);
  });
});

describe('sending a tile', () => {
  it.each([
    ['to the meld that it makes longer', 'k1 k2 k3 | r4 r5 r6', 'r7', 'r7', 'k1 k2 k3 | r4 r5 r6 r7'],
    ['to a new meld, where there is none', 'k1 k2 k3', 'r7', 'r7', 'k1 k2 k3 | r7'],
  ])('%s', (_, table, rack, tile, after) => {
    expect(lies(send(sitting(table, rack), tile))).toBe(after);
  });

  it('back to the rack that it came from', () => {
    const laid = put(state, ['b10', 'b11'], { to: 'new' });
    expect(racked(send(laid, 'b11'))).toBe("r6' b11 b12 y1 j");
    expect(send(laid, 'r4').refused?.reason).toBe('table-tile');
  });

  it('with all that is selected', () => {
    const selected = toggle(toggle(select(state, 'b10'), 'b11'), 'b12');
    expect(lies(send(selected, 'b11'))).toBe(`${TABLE} | b10 b11 b12`);
  });

  it('not while one may not', () => {
    const waiting = sitting(TABLE, 'b9', 'arrange');
    expect(send(waiting, 'b9')).toBe(waiting);
  });
});

describe('jokers', () => {
  it('are turned through all that they can stand for', () => {
    const laid = put(sitting('', "r5 j j'"), ['r5', 'j', "j'"], { to: 'new' });
    const texts = [laid];
    for (let time = 0; time < 4; time += 1) {
      texts.push(turnJokers(texts.at(-1) ?? laid, 0));
    }
    expect(texts.map(lies)).toEqual([
      "r5 j=r6 j'=r7",
      "j=r4 r5 j'=r6",
      "j=r3 j'=r4 r5",
      "r5 j=5 j'=5",
      "r5 j=r6 j'=r7",
    ]);
  });

  it('stay where they lay when another one comes beside them, whichever was put where', () => {
    const lying = sitting('y6 y7 j=y8', "y4 y9 j'", 'play', 'junior');
    const low = put(lying, ['y4'], { to: 'meld', meld: 0, index: 0 });
    expect(lies(low)).toBe('y4 j=y5 y6 y7');
    const both = put(low, ["j'"], { to: 'meld', meld: 0, index: 4 });
    expect(lies(both)).toBe("y4 j'=y5 y6 y7 j=y8");
    expect(lies(put(both, ['y9'], { to: 'meld', meld: 0, index: 5 }))).toBe("y4 j'=y5 y6 y7 j=y8 y9");
    const filled = put(sitting("y6 y7 j=y8 j'=y9", 'y8', 'play', 'junior'), ['y8'], { to: 'meld', meld: 0, index: 4 });
    expect(lies(filled)).toBe("y6 y7 y8 j'=y9 j=y10");
    expect(lies(put(filled, ['j'], { to: 'rack', index: 0 }))).toBe("y6 y7 y8 j'=y9");
  });

  it('are not turned where there is nothing to choose, or it may not be', () => {
    const one = sitting('r4 j=r5 r6 | r1 r2 r3', '');
    expect(turnJokers(one, 0)).toBe(one);
    expect(turnJokers(one, 1)).toBe(one);
    expect(turnJokers(one, 9)).toBe(one);
    const watching = sitting('r4 r5 j=r6', '', 'watch');
    expect(turnJokers(watching, 0)).toBe(watching);
  });
});

describe('steps', () => {
  it('are undone, done again, and all put back', () => {
    const one = put(state, ['b10'], { to: 'new' });
    const two = put(one, ['b11'], { to: 'meld', meld: 2, index: 1 });
    expect(lies(undo(two))).toBe(lies(one));
    expect(lies(redo(undo(two)))).toBe(lies(two));
    expect(lies(reset(two))).toBe(TABLE);
    expect(lies(undo(reset(two)))).toBe(lies(two));
    expect(undo(state)).toBe(state);
  });
});

describe('typed notation', () => {
  it('lays melds', () => {
    expect(lies(type(state, 'b10 b11 b12').state)).toBe(`${TABLE} | b10 b11 b12`);
    expect(type(state, 'b10 q').typed).toEqual({ ok: false, reason: 'no-tile', word: 'q' });
    expect(type(state, 'b10 q').state).toBe(state);
    const waiting = sitting(TABLE, 'b9', 'arrange');
    expect(type(waiting, 'b9').state).toBe(waiting);
  });
});

describe('whatever is done', () => {
  it('keeps every tile, and what is derived is true', { timeout: 30_000 }, () => {
    const tiles = [...state.melds.flatMap((meld) => meld.tiles), ...state.rack];
    const spots = fc.oneof(
      fc.constantFrom(...tiles).map((tile) => ({ on: 'tile' as const, tile })),
      fc.nat(4).map((meld) => ({ on: 'meld' as const, meld })),
      fc.constant({ on: 'felt' as const }),
      fc.constant({ on: 'rack' as const }),
    );
    const targets: fc.Arbitrary<DropTarget> = fc.oneof(
      fc.record({ to: fc.constant('meld' as const), meld: fc.nat(4), index: fc.nat(6) }),
      fc.record({ to: fc.constant('new' as const), after: fc.option(fc.nat(4)) }),
      fc.record({ to: fc.constant('rack' as const), index: fc.nat(7) }),
    );
    const steps: fc.Arbitrary<(now: TableState) => TableState> = fc.oneof(
      spots.map((spot) => (now: TableState) => tap(now, spot, 2)),
      fc.constantFrom(...tiles).map((tile) => (now: TableState) => pickUp(now, tile)),
      fc.nat(4).map((id) => (now: TableState) => pickUpMeld(now, id)),
      targets.map((target) => (now: TableState) => drop(now, target)),
      fc.constantFrom(...tiles).map((tile) => (now: TableState) => send(now, tile)),
      fc.constantFrom(undo, redo, reset, cancel, (now: TableState) => sort(now, 'playable')),
      fc.nat(4).map((id) => (now: TableState) => turnJokers(now, id)),
    );
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 30 }), (some) => {
        let now = state;
        for (const step of some) {
          now = step(now);
          expect(everything(now.history.now)).toEqual(everything(state.history.now));
          expect(now.melds).toBe(now.history.now.melds);
          expect(now.rack.toSorted()).toEqual(now.history.now.rack.toSorted());
          expect(now.selection.every((tile) => tiles.includes(tile))).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe('the focus', () => {
  it('is where it is put', () => {
    expect(focus(state, { on: 'felt' }).focus).toEqual({ on: 'felt' });
  });
});
