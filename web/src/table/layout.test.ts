import { describe, expect, it } from 'vitest';
import { luck } from '../game/testkit';
import { LEAST_TILE, actionsPlace, fit, tileRect, widestTile, type Layout, type Space } from './layout';
import type { Rect } from './types';

/** The pages of the specification, with a header and actions as they are drawn there. */
const PAGES: Readonly<Record<string, Space>> = {
  laptop: { width: 1280, height: 800, header: 66, actions: { width: 216, height: 146 } },
  tablet: { width: 1024, height: 768, header: 66, actions: { width: 216, height: 146 } },
  upright: { width: 390, height: 844, header: 92, actions: { width: 374, height: 112 } },
  lying: { width: 844, height: 390, header: 44, actions: { width: 216, height: 104 } },
};
const NAMES = Object.keys(PAGES);

function page(name: string): Space {
  return PAGES[name] ?? { width: 0, height: 0, header: 0, actions: { width: 0, height: 0 } };
}

/** The lengths of melds of so many tiles: most are short, as on a real table. */
function someMelds(tiles: number, next: (below: number) => number): number[] {
  const melds: number[] = [];
  for (let left = tiles; left >= 3; left -= melds.at(-1) ?? left) {
    const size = next(6) === 0 ? 3 + next(11) : 3 + next(3);
    melds.push(left - size < 3 ? left : size);
  }
  return melds.flatMap((length) => (length > 13 ? [length - 7, 7] : [length]));
}

function overlap(a: Rect, b: Rect): boolean {
  return a.x + a.width > b.x && b.x + b.width > a.x && a.y + a.height > b.y && b.y + b.height > a.y;
}

function inside(inner: Rect, outer: Rect): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

/** What is wrong with a layout; nothing, one hopes. */
function faults(laid: Layout, melds: readonly number[], rack: number, space: Space): string[] {
  const whole: Rect = { x: 0, y: 0, width: space.width, height: space.height };
  const found: string[] = [];
  const must = (holds: boolean, fault: string): void => {
    if (!holds) {
      found.push(fault);
    }
  };
  must(laid.fits, 'does not fit');
  must(laid.tile >= LEAST_TILE && laid.rackTile >= LEAST_TILE, 'tiles are too small');
  must(laid.melds.length === melds.length && laid.rack.length === rack, 'something is missing');
  const parts = [{ x: 0, y: 0, width: space.width, height: space.header }, laid.table, laid.rackBox, laid.actions];
  parts.forEach((part, at) => {
    must(inside(part, whole), `part ${at} is cut off`);
    parts.slice(at + 1).forEach((other) => must(!overlap(part, other), `part ${at} lies over another`));
  });
  const boxes = [...laid.melds, ...(laid.spare ? [laid.spare] : [])];
  boxes.forEach((box, at) => {
    must(inside(box, laid.table), `meld ${at} is not on the felt`);
    boxes.slice(at + 1).forEach((other) => must(!overlap(box, other), `meld ${at} lies over another`));
  });
  laid.melds.forEach((box, at) => {
    const tiles = Array.from({ length: melds[at] ?? 0 }, (_, index) => tileRect(laid, box, index));
    tiles.forEach((tile, index) => {
      must(inside(tile, box), `a tile of meld ${at} is outside of it`);
      must(index === 0 || !overlap(tile, tiles[index - 1] ?? tile), `tiles of meld ${at} overlap`);
    });
  });
  laid.rack.forEach((place, at) => {
    must(inside(place, laid.rackBox), `rack tile ${at} is not on the rack`);
    must(at === 0 || !overlap(place, laid.rack[at - 1] ?? place), `rack tile ${at} lies over the one before`);
  });
  return found;
}

