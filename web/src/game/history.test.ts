import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MOST_STEPS, begin, canRedo, canUndo, redo, reset, step, undo, type History } from './history';
import { draft } from './testkit';

const drafts = Array.from({ length: MOST_STEPS + 50 }, (_, at) => ({ ...draft('r1 r2 r3', 'b1'), next: at }));
const [start, first, second, third] = drafts;

function walked(...more: (typeof drafts)[number][]): History {
  return more.reduce(step, begin(drafts[0] ?? draft('')));
}

describe('a history', () => {
  it('goes back and forth', () => {
    if (!start || !first || !second) {
      throw new Error('no drafts');
    }
    const history = walked(first, second);
    expect(undo(history).now).toBe(first);
    expect(undo(undo(history)).now).toBe(start);
    expect(undo(undo(undo(history))).now).toBe(start);
    expect(redo(undo(history)).now).toBe(second);
    expect(redo(redo(undo(undo(history)))).now).toBe(second);
    expect(redo(history)).toBe(history);
    expect([canUndo(history), canRedo(history), canUndo(begin(start)), canRedo(undo(history))]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  it('forgets what was undone when something else is done', () => {
    if (!start || !first || !second || !third) {
      throw new Error('no drafts');
    }
    const history = step(undo(walked(first, second)), third);
    expect(canRedo(history)).toBe(false);
    expect(undo(history).now).toBe(first);
  });

  it('can be reset, and the reset undone', () => {
    if (!start || !first || !second) {
      throw new Error('no drafts');
    }
    const history = reset(walked(first, second));
    expect(history.now).toBe(start);
    expect(undo(history).now).toBe(second);
    expect(reset(begin(start)).past).toEqual([]);
  });

  it('may begin with a step', () => {
    if (!start || !first) {
      throw new Error('no drafts');
    }
    expect(undo(begin(start, first)).now).toBe(start);
  });

  it('is bounded', () => {
    expect(walked(...drafts.slice(1)).past).toHaveLength(MOST_STEPS);
  });

  it('ends where it was after as many redos as undos', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(40), { maxLength: 60 }), fc.nat(80), (places, times) => {
        const history = walked(...places.map((at) => drafts[at] ?? draft('')));
        let back = history;
        for (let count = 0; count < times; count += 1) {
          back = undo(back);
        }
        for (let count = 0; count < times; count += 1) {
          back = redo(back);
        }
        expect(back).toEqual(history);
      }),
    );
  });
});
