/** House rules: which fields of a ruleset can be changed, within which bounds, and what does not go together. */

export type Value = boolean | number | string;
export type Fields = Readonly<Record<string, Value>>;
export type House = Record<string, Value>;

export type Bounds =
  | { readonly kind: 'number'; readonly least: number; readonly most: number }
  | { readonly kind: 'choice'; readonly of: readonly string[] }
  | { readonly kind: 'switch' };

const number = (least: number, most: number): Bounds => ({ kind: 'number', least, most });
const choice = (...of: string[]): Bounds => ({ kind: 'choice', of });

/** Every field that a house rule may change; docs/rulesets/index.md has the same table. */
export const BOUNDS = {
  players: number(2, 6),
  age: number(0, 99),
  numbers: number(7, 13),
  copies: number(1, 3),
  jokers: number(0, 4),
  fourth_colour: choice('yellow', 'orange'),
  deal: number(3, 21),
  dealing: choice('pile', 'bag', 'stacks', 'heaps'),
  direction: choice('clockwise', 'counter-clockwise'),
  starter: choice('highest', 'host'),
  groups: { kind: 'switch' } as Bounds,
  opening: number(0, 200),
  usable: choice('opening-turn', 'next-turn', 'all-opened'),
  rearranging: choice('free', 'adding'),
  joker_leaves: choice('free', 'swap', 'rack-swap', 'swap-or-spare'),
  joker_goes: choice('table', 'new-meld', 'rack'),
  joker_melds: choice('divisible', 'whole'),
  timed: { kind: 'switch' } as Bounds,
  turn_seconds: number(0, 3600),
  timeout: choice('restore', 'keep-valid', 'keep-own'),
  timeout_draws: number(0, 10),
  untouched_draws: number(0, 10),
  joker_value: number(0, 100),
  stalemate: choice('all-pass', 'one-stuck'),
  stalemate_score: choice('differences', 'others-less-own'),
  stars: number(0, 20),
} satisfies Record<string, Bounds>;

export type Rule = keyof typeof BOUNDS;

/** What a form asks for, by what it is about. Players, clock and age have their place elsewhere, or are only shown. */
export const SECTIONS: readonly { readonly name: string; readonly rules: readonly Rule[] }[] = [
  { name: 'tiles', rules: ['numbers', 'copies', 'jokers', 'fourth_colour', 'deal', 'dealing'] },
  { name: 'turn', rules: ['direction', 'starter', 'groups', 'opening', 'usable', 'rearranging'] },
  { name: 'joker', rules: ['joker_leaves', 'joker_goes', 'joker_melds', 'joker_value'] },
  { name: 'time', rules: ['timeout', 'timeout_draws', 'untouched_draws'] },
  { name: 'end', rules: ['stalemate', 'stalemate_score', 'stars'] },
];

/** The rules whose names do not say it all. */
export const EXPLAINED: ReadonlySet<Rule> = new Set<Rule>([
  'deal', 'dealing', 'groups', 'opening', 'usable', 'joker_value', 'timeout', 'timeout_draws', 'untouched_draws',
  'stars',
]);

interface Tileset {
  readonly numbers: number;
  readonly copies: number;
  readonly jokers: number;
  readonly players: number;
}

export const TILESETS = {
  standard: { numbers: 13, copies: 2, jokers: 2, players: 4 },
  xp: { numbers: 13, copies: 3, jokers: 4, players: 6 },
  'xp-quick': { numbers: 13, copies: 2, jokers: 4, players: 4 },
  junior: { numbers: 10, copies: 1, jokers: 4, players: 4 },
} satisfies Record<string, Tileset>;

export type TilesetName = keyof typeof TILESETS;

export const TILESET_NAMES = Object.keys(TILESETS) as readonly TilesetName[];

const COLOURS = 4;
const HEAP = 7;
const MOST_PLAYERS = 6;
const MOST_WITHOUT_XP = 4;

/** How many tiles there are. */
export function tilesIn(fields: Fields): number {
  return Number(fields.numbers) * COLOURS * Number(fields.copies) + Number(fields.jokers);
}

/** The name of the tile set that these fields are, or `own`. */
export function tilesetOf(fields: Fields): TilesetName | 'own' {
  const found = TILESET_NAMES.find((name) =>
    (['numbers', 'copies', 'jokers'] as const).every((part) => TILESETS[name][part] === fields[part]),
  );
  return found ?? 'own';
}

