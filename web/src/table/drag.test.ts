import { describe, expect, it } from 'vitest';
import { luck } from '../game/testkit';
import {
  LONG_PRESS,
  THRESHOLD,
  down,
  hitAt,
  move,
  rectsOf,
  stop,
  targetAt,
  up,
  wait,
  type Hit,
  type Press,
} from './drag';
import { LAPTOP, PHONE, sceneOf, sitting } from './testkit';
import type { Point, Rect } from './types';

const HIT: Hit = { on: 'tile', tile: 'r5', meld: null, index: 0 };
const HERE: Point = { x: 100, y: 100 };

function pressed(kind: 'mouse' | 'touch' | 'pen' = 'mouse'): Press {
  const { press } = down(null, 1, kind, HIT, HERE, 1000);
  if (press === null) {
    throw new Error('no press');
  }
  return press;
}

describe('a press', () => {
  it.each(['mouse', 'pen', 'touch'] as const)('of a %s becomes a drag when it has gone far enough', (kind) => {
    const press = pressed(kind);
    const near = { x: 100 + THRESHOLD[kind] - 1, y: 100 };
    const far = { x: 100, y: 100 + THRESHOLD[kind] };
    expect(move(press, 1, near).gesture).toEqual({ is: 'nothing' });
    const lifted = move(press, 1, far);
    expect(lifted.gesture).toEqual({ is: 'lift', hit: HIT, start: HERE, at: far });
    expect(move(lifted.press, 1, near).gesture).toEqual({ is: 'move', at: near });
    expect(up(lifted.press, 1, near)).toEqual({ press: null, gesture: { is: 'drop', at: near } });
  });

  it('of a finger may stray further than that of a mouse', () => {
    expect(THRESHOLD.touch).toBeGreaterThan(THRESHOLD.mouse);
  });

  it('that does not move is a tap', () => {
    expect(up(pressed(), 1, HERE)).toEqual({ press: null, gesture: { is: 'tap', hit: HIT, at: HERE } });
  });

  it('that lasts is a long one, and then no tap', () => {
    const press = pressed('touch');
    expect(wait(press, 1000 + LONG_PRESS - 1).gesture).toEqual({ is: 'nothing' });
    const held = wait(press, 1000 + LONG_PRESS);
    expect(held.gesture).toEqual({ is: 'hold', hit: HIT });
    expect(wait(held.press, 9000).gesture).toEqual({ is: 'nothing' });
    expect(up(held.press, 1, HERE)).toEqual({ press: null, gesture: { is: 'nothing' } });
  });

  it('that lasts and then moves drags what it has taken', () => {
    const { press: held } = wait(pressed('touch'), 1000 + LONG_PRESS);
    const [near, far] = [{ x: HERE.x + THRESHOLD.touch - 1, y: HERE.y }, { x: 300, y: 300 }];
    expect(move(held, 1, near)).toEqual({ press: held, gesture: { is: 'nothing' } });
    expect(move(held, 2, far)).toEqual({ press: held, gesture: { is: 'nothing' } });
    const lifted = move(held, 1, far);
    expect(lifted.gesture).toEqual({ is: 'lift', hit: HIT, start: HERE, at: far });
    expect(move(lifted.press, 1, near).gesture).toEqual({ is: 'move', at: near });
    expect(up(lifted.press, 1, near)).toEqual({ press: null, gesture: { is: 'drop', at: near } });
  });

  it('of a mouse may last, and is a tap or a drag all the same', () => {
    const press = pressed('mouse');
    const later = wait(press, 9000);
    expect(later).toEqual({ press, gesture: { is: 'nothing' } });
    expect(move(later.press, 1, { x: 300, y: 300 }).gesture.is).toBe('lift');
    expect(up(later.press, 1, HERE).gesture.is).toBe('tap');
  });

  it('that is a drag does not become a long one', () => {
    expect(wait(move(pressed(), 1, { x: 300, y: 300 }).press, 9000).gesture).toEqual({ is: 'nothing' });
  });

  it('is not disturbed by another pointer, except that a second finger ends it', () => {
    const dragged = move(pressed('touch'), 1, { x: 300, y: 300 }).press;
    expect(move(dragged, 2, HERE).gesture).toEqual({ is: 'nothing' });
    expect(up(dragged, 2, HERE)).toEqual({ press: dragged, gesture: { is: 'nothing' } });
    expect(down(dragged, 2, 'touch', HIT, HERE, 1)).toEqual({ press: null, gesture: { is: 'cancel' } });
    expect(down(pressed(), 2, 'touch', HIT, HERE, 1)).toEqual({ press: null, gesture: { is: 'nothing' } });
  });

  it('can be taken away', () => {
    expect(stop(move(pressed(), 1, { x: 300, y: 300 }).press)).toEqual({ press: null, gesture: { is: 'cancel' } });
    expect(stop(pressed()).gesture).toEqual({ is: 'nothing' });
    expect(stop(null).gesture).toEqual({ is: 'nothing' });
    expect(move(null, 1, HERE)).toEqual({ press: null, gesture: { is: 'nothing' } });
    expect(up(null, 1, HERE)).toEqual({ press: null, gesture: { is: 'nothing' } });
    expect(wait(null, 1)).toEqual({ press: null, gesture: { is: 'nothing' } });
  });
});

