import { describe, expect, it } from 'vitest';
import page from '../../../docs/rulesets/index.md?raw';
import {
  BOUNDS, SECTIONS, TILESETS, changesIn, fieldsWith, houseOf, nonsense, shortHouse, tilesIn, tilesetOf,
  withPlayers, withTileset, type Bounds, type Fields, type House, type Value,
} from './house';

const ROWS = page.split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.replace(/^\| | \|$/g, '').split(' | ').map((cell) => cell.trim().replaceAll('`', '')));
const IDS = ['classic', 'club', 'sabra', 'rummy', 'junior'];

function told(bounds: Bounds): string {
  if (bounds.kind === 'number') return `${bounds.least}–${bounds.most}`;
  return bounds.kind === 'switch' ? 'true, false' : bounds.of.join(', ');
}

function value(text: string): Value {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d+$/.test(text) ? Number(text) : text;
}

function rulebook(id: string): Fields {
  const rows = ROWS.filter((row) => (row[0] ?? '') in BOUNDS);
  return Object.fromEntries(rows.map((row) => [row[0], value(row.slice(-IDS.length)[IDS.indexOf(id)] ?? '')]));
}

describe('house rules', () => {
  it('have the bounds that the docs tell', () => {
    const docs = Object.fromEntries(ROWS.filter((row) => (row[0] ?? '') in BOUNDS).map((row) => [row[0], row.at(-6)]));
    expect(Object.fromEntries(Object.entries(BOUNDS).map(([rule, bounds]) => [rule, told(bounds)]))).toEqual(docs);
  });

  it('are short where a tile set has a name', () => {
    const base = rulebook('sabra');
    const houses: House[] = [{}, { opening: 20 }, { tileset: 'xp' }, { tileset: 'xp-quick', opening: 0 }, { jokers: 3 }];
    for (const house of houses) {
      expect(shortHouse(base, fieldsWith(base, house))).toEqual(house);
    }
  });

  it('know the tile sets that the docs tell', () => {
    for (const [name, set] of Object.entries(TILESETS)) {
      const row = ROWS.find((one) => one[0] === name && one.length === 6);
      expect(row?.slice(1).map(Number)).toEqual([
        set.numbers, set.copies, set.jokers, set.players, tilesIn({ ...set }),
      ]);
    }
  });

  it('are asked for once each', () => {
    const asked = SECTIONS.flatMap((section) => section.rules);
    expect(new Set(asked).size).toBe(asked.length);
    expect(Object.keys(BOUNDS).filter((rule) => !asked.some((one) => one === rule)))
      .toEqual(['players', 'age', 'timed', 'turn_seconds']);
  });

  it('are only what differs', () => {
    const base = rulebook('classic');
    expect(houseOf(base, base)).toEqual({});
    expect(houseOf(base, { ...base, opening: 51, groups: false })).toEqual({ opening: 51, groups: false });
    expect(fieldsWith(base, { tileset: 'xp', opening: 20 })).toMatchObject({ copies: 3, players: 6, opening: 20 });
    expect(houseOf(base, fieldsWith(base, { tileset: 'xp' }))).toEqual({ players: 6, copies: 3, jokers: 4 });
  });

  it('are counted as people see them', () => {
    const base = rulebook('classic');
    expect(changesIn(base, base)).toBe(0);
    expect(changesIn(base, { ...withTileset(base, 'xp'), opening: 20 })).toBe(2);
    expect(changesIn(base, { ...base, jokers: 3, copies: 3 })).toBe(2);
  });

  it('take the large set for five and six', () => {
    const base = rulebook('club');
    expect(tilesetOf(base)).toBe('standard');
    expect(tilesetOf(withPlayers(base, 5))).toBe('xp');
    expect(withPlayers(base, 4)).toBe(base);
    expect(tilesetOf({ ...base, jokers: 3 })).toBe('own');
    expect(nonsense(withPlayers(base, 6))).toBeNull();
  });
});

describe('what makes no sense', () => {
  it('is nothing in any rulebook', () => {
    for (const id of IDS) expect(nonsense(rulebook(id))).toBeNull();
  });

  it('is named with its field, as the docs do', () => {
    const of = (id: string, house: Record<string, Value>) => {
      const found = nonsense(fieldsWith(rulebook(id), house));
      return found && [found.field, found.code, found.args];
    };
    expect(of('sabra', { players: 6 })).toEqual(['house.copies', 'too-few-copies', { players: 6 }]);
    expect(of('classic', { numbers: 7, deal: 21 }))
      .toEqual(['house.deal', 'too-many-dealt', { players: 4, dealt: 84, total: 58 }]);
    expect(of('rummy', { deal: 10 })).toEqual(['house.deal', 'no-heaps', { heap: 7 }]);
    expect(of('rummy', { numbers: 7 })).toEqual(['house.deal', 'last-heap', { players: 4 }]);
    expect(of('classic', { opening: 179 })).toEqual(['house.opening', 'opening-too-high', { deal: 14, most: 178 }]);
    expect(of('classic', { opening: 178 })).toBeNull();
    expect(nonsense(withTileset(rulebook('junior'), 'xp'))).toBeNull();
  });
});
