import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { draftOf } from '../game/draft';
import { carry, replay } from '../game/moves';
import { readMeld } from '../game/tiles';
import { Film, framesOf, type Frame } from './film.svelte';

const before = draftOf(['b8 b9 b10'], 'b11 k8 y8 r1');
const after = carry(before.melds, ['b9 b10 b11', 'b8 k8 y8'].map(readMeld), before.next).melds;
const frames = framesOf(before.melds, before.rack, replay(before.melds, after));

describe('framesOf', () => {
  it('shows the table before, then each step, and ends with the table after', () => {
    expect(frames[0]?.melds).toEqual(before.melds);
    const last = frames.at(-1);
    expect(last?.melds.map((meld) => meld.tiles.toSorted())).toEqual(after.map((meld) => meld.tiles.toSorted()));
  });

  it('takes from the rack what is laid, and loses no tile', () => {
    expect(frames.at(-1)?.rack).toEqual(['r1']);
    for (const { melds, rack } of frames) expect(melds.flatMap((meld) => meld.tiles).length + rack.length).toBe(7);
  });
});

describe('Film', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('runs through its pictures and ends by itself', () => {
    const film = new Film();
    const ended = vi.fn();
    film.show(frames, 1, ended);
    expect([film.on, film.step, film.steps]).toEqual([true, 0, frames.length - 1]);
    vi.advanceTimersByTime(1000);
    expect(film.step).toBe(1);
    vi.advanceTimersByTime(20_000);
    expect(film.on).toBe(false);
    expect(ended).toHaveBeenCalledOnce();
  });

  it('goes faster where there are many steps', () => {
    const film = new Film();
    const lasts = (steps: number): number => {
      film.show(Array.from({ length: steps + 1 }, () => frames[0] as Frame), null);
      let time = 0;
      for (; film.on; time += 100) vi.advanceTimersByTime(100);
      return time;
    };
    expect(lasts(4)).toBeGreaterThan(4 * 1200);
    expect(lasts(15)).toBeLessThan(23_000);
    expect(lasts(40)).toBeLessThan(23_000);
  });

  it('can be left at any time', () => {
    const film = new Film();
    film.show(frames, null);
    film.stop();
    expect(film.now).toBeNull();
    vi.advanceTimersByTime(20_000);
    expect(film.on).toBe(false);
  });
});
