import { describe, expect, it } from 'vitest';
import { LONGEST, SHORTEST, WHOLE, arrivals, ease, flipAt, flips, keyframes, lasting, timeline } from './anim';
import type { Rect } from './types';

function rect(x: number, y: number, width = 50): Rect {
  return { x, y, width, height: width * 1.32 };
}

const from = new Map([
  ['r1', rect(0, 0)],
  ['r2', rect(100, 100)],
  ['r3', rect(300, 0)],
  ['r4', rect(10, 10, 60)],
]);
const to = new Map([
  ['r1', rect(0, 0)],
  ['r2', rect(100, 400)],
  ['r3', rect(300.4, 0)],
  ['r4', rect(10, 10, 40)],
  ['r5', rect(9, 9)],
]);

describe('what has moved', () => {
  it('is only what was there and is elsewhere now, or of another size', () => {
    const moved = flips(from, to);
    expect(moved.map((flip) => flip.key)).toEqual(['r2', 'r4']);
    expect(moved[0]).toMatchObject({ by: { x: 0, y: -300 }, scale: 1 });
    expect(moved[1]).toMatchObject({ by: { x: 0, y: 0 }, scale: 1.5 });
  });

  it('takes longer for a longer way, within bounds', () => {
    const far = (distance: number): number =>
      flips(new Map([['a', rect(0, 0)]]), new Map([['a', rect(distance, 0)]]))[0]?.duration ?? 0;
    expect(far(10)).toBeGreaterThan(SHORTEST);
    expect(far(300)).toBeGreaterThan(far(100));
    expect(far(5000)).toBe(LONGEST);
  });

  it('starts one after the other, and all is over in time', () => {
    const many = Array.from({ length: 106 }, (_, at): [number, Rect] => [at, rect(at * 5, 0)]);
    const there = many.map(([at]): [number, Rect] => [at, rect(at * 5, 900)]);
    const moved = flips(new Map(many), new Map(there));
    expect(moved).toHaveLength(106);
    moved.slice(1).forEach((flip, at) => expect(flip.delay).toBeGreaterThan(moved[at]?.delay ?? 0));
    expect(lasting(moved)).toBeLessThanOrEqual(WHOLE + 1e-6);
    expect(lasting(flips(new Map(many), new Map(there), { pace: 0.5 }))).toBeCloseTo(2 * lasting(moved));
    expect(lasting([])).toBe(0);
  });

  it('is nothing for whoever wants no motion', () => {
    expect(flips(from, to, { still: true })).toEqual([]);
    expect(arrivals(['r2'], to, rect(0, 0), { still: true })).toEqual([]);
  });
});

describe('what arrives', () => {
  it('comes from the middle of where it was, no larger than that', () => {
    const [flip] = arrivals(['r2', 'gone'], to, { x: 1000, y: 0, width: 20, height: 20 });
    expect(arrivals(['r2', 'gone'], to, rect(0, 0))).toHaveLength(1);
    expect(flip?.scale).toBeCloseTo(0.4);
    expect((flip?.by.x ?? 0) + 100 + 10).toBeCloseTo(1010);
    expect((flip?.by.y ?? 0) + 400 + 13.2).toBeCloseTo(10);
  });
});

describe('a way', () => {
  const flip = { key: 'a', by: { x: 100, y: -40 }, scale: 2, delay: 50, duration: 200 };

  it('leads from the old place to the new one, and never back', () => {
    expect(flipAt(flip, 0)).toEqual({ by: { x: 100, y: -40 }, scale: 2 });
    expect(flipAt(flip, 50)).toEqual({ by: { x: 100, y: -40 }, scale: 2 });
    const end = flipAt(flip, 250);
    expect([end.by.x, Math.abs(end.by.y), end.scale]).toEqual([0, 0, 1]);
    let last = 100;
    for (let time = 50; time <= 250; time += 5) {
      const { by } = flipAt(flip, time);
      expect(by.x).toBeLessThanOrEqual(last);
      last = by.x;
    }
  });

  it('is quick at first', () => {
    expect([ease(-1), ease(0), ease(1), ease(2)]).toEqual([0, 0, 1, 1]);
    expect(ease(0.3)).toBeGreaterThan(0.5);
    expect(ease(0.5)).toBeGreaterThan(ease(0.4));
  });

  it('is the same as keyframes', () => {
    expect(keyframes(flip)).toEqual([{ transform: 'translate(100px, -40px) scale(2)' }, { transform: 'none' }]);
  });
});

describe('a replay', () => {
  it('has a time for each step, slower or faster', () => {
    const usual = timeline(3);
    expect(usual.starts).toHaveLength(3);
    expect(usual.starts[0]).toBe(0);
    expect((usual.starts[1] ?? 0) > LONGEST).toBe(true);
    expect(timeline(3, 0.5).end).toBe(2 * usual.end);
    expect(timeline(0)).toEqual({ starts: [], end: 0 });
  });
});
