/** What the tests of the game and of the table share: the rulebooks, tables in short, and luck that repeats. */

import { allOf, draftOf, tableText, type Draft, type Moved } from './draft';
import { rulesOf, type Rules } from './rules';
import { compareTiles, type Tile } from './tiles';

const FIELDS = {
  classic: { fourth_colour: 'orange', joker_leaves: 'swap', joker_goes: 'new-meld' },
  club: { usable: 'next-turn', joker_goes: 'new-meld' },
  sabra: { joker_value: 25 },
  rummy: {
    usable: 'all-opened',
    joker_leaves: 'rack-swap',
    joker_goes: 'new-meld',
    joker_melds: 'whole',
    direction: 'counter-clockwise',
  },
  junior: {
    numbers: 10,
    copies: 1,
    jokers: 4,
    groups: false,
    opening: 0,
    rearranging: 'adding',
    joker_leaves: 'swap-or-spare',
    joker_goes: 'rack',
    joker_value: 1,
    stars: 6,
  },
};

export type RulesetId = keyof typeof FIELDS;

export const IDS: readonly RulesetId[] = ['classic', 'club', 'sabra', 'rummy', 'junior'];

export function rules(id: RulesetId = 'sabra'): Rules {
  return rulesOf({ id, fields: FIELDS[id] });
}

/** A draft in short: melds with bars between them, and a rack. */
export function draft(table: string, rack = ''): Draft {
  return draftOf(table === '' ? [] : table.split(' | '), rack);
}

/** The table of a draft in short. */
export function shortly(of: Draft): string {
  return tableText(of).join(' | ');
}

/** The draft that came of a move that could be made. */
export function done(moved: Moved): Draft {
  if (!moved.ok) {
    throw new Error(`refused: ${moved.refusal.reason} ${moved.refusal.tiles.join(' ')}`);
  }
  return moved.draft;
}

/** All tiles of a draft, sorted, to see that none is lost. */
export function everything(of: Draft): Tile[] {
  return allOf(of).toSorted(compareTiles);
}

/** Luck that is the same each time: whole numbers below a limit. */
export function luck(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Some things in another order. */
export function shuffled<Item>(items: readonly Item[], next: (below: number) => number): Item[] {
  const left = [...items];
  return items.flatMap(() => left.splice(next(left.length), 1));
}

/** A text of tiles with its copies told apart: the second `r5` in it is `r5'`; beside others, also from theirs. */
export function toldApart(text: string, copies = new Map<string, number>()): string {
  if (text.includes("'")) {
    return text;
  }
  return text.replaceAll(/(?<!=)\b([rbky]\d+|j)/g, (tile) => {
    const copy = copies.get(tile) ?? 0;
    copies.set(tile, copy + 1);
    return tile + "'".repeat(copy);
  });
}
