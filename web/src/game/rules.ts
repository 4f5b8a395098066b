/** What the page needs to know of a ruleset, whose fields are told in docs/rulesets. */

export type Usable = 'opening-turn' | 'next-turn' | 'all-opened';
export type Rearranging = 'free' | 'adding';
export type JokerLeaves = 'free' | 'swap' | 'rack-swap' | 'swap-or-spare';
export type JokerGoes = 'table' | 'new-meld' | 'rack';
export type JokerMelds = 'divisible' | 'whole';

/** The rules by which the page judges a draft before the server does. */
export interface Rules {
  readonly id: string;
  readonly numbers: number;
  readonly copies: number;
  readonly jokers: number;
  readonly fourthColour: 'yellow' | 'orange';
  readonly groups: boolean;
  readonly opening: number;
  readonly usable: Usable;
  readonly rearranging: Rearranging;
  readonly jokerLeaves: JokerLeaves;
  readonly jokerGoes: JokerGoes;
  readonly jokerMelds: JokerMelds;
  readonly jokerValue: number;
  readonly stars: number;
  readonly clockwise: boolean;
  /** What the house changes. */
  readonly house: Fields;
}

export const MIN_MELD = 3;
export const MAX_GROUP = 4;

type Fields = Readonly<Record<string, unknown>>;

const TILESETS: Readonly<Record<string, Fields>> = {
  standard: { numbers: 13, copies: 2, jokers: 2 },
  xp: { numbers: 13, copies: 3, jokers: 4 },
  'xp-quick': { numbers: 13, copies: 2, jokers: 4 },
  junior: { numbers: 10, copies: 1, jokers: 4 },
};

/** The rules of a ruleset as the server tells it, with the house rules of a table. */
export function rulesOf(ruleset: { readonly id: string; readonly fields: Fields }, house: Fields = {}): Rules {
  const tileset = typeof house.tileset === 'string' ? TILESETS[house.tileset] : undefined;
  const fields: Fields = { ...ruleset.fields, ...tileset, ...house };
  return {
    id: ruleset.id,
    numbers: number(fields, 'numbers', 13),
    copies: number(fields, 'copies', 2),
    jokers: number(fields, 'jokers', 2),
    fourthColour: word(fields, 'fourth_colour', ['yellow', 'orange']),
    groups: flag(fields, 'groups', true),
    opening: number(fields, 'opening', 30),
    usable: word(fields, 'usable', ['opening-turn', 'next-turn', 'all-opened']),
    rearranging: word(fields, 'rearranging', ['free', 'adding']),
    jokerLeaves: word(fields, 'joker_leaves', ['free', 'swap', 'rack-swap', 'swap-or-spare']),
    jokerGoes: word(fields, 'joker_goes', ['table', 'new-meld', 'rack']),
    jokerMelds: word(fields, 'joker_melds', ['divisible', 'whole']),
    jokerValue: number(fields, 'joker_value', 30),
    stars: number(fields, 'stars', 0),
    clockwise: fields.direction !== 'counter-clockwise',
    house,
  };
}

/** Where the rules of a ruleset are told, with what the house changes. */
export function rulesPath(id: string, house: Fields = {}): string {
  const changes = Object.entries(house).map(([field, value]) => ['house', `${field}=${String(value)}`]);
  return `/rules/${id}${changes.length > 0 ? `?${new URLSearchParams(changes)}` : ''}`;
}

/** Whether the melds on the table may be used in this turn. */
export function tableOpen(rules: Rules, opened: boolean, allOpened: boolean): boolean {
  if (rules.usable === 'next-turn') {
    return opened;
  }
  return rules.usable === 'opening-turn' || (opened && allOpened);
}

function number(fields: Fields, name: string, usual: number): number {
  const value = fields[name];
  return typeof value === 'number' ? value : usual;
}

function flag(fields: Fields, name: string, usual: boolean): boolean {
  const value = fields[name];
  return typeof value === 'boolean' ? value : usual;
}

function word<Word extends string>(fields: Fields, name: string, words: readonly [Word, ...Word[]]): Word {
  return words.find((one) => one === fields[name]) ?? words[0];
}
