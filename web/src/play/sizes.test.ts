import { describe, expect, it } from 'vitest';
import { sizeStep } from './sizes';

describe('sizeStep', () => {
  it('goes down by less than a tenth, and never below the least tile', () => {
    for (let tile = 24; tile <= 120; tile += 1) {
      const step = sizeStep(tile);
      expect(step).toBeLessThanOrEqual(tile);
      expect(step).toBeGreaterThanOrEqual(Math.max(24, tile * 0.9));
      expect(sizeStep(step)).toBe(step);
    }
  });
});