describe('a full table', () => {
  it.each(NAMES)('of 106 tiles and a rack of 30 is seen at once: %s', { timeout: 30_000 }, (name) => {
    const next = luck(106);
    const shortest = Array.from({ length: 35 }, () => 3);
    const tables = [shortest, ...Array.from({ length: 40 }, () => someMelds(106, next))];
    for (const melds of tables) {
      expect([melds, faults(fit(melds, 30, page(name)), melds, 30, page(name))]).toEqual([melds, []]);
    }
  });

  it('of 160 tiles is seen at once on a laptop', () => {
    const next = luck(160);
    const shortest = Array.from({ length: 53 }, () => 3);
    for (const melds of [shortest, ...Array.from({ length: 30 }, () => someMelds(160, next))]) {
      const laid = fit(melds, 30, page('laptop'));
      expect([melds, faults(laid, melds, 30, page('laptop'))]).toEqual([melds, []]);
      expect(laid.tile).toBeGreaterThanOrEqual(36);
    }
  });

  it('has tiles that can be read', () => {
    const tiles = NAMES.map(
      (name) =>
        fit(
          Array.from({ length: 35 }, () => 3),
          14,
          page(name),
        ).tile,
    );
    expect(tiles).toEqual([49, 45, 27, 27]);
  });
});

describe('any table', () => {
  it.each(NAMES)('lies without a fault: %s', { timeout: 30_000 }, (name) => {
    const next = luck(7);
    for (let time = 0; time < 150; time += 1) {
      const melds = someMelds(next(107), next);
      const rack = next(31);
      expect([melds, rack, faults(fit(melds, rack, page(name)), melds, rack, page(name))]).toEqual([melds, rack, []]);
    }
  });

  it('lies without a fault on pages of any size', { timeout: 30_000 }, () => {
    const next = luck(21);
    for (let time = 0; time < 200; time += 1) {
      const [width, height] = [360 + next(1600), 360 + next(900)];
      const beside = actionsPlace(width, height) === 'beside';
      const actions = { width: beside ? 200 : width - 16, height: beside ? 104 : 112 };
      const space: Space = { width, height, header: 44, actions, hand: next(2) ? 'left' : 'right' };
      const melds = someMelds(next(60), next);
      const rack = next(20);
      expect([width, height, faults(fit(melds, rack, space), melds, rack, space)]).toEqual([width, height, []]);
    }
  });

  it.each(NAMES)(
    'has no larger tiles when it has more melds, longer ones, or less height: %s',
    { timeout: 30_000 },
    (name) => {
      const next = luck(3);
      for (let time = 0; time < 80; time += 1) {
        const melds = someMelds(12 + next(90), next);
        const rack = 1 + next(25);
        const { tile } = fit(melds, rack, page(name));
        const at = next(melds.length);
        expect(fit(melds.toSpliced(at, 1), rack, page(name)).tile).toBeGreaterThanOrEqual(tile);
        expect(fit(melds.with(at, Math.max(1, (melds[at] ?? 3) - 1)), rack, page(name)).tile).toBeGreaterThanOrEqual(
          tile,
        );
        expect(fit(melds, rack, { ...page(name), height: page(name).height + next(200) }).tile).toBeGreaterThanOrEqual(
          tile,
        );
        expect(fit(melds, rack, { ...page(name), header: page(name).header - next(40) }).tile).toBeGreaterThanOrEqual(
          tile,
        );
      }
    },
  );

  it('has the largest tiles at which it fits: one more pixel is too much', () => {
    const space = page('laptop');
    for (const count of [26, 30, 35, 40]) {
      const melds = Array.from({ length: count }, () => 3);
      const { tile } = fit(melds, 14, space);
      expect(tile).toBeLessThan(widestTile(space.width, space.height));
      const least = fit(melds, 14, { ...space, height: space.height - 1000 });
      expect(least.fits).toBe(false);
      const capped = fit(melds, 14, space, { most: tile - 3 });
      expect([capped.tile, capped.fits]).toEqual([tile - 3, true]);
      // At the next size the rows that are needed are higher than the felt.
      const [pad, gap] = [Math.max(2, Math.round((tile + 1) * 0.09)), 2];
      const width = 3 * (tile + 1) + 2 * gap + 2 * pad;
      const ease = Math.min(1, (tile + 1 - 24) / 24);
      const [across, down] = [
        Math.round((tile + 1) * (0.14 + 0.28 * ease)),
        Math.round((tile + 1) * (0.14 + 0.22 * ease)),
      ];
      const inRow = Math.floor((space.width - 36 + across) / (width + across));
      const rows = Math.ceil((count + 1) / inRow);
      const height = rows * (Math.round((tile + 1) * 1.32) + 2 * pad) + (rows - 1) * down + 28;
      expect(height).toBeGreaterThan(fit(melds, 14, space).table.height);
    }
  });

  it('is the same each time', () => {
    const melds = someMelds(80, luck(1));
    expect(fit(melds, 14, page('tablet'))).toEqual(fit(melds, 14, page('tablet')));
  });

  it('is laid out in a moment', () => {
    const melds = Array.from({ length: 40 }, () => 4);
    const times = Array.from({ length: 60 }, () => {
      const began = performance.now();
      fit(melds, 20, page('tablet'));
      return performance.now() - began;
    });
    // One millisecond where nothing else runs; the rest is for a busy machine.
    expect(times.toSorted((a, b) => a - b)[30]).toBeLessThan(4);
  });
});

