/** The keyboard alone: focus over rack and table, picking up and putting down, and one letter for each action. */

import type { SortBy } from '../game/order';
import type { Tile } from '../game/tiles';
import { cancel, drop, extend, hover, pickUp, pickUpMeld, select, selectMeld, toggle } from './board';
import { redo, reset, sort, undo } from './board';
import type { Scene } from './drag';
import { focused, nextTarget, nextTile, ownTarget, targets, type Way } from './focus';
import type { Spot, TableState } from './types';

/** What a key does at the table itself. */
export type TableAction =
  | { readonly do: 'go'; readonly way: Way; readonly extend: boolean }
  | { readonly do: 'lift' }
  | { readonly do: 'select' }
  | { readonly do: 'select-meld' }
  | { readonly do: 'cancel' }
  | { readonly do: 'undo' }
  | { readonly do: 'redo' }
  | { readonly do: 'reset' }
  | { readonly do: 'sort'; readonly by: SortBy }
  | { readonly do: 'jump' };

/** What a key asks of the page around the table. */
export type PageAction =
  | { readonly do: 'play' }
  | { readonly do: 'draw' }
  | { readonly do: 'hint' }
  | { readonly do: 'type' }
  | { readonly do: 'replay' }
  | { readonly do: 'help' };

export type KeyAction = TableAction | PageAction;

/** A key as the browser tells it. */
export interface Key {
  readonly key: string;
  readonly ctrlKey?: boolean;
  readonly metaKey?: boolean;
  readonly altKey?: boolean;
  readonly shiftKey?: boolean;
}

/** Every key with what it does, as the help lists them; `name` is the key of its sentence. */
export const KEYS: readonly { readonly name: string; readonly keys: readonly string[] }[] = [
  { name: 'go', keys: ['←', '→', '↑', '↓', 'Home', 'End'] },
  { name: 'jump', keys: ['J'] },
  { name: 'lift', keys: ['Enter'] },
  { name: 'select', keys: ['Space'] },
  { name: 'extend', keys: ['Shift + ←', 'Shift + →'] },
  { name: 'select-meld', keys: ['M'] },
  { name: 'cancel', keys: ['Esc'] },
  { name: 'undo', keys: ['Z', 'Ctrl + Z'] },
  { name: 'redo', keys: ['Y', 'Ctrl + Y'] },
  { name: 'reset', keys: ['X'] },
  { name: 'sort-colour', keys: ['C'] },
  { name: 'sort-number', keys: ['N'] },
  { name: 'sort-playable', keys: ['B'] },
  { name: 'play', keys: ['P', 'Ctrl + Enter'] },
  { name: 'draw', keys: ['D'] },
  { name: 'hint', keys: ['H'] },
  { name: 'type', keys: ['T', '/'] },
  { name: 'replay', keys: ['W'] },
  { name: 'help', keys: ['?'] },
];

const WAYS: ReadonlyMap<string, Way> = new Map([
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right'],
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
  ['Home', 'first'],
  ['End', 'last'],
]);

const PLAIN: ReadonlyMap<string, KeyAction> = new Map<string, KeyAction>([
  ['Enter', { do: 'lift' }],
  [' ', { do: 'select' }],
  ['Escape', { do: 'cancel' }],
  ['j', { do: 'jump' }],
  ['m', { do: 'select-meld' }],
  ['z', { do: 'undo' }],
  ['y', { do: 'redo' }],
  ['x', { do: 'reset' }],
  ['c', { do: 'sort', by: 'colour' }],
  ['n', { do: 'sort', by: 'number' }],
  ['b', { do: 'sort', by: 'playable' }],
  ['p', { do: 'play' }],
  ['d', { do: 'draw' }],
  ['h', { do: 'hint' }],
  ['t', { do: 'type' }],
  ['/', { do: 'type' }],
  ['w', { do: 'replay' }],
  ['?', { do: 'help' }],
]);

/** With Ctrl, or Cmd on a Mac. */
const COMMANDS: ReadonlyMap<string, KeyAction> = new Map<string, KeyAction>([
  ['z', { do: 'undo' }],
  ['y', { do: 'redo' }],
  ['Enter', { do: 'play' }],
]);

/** What a key does; null for one that is somebody else's. */
export function actionOf(key: Key): KeyAction | null {
  if (key.altKey) {
    return null;
  }
  const letter = key.key.length === 1 ? key.key.toLowerCase() : key.key;
  if (key.ctrlKey || key.metaKey) {
    return letter === 'z' && key.shiftKey ? { do: 'redo' } : (COMMANDS.get(letter) ?? null);
  }
  const way = WAYS.get(key.key);
  return way === undefined ? (PLAIN.get(letter) ?? null) : { do: 'go', way, extend: key.shiftKey === true };
}

export function isTableAction(action: KeyAction): action is TableAction {
  return !['play', 'draw', 'hint', 'type', 'replay', 'help'].includes(action.do);
}

/** Do what a key asks for at the table. */
export function act(state: TableState, scene: Scene, action: TableAction): TableState {
  switch (action.do) {
    case 'go':
      return go(state, scene, action.way, action.extend);
    case 'lift':
      return lift(state);
    case 'select':
      return state.dragging !== null ? drop(state) : withTile(state, toggle);
    case 'select-meld':
      return selectFocusedMeld(state);
    case 'cancel':
      return cancel(state);
    case 'undo':
      return undo(state);
    case 'redo':
      return redo(state);
    case 'reset':
      return reset(state);
    case 'sort':
      return sort(state, action.by);
    case 'jump':
      return jump(state, scene);
  }
}

/** Take up what has the focus, or put down what is in the hand. */
function lift(state: TableState): TableState {
  if (state.dragging !== null) {
    return drop(state);
  }
  if (state.focus?.on === 'meld') {
    return aimed(pickUpMeld(state, state.focus.meld, 'keys'));
  }
  const tile = focused(state);
  return tile === null ? state : aimed(pickUp(state, tile, 'keys'));
}

/** What was just taken up is aimed at the place where it was. */
function aimed(state: TableState): TableState {
  return state.dragging === null ? state : hover(state, ownTarget(state));
}

function go(state: TableState, scene: Scene, way: Way, extending: boolean): TableState {
  if (state.dragging !== null) {
    return hover(state, nextTarget(state, scene, way));
  }
  const tile = nextTile(state, scene, way);
  if (tile === null) {
    return state;
  }
  const focus: Spot = { on: 'tile', tile };
  if (!extending) {
    return { ...state, focus };
  }
  const from = focused(state);
  const begun = from === null || state.selection.includes(from) ? state : select(state, from);
  return { ...extend(begun, tile), focus };
}

/** From the rack to the table, or back. */
function jump(state: TableState, scene: Scene): TableState {
  if (state.dragging !== null) {
    const onRack = state.target?.to === 'rack';
    return hover(state, targets(state).find((one) => (one.to === 'rack') !== onRack) ?? state.target);
  }
  const tile = focused(state);
  const onRack = tile !== null && state.rack.includes(tile);
  const next = onRack ? scene.melds[0]?.tiles[0] : state.rack[0];
  return next === undefined ? state : { ...state, focus: { on: 'tile', tile: next } };
}

function withTile(state: TableState, change: (state: TableState, tile: Tile) => TableState): TableState {
  const tile = focused(state);
  return tile === null ? state : change(state, tile);
}

function selectFocusedMeld(state: TableState): TableState {
  const tile = focused(state);
  const meld = state.melds.find((one) => tile !== null && one.tiles.includes(tile));
  return meld === undefined ? state : selectMeld(state, meld.id);
}
