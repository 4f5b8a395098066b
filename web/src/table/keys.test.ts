import { describe, expect, it } from 'vitest';
import { put, select } from './board';
import { nextTarget, nextTile, ownTarget, targets } from './focus';
import { KEYS, act, actionOf, isTableAction, type Key } from './keys';
import { PHONE, lies, racked, sceneOf, sitting } from './testkit';
import type { TableState } from './types';

const TABLE = 'r4 r5 r6 r7 r8 | b8 k8 y8';
const begun = sitting(TABLE, "r6' y1 b10 b11 b12 j");

/** Press keys, one after the other. */
function press(state: TableState, ...keys: (string | Key)[]): TableState {
  return keys.reduce<TableState>((now, one) => {
    const action = actionOf(typeof one === 'string' ? { key: one } : one);
    return action !== null && isTableAction(action) ? act(now, sceneOf(now), action) : now;
  }, state);
}

function times(count: number, key: string): string[] {
  return Array.from({ length: count }, () => key);
}

function at(state: TableState, tile: string): TableState {
  return { ...state, focus: { on: 'tile', tile } };
}

function focusOf(state: TableState): string | null {
  return state.focus?.on === 'tile' ? state.focus.tile : null;
}

describe('a key', () => {
  it.each([
    [{ key: 'z' }, 'undo'],
    [{ key: 'Z', shiftKey: true }, 'undo'],
    [{ key: 'z', ctrlKey: true }, 'undo'],
    [{ key: 'z', metaKey: true, shiftKey: true }, 'redo'],
    [{ key: 'y', ctrlKey: true }, 'redo'],
    [{ key: 'Enter', ctrlKey: true }, 'play'],
    [{ key: 'Enter' }, 'lift'],
    [{ key: ' ' }, 'select'],
    [{ key: 'Escape' }, 'cancel'],
    [{ key: 'P' }, 'play'],
    [{ key: 'd' }, 'draw'],
    [{ key: 'h' }, 'hint'],
    [{ key: '/' }, 'type'],
    [{ key: '?' }, 'help'],
    [{ key: 'w' }, 'replay'],
    [{ key: 'p', ctrlKey: true }, undefined],
    [{ key: 'd', altKey: true }, undefined],
    [{ key: 'Tab' }, undefined],
    [{ key: 'constructor' }, undefined],
  ] as [Key, string | undefined][])('%j does %s', (key, done) => {
    expect(actionOf(key)?.do).toBe(done);
  });

  it('is in the list of keys, and no key is in it twice', () => {
    const listed = KEYS.flatMap((one) => one.keys);
    expect(new Set(listed).size).toBe(listed.length);
    const letters = listed.filter((key) => /^[A-Z?/]$/.test(key));
    for (const letter of letters) {
      expect([letter, actionOf({ key: letter })]).not.toEqual([letter, null]);
    }
    const all = 'abcdefghijklmnopqrstuvwxyz?/'.split('').filter((key) => actionOf({ key }) !== null);
    expect(letters.map((key) => key.toLowerCase()).toSorted()).toEqual(all.toSorted());
  });
});