const state = sitting('r4 r5 r6 r7 r8 | b8 k8 y8 | k1 k2 k3', "r6' y1 b10 b11 b12 j k5 k6 k7 y9 y10 y11 r1 r2");
const scene = sceneOf(state);
const rects = rectsOf(scene);

function centre(tile: string, across = 0): Point {
  const rect = rects.get(tile) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: rect.x + rect.width * (0.5 + across), y: rect.y + rect.height / 2 };
}

function middle(rect: Rect): Point {
  return { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 };
}

describe('what lies under a point', () => {
  it('is a tile of the table or of the rack', () => {
    for (const [place, meld] of scene.melds.entries()) {
      meld.tiles.forEach((tile, index) => {
        expect(hitAt(scene, centre(tile))).toEqual({ on: 'tile', tile, meld: meld.id, index });
      });
      expect(place).toBe(meld.id);
    }
    scene.rack.forEach((tile, index) => {
      expect(hitAt(scene, centre(tile))).toEqual({ on: 'tile', tile, meld: null, index });
    });
  });

  it('is a meld, beside its tiles', () => {
    const box = scene.layout.melds[0] ?? { x: 0, y: 0, width: 0, height: 0 };
    expect(hitAt(scene, { x: box.x + 1, y: box.y + 1 })).toEqual({ on: 'meld', meld: 0, index: 0 });
    expect(hitAt(scene, { x: box.x + box.width - 1, y: box.y + 1 })).toEqual({ on: 'meld', meld: 0, index: 5 });
  });

  it('is felt, wood, or nothing', () => {
    expect(hitAt(scene, { x: 600, y: 500 })).toEqual({ on: 'felt' });
    const wood = scene.layout.rackBox;
    expect(hitAt(scene, { x: wood.x + wood.width - 2, y: wood.y + 2 })).toEqual({ on: 'rack', index: 14 });
    expect(hitAt(scene, { x: 600, y: 20 })).toEqual({ on: 'nothing' });
    expect(hitAt(scene, middle(scene.layout.actions))).toEqual({ on: 'nothing' });
  });

  it('is the upper one of two rack tiles that overlap', () => {
    const place = { x: 100, y: 700, width: 40, height: 50 };
    const layout = {
      ...scene.layout,
      rack: [place, { ...place, x: 120 }],
      rackBox: { x: 0, y: 690, width: 400, height: 80 },
    };
    const over = { layout, melds: [], rack: ['r1', 'r2'] };
    expect(hitAt(over, { x: 130, y: 720 })).toMatchObject({ tile: 'r2' });
    expect(hitAt(over, { x: 110, y: 720 })).toMatchObject({ tile: 'r1' });
  });

  it('moves with the felt, where that scrolls', () => {
    const scrolled = { ...scene, scroll: 10 };
    const { x, y } = centre('r4');
    expect(rectsOf(scrolled).get('r4')?.y).toBe((rects.get('r4')?.y ?? 0) - 10);
    expect(hitAt(scrolled, { x, y: y - 10 })).toMatchObject({ tile: 'r4' });
    expect(rectsOf(scrolled).get('r1')).toEqual(rects.get('r1'));
  });
});