describe('melds', () => {
  it('lie in reading order, in rows', () => {
    const laid = fit([3, 4, 13, 5, 3, 3, 6, 3, 4, 3], 14, page('tablet'));
    laid.melds.slice(1).forEach((box, at) => {
      const last = laid.melds[at];
      const beside = box.row === last?.row && box.x > last.x + last.width && box.y === last.y;
      const below =
        box.row === (last?.row ?? 0) + 1 && box.y > (last?.y ?? 0) + (last?.height ?? 0) && box.x === laid.melds[0]?.x;
      expect(beside || below).toBe(true);
    });
    expect(laid.rows).toBeGreaterThan(1);
  });

  it('longer than any run have tiles that overlap, rather than make all tiles small', () => {
    const usual = fit([3, 3, 3], 14, page('upright'));
    const odd = fit([3, 30, 3], 14, page('upright'));
    expect([odd.tile, odd.fits]).toEqual([usual.tile, true]);
    const long = odd.melds[1];
    expect(long && inside(long, odd.table)).toBe(true);
    expect(long && inside(tileRect(odd, long, 29), long)).toBe(true);
    expect(long && long.step < odd.tile).toBe(true);
  });

  it('of 13 tiles fit into a row on the narrowest page', () => {
    const laid = fit([13], 14, page('upright'));
    expect(faults(laid, [13], 14, page('upright'))).toEqual([]);
  });

  it('leave a place free for a new one', () => {
    const laid = fit([3, 3], 14, page('laptop'));
    expect(laid.spare && inside(laid.spare, laid.table)).toBe(true);
    expect(fit([3, 3], 14, page('laptop'), { spare: false }).spare).toBe(null);
  });

  it('have room between them for a note, where there is room', () => {
    expect(
      fit(
        Array.from({ length: 20 }, () => 3),
        14,
        page('upright'),
      ).meldGap.y,
    ).toBeGreaterThanOrEqual(6);
    expect(
      fit(
        Array.from({ length: 10 }, () => 3),
        14,
        page('laptop'),
      ).meldGap.y,
    ).toBeGreaterThanOrEqual(20);
  });
});