describe('the focus', () => {
  it('begins on the rack', () => {
    expect(focusOf(press(begun, 'ArrowRight'))).toBe("r6'");
    expect(focusOf(press(sitting('r1 r2 r3', ''), 'ArrowLeft'))).toBe('r1');
    expect(press(sitting('', ''), 'ArrowLeft').focus).toBe(null);
  });

  it('goes through all tiles in reading order', () => {
    const all = [...begun.melds.flatMap((meld) => meld.tiles), ...begun.rack];
    let now = at(begun, all[0] ?? '');
    const seen = all.map(() => {
      const here = focusOf(now);
      now = press(now, 'ArrowRight');
      return here;
    });
    expect(seen).toEqual(all);
    expect(focusOf(now)).toBe(all.at(-1));
    expect(focusOf(press(now, ...times(all.length, 'ArrowLeft')))).toBe(all[0]);
  });

  it('goes up and down to the nearest row', () => {
    const rows = sitting('r1 r2 r3 r4 r5 r6 | b1 b2 b3 b4 b5 b6 | k1 k2 k3 k4 k5 k6 | y1 y2 y3 y4 y5 y6', 'j');
    expect(sceneOf(rows).layout.rows).toBeGreaterThan(1);
    const below = press(at(rows, 'r2'), 'ArrowDown');
    expect(focusOf(below)).toBe('y2');
    expect(focusOf(press(below, 'ArrowUp'))).toBe('r2');
    expect(focusOf(press(at(rows, 'y3'), 'ArrowDown'))).toBe('j');
    expect(focusOf(press(at(rows, 'r2'), 'ArrowUp'))).toBe('r2');
  });

  it('goes to the next row, although another is nearer across', () => {
    const rows = at(sitting('r1 r2 r3 r4 r5 r6 | b1 b2 b3 | k1 k2 k3 k4 k5 k6', 'j'), 'r6');
    const scene = sceneOf(rows, PHONE);
    expect(scene.layout.melds.map((box) => box.row)).toEqual([0, 1, 2]);
    expect(nextTile(rows, scene, 'down')).toBe('b3');
    expect(nextTile(at(rows, 'k6'), scene, 'up')).toBe('b3');
  });

  it('goes to the ends, and from the rack to the table', () => {
    expect(focusOf(press(at(begun, 'r6'), 'End'))).toBe('y8');
    expect(focusOf(press(at(begun, 'r6'), 'Home'))).toBe('r4');
    expect(focusOf(press(at(begun, 'b11'), 'End'))).toBe('j');
    expect(focusOf(press(at(begun, 'b11'), 'Home'))).toBe("r6'");
    expect(focusOf(press(at(begun, 'b11'), 'j'))).toBe('r4');
    expect(focusOf(press(at(begun, 'r5'), 'j'))).toBe("r6'");
  });
});

describe('by keyboard alone', () => {
  it('tiles are selected', () => {
    expect(press(at(begun, 'b10'), ' ').selection).toEqual(['b10']);
    expect(press(at(begun, 'b10'), ' ', 'ArrowRight', ' ', ' ').selection).toEqual(['b10']);
    const right = { key: 'ArrowRight', shiftKey: true };
    expect(press(at(begun, 'b10'), right, right).selection).toEqual(['b10', 'b11', 'b12']);
    expect(press(at(begun, 'k8'), 'm').selection).toEqual(['b8', 'k8', 'y8']);
    expect(press(at(begun, 'b10'), 'm').selection).toEqual([]);
    expect(press(select(begun, 'b10'), 'Escape').selection).toEqual([]);
  });

  it('a tile is picked up, carried to its place and put down', () => {
    const held = press(at(begun, "r6'"), 'Enter');
    expect([held.dragging?.by, held.target]).toEqual(['keys', { to: 'rack', index: 0 }]);
    const over = press(held, 'ArrowLeft');
    expect(over.target).toEqual({ to: 'new' });
    const between = press(held, 'j', ...times(3, 'ArrowRight'));
    expect(between.target).toEqual({ to: 'meld', meld: 0, index: 3 });
    const after = press(between, 'Enter');
    expect(lies(after)).toBe("r4 r5 r6 | r6' r7 r8 | b8 k8 y8");
    expect(focusOf(after)).toBe("r6'");
    expect(lies(press(between, ' '))).toBe(lies(after));
  });

  it('a selection makes a new meld', () => {
    const right = { key: 'ArrowRight', shiftKey: true };
    const held = press(at(begun, 'b10'), right, right, 'Enter');
    expect(held.dragging?.tiles).toEqual(['b10', 'b11', 'b12']);
    const after = press(held, 'j', 'End', 'Enter');
    expect(lies(after)).toBe(`${TABLE} | b10 b11 b12`);
    expect(lies(press(after, 'z'))).toBe(TABLE);
    expect(lies(press(after, 'z', 'y'))).toBe(lies(after));
    expect(lies(press(after, 'x'))).toBe(TABLE);
  });

  it('what is in the hand is let go', () => {
    const held = press(at(begun, 'b10'), 'Enter', 'ArrowLeft', 'ArrowLeft');
    expect([press(held, 'Escape').dragging, lies(press(held, 'Escape'))]).toEqual([null, TABLE]);
    expect(lies(press(at(begun, 'b10'), 'Enter', 'Enter'))).toBe(TABLE);
  });

  it('a whole meld is moved', () => {
    const held = press({ ...begun, focus: { on: 'meld', meld: 1 } }, 'Enter');
    expect([held.dragging?.meld, held.target]).toEqual([1, { to: 'new', after: 0 }]);
    expect(lies(press(held, 'ArrowLeft', 'Enter'))).toBe('b8 k8 y8 | r4 r5 r6 r7 r8');
  });

  it('a tile goes back to the rack', () => {
    const laid = put(begun, ['b10', 'b11'], { to: 'new' });
    const back = press(at(laid, 'b11'), 'Enter', 'j', 'Enter');
    expect(racked(back)).toBe("r6' b11 b12 y1 j");
  });

  it('the rack is sorted', () => {
    expect(racked(press(begun, 'n'))).toBe("y1 r6' b10 b11 b12 j");
    expect(racked(press(begun, 'n', 'c'))).toBe("r6' b10 b11 b12 y1 j");
    expect(press(begun, 'b').order.by).toBe('playable');
  });

  it('nothing happens where nothing may', () => {
    const watching = at(sitting(TABLE, 'b9', 'watch'), 'r4');
    expect(press(watching, 'Enter').dragging).toBe(null);
    expect(press(watching, ' ').selection).toEqual([]);
    expect(press(begun, 'Enter', ' ', 'm')).toEqual(begun);
  });
});