/** The rules of a table: the rulebook's, with what the house changes. */
export function fieldsWith(base: Fields, house: House): Fields {
  const { tileset, ...changes } = house;
  const parts = typeof tileset === 'string' && tileset in TILESETS ? TILESETS[tileset as TilesetName] : {};
  return { ...base, ...parts, ...changes };
}

/** What differs from the rulebook: all that has to be sent. */
export function houseOf(base: Fields, fields: Fields): House {
  return Object.fromEntries(
    Object.keys(BOUNDS).flatMap((rule) => {
      const value = fields[rule];
      return value === undefined || value === base[rule] ? [] : [[rule, value]];
    }),
  );
}

/** The same in few words: a tile set by its name, and what else differs from the rulebook. */
export function shortHouse(base: Fields, fields: Fields): House {
  const name = tilesetOf(fields);
  if (name === 'own' || name === tilesetOf(base)) return houseOf(base, fields);
  return { tileset: name, ...houseOf(fieldsWith(base, { tileset: name }), fields) };
}

/** How many rules of the form are not as in the book; another tile set is one of them. */
export function changesIn(base: Fields, fields: Fields): number {
  const parts = ['numbers', 'copies', 'jokers'];
  const changed = SECTIONS.flatMap((section) => section.rules).filter((rule) => fields[rule] !== base[rule]);
  const ofSet = changed.filter((rule) => parts.includes(rule));
  const other = changed.length - ofSet.length;
  return other + (tilesetOf(fields) === 'own' ? ofSet.length : Math.min(1, ofSet.length));
}

/** The fields with another tile set in them. */
export function withTileset(fields: Fields, name: TilesetName): Fields {
  return { ...fields, ...TILESETS[name] };
}

/**
 * The fields that fit this many players: five and six need three of each tile, and a ruleset's own limit gives way to
 * the set's. Whoever goes back to fewer keeps the larger set, which fewer may play with too.
 */
export function withPlayers(fields: Fields, players: number): Fields {
  if (players > MOST_WITHOUT_XP && Number(fields.copies) < TILESETS.xp.copies) return withTileset(fields, 'xp');
  return players > Number(fields.players) ? { ...fields, players: MOST_PLAYERS } : fields;
}

/** How many can play at most, whatever tile set that takes; the tiles of children are for four. */
export function mostPlayers(base: Fields): number {
  return Number(base.stars) > 0 ? Number(base.players) : MOST_PLAYERS;
}

/** Something that cannot be, and the field to change. */
export interface Problem {
  readonly field: string;
  readonly code: 'too-few-copies' | 'too-many-dealt' | 'no-heaps' | 'last-heap' | 'opening-too-high';
  readonly args: Readonly<Record<string, number>>;
}

/** The first combination of rules that makes no sense, as the server will judge it; null where all is well. */
export function nonsense(fields: Fields): Problem | null {
  const [players, deal, total] = [Number(fields.players), Number(fields.deal), tilesIn(fields)];
  const dealt = players * deal;
  const problem = (rule: Rule, code: Problem['code'], args: Problem['args'] = {}): Problem => ({
    field: `house.${rule}`,
    code,
    args,
  });
  if (players > MOST_WITHOUT_XP && Number(fields.copies) < TILESETS.xp.copies) {
    return problem('copies', 'too-few-copies', { players });
  }
  if (dealt > total) return problem('deal', 'too-many-dealt', { players, dealt, total });
  if (fields.dealing === 'heaps') {
    if (deal % HEAP) return problem('deal', 'no-heaps', { heap: HEAP });
    if (total % HEAP && dealt > total - HEAP - (total % HEAP)) return problem('deal', 'last-heap', { players });
  }
  const most = mostPoints(fields);
  if (Number(fields.opening) > most) return problem('opening', 'opening-too-high', { deal, most });
  return null;
}

function mostPoints(fields: Fields): number {
  let [left, points] = [Number(fields.deal), 0];
  const take = (count: number, each: number): void => {
    const taken = Math.min(left, count);
    left -= taken;
    points += taken * each;
  };
  take(Number(fields.jokers), Number(fields.numbers));
  for (let face = Number(fields.numbers); face > 0; face -= 1) take(COLOURS * Number(fields.copies), face);
  return points;
}