describe('the rack', () => {
  it.each([
    ['laptop', 14, 1],
    ['laptop', 30, 2],
    ['tablet', 14, 1],
    ['upright', 14, 2],
    ['upright', 30, 3],
    ['lying', 14, 1],
    ['lying', 20, 1],
    ['lying', 30, 2],
  ])('of a %s has %i tiles in rows: %i', (name, count, rows) => {
    const laid = fit([3, 3, 3], count, page(name));
    expect([laid.rackRows, new Set(laid.rack.map((place) => place.y)).size]).toEqual([rows, rows]);
  });

  it('has tiles that a finger can hit, unless the table is crowded', () => {
    for (const name of NAMES) {
      expect(fit([3, 4, 3, 4, 3, 4], 14, page(name)).rackTile).toBeGreaterThanOrEqual(38);
    }
  });

  it('has a place when it is empty', () => {
    const laid = fit([3], 0, page('laptop'));
    expect(laid.rack).toEqual([]);
    expect(laid.rackBox.height).toBeGreaterThan(laid.rackTileHeight);
  });

  it('is beside the actions, or above them on a narrow upright page', () => {
    expect(NAMES.map((name) => actionsPlace(page(name).width, page(name).height))).toEqual([
      'beside',
      'beside',
      'below',
      'beside',
    ]);
    const right = fit([3], 14, page('lying'));
    const left = fit([3], 14, { ...page('lying'), hand: 'left' });
    expect(right.actions.x).toBeGreaterThan(right.rackBox.x);
    expect(left.actions.x).toBeLessThan(left.rackBox.x);
  });
});

describe('what gives when not all fits', () => {
  const tiny: Space = { width: 390, height: 560, header: 60, actions: { width: 374, height: 100 } };

  it('is the place for a new meld, then the rack, whose tiles overlap', () => {
    const seen = new Set<string>();
    for (let count = 10; count < 30; count += 1) {
      const laid = fit(
        Array.from({ length: count }, () => 3),
        30,
        tiny,
      );
      const overlapping = laid.rackStep < laid.rackTile;
      seen.add(!laid.fits ? 'scrolls' : overlapping ? 'overlaps' : laid.spare === null ? 'no place' : 'all');
      expect(laid.tile).toBeGreaterThanOrEqual(LEAST_TILE);
      expect(laid.rack.every((place) => inside(place, laid.rackBox))).toBe(true);
    }
    expect([...seen]).toEqual(['all', 'no place', 'overlaps', 'scrolls'].filter((one) => seen.has(one)));
    expect(seen.has('overlaps') && seen.has('scrolls')).toBe(true);
  });

  it('is at last the felt, which scrolls', () => {
    const laid = fit(
      Array.from({ length: 60 }, () => 3),
      30,
      page('lying'),
    );
    expect([laid.fits, laid.tile, laid.rackTile]).toEqual([false, LEAST_TILE, LEAST_TILE]);
    expect(laid.content).toBeGreaterThan(laid.table.height);
  });
});

describe('the size that is chosen', () => {
  it('can be larger or smaller than usual', () => {
    const usual = fit([3], 6, page('laptop')).tile;
    expect(fit([3], 6, page('laptop'), { scale: 1.35 }).tile).toBeGreaterThan(usual * 1.3);
    expect(fit([3], 6, page('laptop'), { scale: 0.8 }).tile).toBeLessThan(usual * 0.85);
    expect(fit([3], 6, page('laptop'), { scale: 0.1 }).tile).toBe(LEAST_TILE);
  });

  it('does not grow over what it was, on the table and on the rack', () => {
    const space = page('laptop');
    const crowded = fit(Array.from({ length: 30 }, () => 3), 20, space);
    const ceiling = { most: crowded.tile, rackMost: crowded.rackTile };
    const later = fit([3, 3], 12, space, ceiling);
    expect(later.tile).toBe(crowded.tile);
    expect(later.rackTile).toBe(crowded.rackTile);
    expect(fit([3, 3], 12, space).rackTile).toBeGreaterThan(crowded.rackTile);
  });

  it('grows with the page', () => {
    expect([widestTile(1280, 800), widestTile(390, 844), widestTile(3840, 2160)]).toEqual([61, 46, 92]);
  });
});
