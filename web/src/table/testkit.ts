/** What the tests of the table share: a state in short, and how it is laid out. */

import { rules, shortly, type RulesetId } from '../game/testkit';
import type { Scene } from './drag';
import { fit, type Space } from './layout';
import { newState, shownMelds } from './state';
import type { May, TableState } from './types';

export const LAPTOP: Space = { width: 1280, height: 800, header: 66, actions: { width: 216, height: 146 } };
export const PHONE: Space = { width: 390, height: 844, header: 92, actions: { width: 374, height: 112 } };

/** A table and a rack in short; whoever looks may play. */
export function sitting(table: string, rack: string, may: May = 'play', ruleset: RulesetId = 'sabra'): TableState {
  return newState(rules(ruleset), table === '' ? [] : table.split(' | '), rack, may);
}

export function sceneOf(state: TableState, space: Space = LAPTOP): Scene {
  const melds = shownMelds(state);
  const lengths = melds.map((meld) => meld.tiles.length);
  return { layout: fit(lengths, state.rack.length, space), melds, rack: state.rack };
}

/** The table of the draft in short. */
export function lies(state: TableState): string {
  return shortly(state.history.now);
}

/** The rack as it is shown, in short. */
export function racked(state: TableState): string {
  return state.rack.join(' ');
}