describe('the places for what is in the hand', () => {
  const held = press(at(begun, 'r5'), 'Enter');

  it('are all gaps of all melds, a new meld, and the rack', () => {
    const all = targets(held);
    expect(all.filter((one) => one.to === 'meld')).toHaveLength(5 + 4);
    expect(all.filter((one) => one.to === 'new')).toHaveLength(1);
    expect(all.filter((one) => one.to === 'rack')).toHaveLength(7);
    expect(ownTarget(held)).toEqual({ to: 'meld', meld: 0, index: 1 });
  });

  it('are on the rack alone while the table may not be touched', () => {
    const waiting = press(at(sitting(TABLE, 'b9 b10', 'arrange'), 'b9'), 'Enter');
    expect(targets(waiting)).toEqual([
      { to: 'rack', index: 0 },
      { to: 'rack', index: 1 },
    ]);
    expect(racked(press(waiting, 'ArrowRight', 'Enter'))).toBe('b10 b9');
  });

  it('are reached one by one, there and back', () => {
    const all = targets(held);
    let now: TableState = { ...held, target: all[0] ?? null };
    const seen = all.map(() => {
      const here = now.target;
      now = press(now, 'ArrowRight');
      return here;
    });
    expect(seen).toEqual(all);
    expect(press(now, ...times(all.length, 'ArrowLeft')).target).toEqual(all[0]);
  });

  it('are reached up and down', () => {
    const table = press({ ...held, target: { to: 'rack', index: 0 } }, 'ArrowUp');
    expect(table.target?.to).not.toBe('rack');
    expect(press(table, 'ArrowDown').target?.to).toBe('rack');
    expect(press(held, 'Home').target).toEqual({ to: 'meld', meld: 0, index: 0 });
    expect(press(held, 'End').target).toEqual({ to: 'new' });
  });

  it('are found again when there was none', () => {
    expect(nextTarget({ ...held, target: null }, sceneOf(held), 'left')).toEqual({ to: 'new' });
  });

  it('of a tile alone in its meld are elsewhere', () => {
    const alone = press(at(put(begun, ['y1'], { to: 'new' }), 'y1'), 'Enter');
    expect(alone.target).toEqual({ to: 'new', after: 1 });
    expect(targets(alone).some((one) => one.to === 'meld' && one.meld === 2)).toBe(false);
    expect(lies(press(alone, 'Enter'))).toBe(`${TABLE} | y1`);
  });
});