describe('where tiles would go', () => {
  it.each([
    ['left of the first tile', centre('r4', -0.3), 0],
    ['right of the first tile', centre('r4', 0.3), 1],
    ['between two tiles', centre('r6', 0.51), 3],
    ['left of the last tile', centre('r8', -0.2), 4],
    ['right of the last tile', centre('r8', 0.3), 5],
  ])('%s', (_, point, index) => {
    expect(targetAt(scene, point, ["r6'"])).toEqual({ to: 'meld', meld: 0, index });
  });

  it('takes the felt between the table and the rack for felt', () => {
    const { table, rackBox, rackTileHeight } = scene.layout;
    const y = Math.max(table.y + table.height, rackBox.y - 0.15 * rackTileHeight - 1);
    expect(targetAt(scene, { x: table.x + 40, y }, ['r2'])).toMatchObject({ to: 'new' });
    expect(hitAt(scene, { x: table.x + 40, y })).toEqual({ on: 'felt' });
  });

  it('counts only tiles that stay', () => {
    expect(targetAt(scene, centre('r8', 0.3), ['r5', 'r6'])).toEqual({ to: 'meld', meld: 0, index: 3 });
    expect(targetAt(scene, centre('r2', 0.3), ['b10', 'r1'])).toEqual({ to: 'rack', index: scene.rack.indexOf('r2') });
  });

  it('reaches beyond the ends of a meld', () => {
    const box = scene.layout.melds[0] ?? { x: 0, y: 0, width: 0, height: 0 };
    const y = box.y + box.height / 2;
    const near = box.x + box.width + Math.min(scene.layout.meldGap.x, scene.layout.tile * 0.45) - 1;
    const next = scene.layout.melds[1]?.x ?? 0;
    expect(targetAt(scene, { x: Math.min(near, (box.x + box.width + next) / 2 - 1), y }, ['j'])).toEqual({
      to: 'meld',
      meld: 0,
      index: 5,
    });
    expect(targetAt(scene, { x: next - 2, y }, ['j'])).toEqual({ to: 'meld', meld: 1, index: 0 });
    expect(targetAt(scene, { x: box.x - 10, y }, ['j'])).toEqual({ to: 'meld', meld: 0, index: 0 });
  });

  it('is a new meld on the felt, after the meld before it', () => {
    expect(targetAt(scene, { x: 600, y: 500 }, ['j'])).toEqual({ to: 'new', after: 2 });
    const spare = scene.layout.spare ?? { x: 0, y: 0, width: 0, height: 0 };
    expect(targetAt(scene, { x: spare.x + spare.width - 4, y: spare.y + spare.height / 2 }, ['j'])).toEqual({
      to: 'new',
      after: 2,
    });
    const empty = sceneOf(sitting('', 'r1 r2'));
    expect(targetAt(empty, { x: 600, y: 300 }, ['r1'])).toEqual({ to: 'new', after: null });
  });

  it('is between melds for a whole one', () => {
    const [first, second] = scene.layout.melds;
    expect(first && targetAt(scene, { x: first.x + 5, y: first.y + 5 }, ['k1', 'k2', 'k3'], 2)).toEqual({
      to: 'new',
      after: null,
    });
    expect(
      second && targetAt(scene, { x: second.x + second.width - 5, y: second.y + 5 }, ['k1', 'k2', 'k3'], 2),
    ).toEqual({
      to: 'new',
      after: 1,
    });
  });

  it('is on the rack, by the nearest gap', () => {
    scene.rack.forEach((tile, index) => {
      expect(targetAt(scene, centre(tile, -0.3), ['r4'])).toEqual({ to: 'rack', index });
      expect(targetAt(scene, centre(tile, 0.3), ['r4'])).toEqual({ to: 'rack', index: index + 1 });
    });
    expect(targetAt(scene, { x: scene.layout.rackBox.x + 2, y: 799 }, ['r4'])).toEqual({ to: 'rack', index: 0 });
  });

  it('is by rows on a rack that has several', () => {
    const upright = sceneOf(state, PHONE);
    const places = rectsOf(upright);
    expect(upright.layout.rackRows).toBe(2);
    upright.rack.forEach((tile, index) => {
      const rect = places.get(tile) ?? { x: 0, y: 0, width: 0, height: 0 };
      expect(targetAt(upright, { x: rect.x + rect.width * 0.8, y: rect.y + rect.height * 0.9 }, [])).toEqual({
        to: 'rack',
        index: index + 1,
      });
    });
  });

  it('is nowhere over the header and the actions', () => {
    expect(targetAt(scene, { x: 600, y: 10 }, ['j'])).toBe(null);
    expect(targetAt(scene, middle(scene.layout.actions), ['j'])).toBe(null);
    const upright = sceneOf(state, PHONE);
    expect(targetAt(upright, middle(upright.layout.actions), ['j'])).toBe(null);
  });

  it('is always something on the felt, and every place of every meld can be reached', { timeout: 30_000 }, () => {
    const melds = Array.from({ length: 26 }, (_, at) => {
      const colour = 'rbky'[at % 4] ?? 'r';
      const first = 1 + (at % 3) * 4;
      const copy = at < 13 ? '' : "'";
      return [0, 1, 2].map((step) => `${colour}${first + step}${copy}`).join(' ');
    });
    const unique = melds.filter(
      (meld, at) => melds.findIndex((other) => other.split(' ').some((tile) => meld.split(' ').includes(tile))) === at,
    );
    for (const space of [LAPTOP, PHONE]) {
      const full = sceneOf(sitting(unique.join(' | '), 'j'), space);
      const next = luck(9);
      const felt = full.layout.table;
      for (let time = 0; time < 2000; time += 1) {
        const point = { x: next(felt.width), y: felt.y + next(Math.floor(felt.height)) };
        expect(targetAt(full, point, ['j'])).not.toBe(null);
      }
      full.melds.forEach((meld, place) => {
        const box = full.layout.melds[place] ?? { x: 0, y: 0, width: 0, height: 0, step: 0 };
        for (let index = 0; index <= meld.tiles.length; index += 1) {
          const x = box.x + full.layout.pad + index * box.step - 1;
          expect(targetAt(full, { x, y: box.y + 10 }, ['j'])).toEqual({ to: 'meld', meld: meld.id, index });
        }
      });
    }
  });

  it('costs next to nothing', () => {
    const began = performance.now();
    for (let time = 0; time < 1000; time += 1) {
      targetAt(scene, { x: time, y: 100 + (time % 600) }, ['j']);
    }
    expect((performance.now() - began) / 1000).toBeLessThan(0.5);
  });
});
