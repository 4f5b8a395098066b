import { describe, expect, it } from 'vitest';
import { draftOf } from '../game/draft';
import type { Scene } from './drag';
import { fit } from './layout';
import { cutBy, pictureOf } from './picture';
import type { Rect } from './types';

const TABLE = ['r4 r5 r6', 'b8 k8 y8', 'k1 k2 k3 k4 k5', 'y4 y5 y6', 'r10 b10 k10'];

function sceneOf(width = 900, rack = 'r2 r9 b6 y3', places?: number): Scene {
  const { melds, rack: tiles } = draftOf(TABLE, rack);
  const space = { width, height: 700, header: 50, actions: { width: 200, height: 100 } };
  return { layout: fit(melds.map((meld) => meld.tiles.length), places ?? tiles.length, space), melds, rack: tiles };
}

function right(rect: Rect | undefined): number {
  return (rect?.x ?? 0) + (rect?.width ?? 0);
}

describe('pictureOf', () => {
  it('leaves everything in its place while nothing is in the hand', () => {
    const scene = sceneOf();
    const picture = pictureOf(scene, [], null);
    expect(picture.boxes).toEqual(scene.layout.melds);
    expect(picture.rects.size).toBe(21);
    expect(picture.holes).toEqual([]);
    expect(picture.place).toBeNull();
  });

  it('keeps the place of what is in the hand free', () => {
    const scene = sceneOf();
    const picture = pictureOf(scene, ['b6'], null);
    expect(picture.rects.has('b6')).toBe(false);
    expect(picture.holes).toEqual([scene.layout.rack[2]]);
  });

  it('opens a meld where the tile would go, as wide as a tile', () => {
    const scene = sceneOf();
    const picture = pictureOf(scene, ['y3'], { to: 'meld', meld: 1, index: 1 });
    const [b8, k8] = [picture.rects.get('b8'), picture.rects.get('k8')];
    expect((k8?.x ?? 0) - (b8?.x ?? 0)).toBeCloseTo(2 * (scene.layout.tile + scene.layout.gap));
    expect(picture.place?.x).toBeGreaterThanOrEqual(right(b8));
    expect(right(picture.place ?? undefined)).toBeLessThanOrEqual(k8?.x ?? 0);
  });

  it('pushes only what comes after in the same row, and keeps all within the felt', () => {
    for (const width of [390, 640, 900, 1280]) {
      const scene = sceneOf(width);
      for (const meld of scene.melds) {
        const picture = pictureOf(scene, ['y3', 'b6'], { to: 'meld', meld: meld.id, index: meld.tiles.length });
        picture.boxes.forEach((box, at) => {
          const was = scene.layout.melds[at];
          if (box.y !== picture.boxes[meld.id]?.y || at < meld.id) expect(box).toEqual(was);
          if (at !== meld.id) expect(right(box)).toBeLessThanOrEqual(width);
        });
      }
    }
  });

  it('does not grow a meld whose own tile moves within it', () => {
    const scene = sceneOf();
    const picture = pictureOf(scene, ['k5'], { to: 'meld', meld: 2, index: 0 });
    expect(picture.boxes).toEqual(scene.layout.melds);
    expect(picture.place?.x).toBeCloseTo((scene.layout.melds[2]?.x ?? 0) + scene.layout.pad);
  });

  it('closes up the rack behind a tile that moves in it', () => {
    const scene = sceneOf();
    const picture = pictureOf(scene, ['r2'], { to: 'rack', index: 3 });
    expect(['r9', 'b6', 'y3'].map((tile) => picture.rects.get(tile))).toEqual(scene.layout.rack.slice(0, 3));
    expect(picture.place).toEqual(scene.layout.rack[3]);
  });

  it('makes room on the rack for tiles that come back, where they will be', () => {
    for (const width of [390, 900]) {
      const rack = 'r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12';
      const scene = sceneOf(width, rack, 14);
      const picture = pictureOf(scene, ['b8', 'k8'], { to: 'rack', index: 1 });
      const [first, second, , fourth] = scene.layout.rack;
      expect(picture.rects.get('r1')).toEqual(first);
      expect(picture.place).toEqual(second);
      expect(picture.rects.get('r2')).toEqual(fourth);
      expect(picture.rects.get('r12')).toEqual(scene.layout.rack[13]);
    }
  });

  it('shows a line on a full rack, from which no tile is pushed', () => {
    for (const index of [0, 2, 4]) {
      const scene = sceneOf();
      const picture = pictureOf(scene, ['r4'], { to: 'rack', index });
      const { rackBox } = scene.layout;
      expect(['r2', 'r9', 'b6', 'y3'].map((tile) => picture.rects.get(tile))).toEqual(scene.layout.rack);
      expect(picture.line).toBe(true);
      expect(picture.place?.x).toBeGreaterThan(rackBox.x);
      expect(right(picture.place ?? undefined)).toBeLessThan(right(rackBox));
    }
  });

  it('shows a new meld in the free place, or a line between two melds', () => {
    const scene = sceneOf();
    expect(pictureOf(scene, ['y3'], { to: 'new' }).line).toBe(false);
    const between = pictureOf(scene, ['y3'], { to: 'new', after: 0 });
    expect(between.line).toBe(true);
    expect(between.place?.x).toBeGreaterThan(right(scene.layout.melds[0]));
    expect(right(between.place ?? undefined)).toBeLessThan(scene.layout.melds[1]?.x ?? 0);
  });
});

describe('cutBy', () => {
  const window: Rect = { x: 0, y: 100, width: 300, height: 200 };
  const at = (y: number): Rect => ({ x: 10, y, width: 24, height: 32 });

  it('leaves alone what is inside', () => {
    expect([100, 150, 268].map((y) => cutBy(window, at(y)))).toEqual([null, null, null]);
  });

  it('cuts off what reaches out above or below, and nothing at the sides', () => {
    expect(cutBy(window, at(90))).toBe('inset(10px -12px -12px)');
    expect(cutBy(window, at(280))).toBe('inset(-12px -12px 12px)');
  });

  it('leaves nothing of what is outside', () => {
    expect([40, 68, 300, 400].map((y) => cutBy(window, at(y)))).toEqual(Array(4).fill('inset(100%)'));
  });
});
