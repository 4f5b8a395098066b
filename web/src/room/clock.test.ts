import { describe, expect, it } from 'vitest';
import { ServerTime, byDays, secondsLeft, untilNextTick } from './clock';

describe("the server's time", () => {
  it('is ours by the message that was least late', () => {
    const time = new ServerTime();
    time.hear(1000, 4_000_400);
    expect(time.toLocal(1000)).toBe(4_000_400);
    time.hear(1010, 4_010_050);
    time.hear(1020, 4_020_900);
    expect(time.toLocal(1100)).toBeCloseTo(4_100_050, 3);
  });

  it('is ours again when a clock was set', () => {
    const time = new ServerTime();
    time.hear(1000, 4_000_000);
    time.hear(1001, 4_031_000);
    expect(time.toLocal(1001)).toBe(4_031_000);
  });

  it('forgets what was long ago, so that a slow drift is followed', () => {
    const time = new ServerTime();
    for (let beat = 0; beat < 100; beat += 1) time.hear(1000 + beat, 4_000_000 + beat * 1001);
    expect(time.toLocal(1000)).toBeGreaterThan(4_000_080);
  });
});

describe('what is left of a turn', () => {
  it('is counted down, and ends with nothing', () => {
    expect(secondsLeft(10_000, 0)).toBe(10);
    expect(secondsLeft(10_000, 1)).toBe(10);
    expect(secondsLeft(10_000, 1000)).toBe(9);
    expect(secondsLeft(10_000, 9999)).toBe(1);
    expect(secondsLeft(10_000, 10_000)).toBe(0);
    expect(secondsLeft(10_000, 20_000)).toBe(0);
  });

  it('changes when a second is over', () => {
    for (const now of [0, 1, 499, 999, 1000, 5250]) {
      const next = now + untilNextTick(10_000, now);
      expect(secondsLeft(10_000, next)).toBeLessThan(secondsLeft(10_000, now));
      expect(next - now).toBeLessThanOrEqual(1000);
    }
  });

  it('changes once a minute where there are hours', () => {
    expect(untilNextTick(86_400_000, 0)).toBe(60_000);
    expect(untilNextTick(86_400_000, 20_000)).toBe(40_000);
  });

  it('is days where turns take days', () => {
    expect(byDays(90)).toBe(false);
    expect(byDays(86_400)).toBe(true);
  });
});
