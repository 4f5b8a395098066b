import { describe, expect, it } from 'vitest';
import { frames } from './frames';
import { readPosition } from './position';
import { LEAST_TILE, stageOf } from './stage';

const many = Array.from({ length: 20 }, (_, at) => `${'rbky'[at % 4]}${1 + 3 * (Math.floor(at / 4) % 4)}`);
const crowded = many
  .map((tile) => {
    const [colour, first] = [tile[0], Number(tile.slice(1))];
    return [0, 1, 2].map((one) => `${colour}${first + one}`).join(' ');
  })
  .join(' | ');

function stage(line: string, width: number, most = 52, high = 600): ReturnType<typeof stageOf> {
  const position = readPosition(line);
  if (!position) throw new Error(line);
  return stageOf(frames(position.melds, position.rack, []), width, most, high);
}

describe('the places of a picture', () => {
  it('has a place for every tile, inside and without overlaps', () => {
    for (const width of [320, 374, 700, 1200]) {
      const found = stage(`sabra / ${crowded} / r13 b13 k13 y13 j j / all`, width);
      const spots = [...(found.scenes[0]?.tiles.values() ?? [])];
      expect(spots).toHaveLength(66);
      for (const spot of spots) {
        expect(spot.x).toBeGreaterThanOrEqual(0);
        expect(spot.x + found.tile).toBeLessThanOrEqual(width);
        expect(spot.y + found.tile * 1.34).toBeLessThanOrEqual(found.height);
      }
      for (const [at, one] of spots.entries()) {
        for (const other of spots.slice(at + 1)) {
          const apart = Math.abs(one.x - other.x) >= found.tile || Math.abs(one.y - other.y) >= found.tile * 1.3;
          expect(apart).toBe(true);
        }
      }
    }
  });

  it('draws few tiles large and many no smaller than can be read', () => {
    expect(stage('sabra / b8 b9 b10 / r1 / all', 700).tile).toBe(52);
    const small = stage(`sabra / ${crowded} / r13 / all`, 374, 52, 300);
    expect(small.tile).toBe(LEAST_TILE);
  });

  it('closes up a run that is wider than the felt', () => {
    const found = stage('sabra / r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13 / - / all', 320);
    const spots = [...(found.scenes[0]?.tiles.values() ?? [])];
    expect(Math.max(...spots.map((spot) => spot.x + found.tile))).toBeLessThanOrEqual(320);
  });
});
