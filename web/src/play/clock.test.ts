import { describe, expect, it } from 'vitest';
import { clockMood, clockSpoken, clockText } from './clock';

describe('the clock', () => {
  it('is calm, then amber, then red', () => {
    expect([120, 60, 31, 30, 11, 10, 0].map((left) => clockMood(left, 120))).toEqual([
      'calm',
      'calm',
      'calm',
      'soon',
      'soon',
      'last',
      'last',
    ]);
    expect(clockMood(21, 60)).toBe('calm');
    expect(clockMood(20, 60)).toBe('soon');
    // Amber comes before red also where turns are short.
    expect([30, 16, 15, 11, 10].map((left) => clockMood(left, 30))).toEqual(['calm', 'calm', 'soon', 'soon', 'last']);
  });

  it('is short to read', () => {
    expect([0, 9, 61, 7199, 7200, 172_800].map(clockText)).toEqual(['0:00', '0:09', '1:01', '119:59', '2 h', '2 d']);
  });

  it('is told a few times only', () => {
    const told = Array.from({ length: 120 }, (_, left) => left).filter((left) => clockSpoken(left, 120));
    expect(told).toEqual([10, 30, 60]);
    expect(Array.from({ length: 20 }, (_, left) => left).filter((left) => clockSpoken(left, 20))).toEqual([]);
  });
});
