/** Everything that a player can do at the table, as functions from one state to the next. */

import { arrange } from '../game/arrange';
import { meldById, meldOf, meldPieces, meldWith, moveMeld, toMeld, toNewMeld, toRack, type Moved } from '../game/draft';
import { redo as redone, reset as resetted, undo as undone } from '../game/history';
import { judge, piecesOf, readings } from '../game/melds';
import { placeInRack, sortRack, type SortBy } from '../game/order';
import { isJoker, writeMeld, type Tile } from '../game/tiles';
import { typeDraft, type Typed } from '../game/typed';
import { isMovable, withDraft, withHistory, withOrder } from './state';
import type { Dragging, DropTarget, Point, Spot, TableState } from './types';

const NOWHERE: Point = { x: 0, y: 0 };

/** Select this tile alone. */
export function select(state: TableState, tile: Tile): TableState {
  return isMovable(state, tile) ? { ...state, selection: [tile], refused: null } : state;
}

/** Select this tile too, or no longer. */
export function toggle(state: TableState, tile: Tile): TableState {
  if (state.selection.includes(tile)) {
    return { ...state, selection: state.selection.filter((one) => one !== tile), refused: null };
  }
  return isMovable(state, tile) ? { ...state, selection: [...state.selection, tile], refused: null } : state;
}

/** Select everything from the tile selected last up to this one, where both are in one meld or on the rack. */
export function extend(before: TableState, tile: Tile): TableState {
  const state = emptyHanded(before);
  const last = state.selection.at(-1);
  const line = lineWith(state, tile);
  if (last === undefined || !line.includes(last)) {
    return toggle(state, tile);
  }
  const [from, to] = [line.indexOf(last), line.indexOf(tile)].toSorted((a, b) => a - b);
  const between = line.slice(from, (to ?? 0) + 1).filter((one) => isMovable(state, one) && one !== tile);
  const kept = state.selection.filter((one) => !between.includes(one) && one !== tile);
  return { ...state, selection: [...kept, ...between, ...(isMovable(state, tile) ? [tile] : [])], refused: null };
}

/** Select a whole meld. */
export function selectMeld(state: TableState, id: number): TableState {
  const tiles = meldById(state.history.now, id)?.tiles.filter((tile) => isMovable(state, tile)) ?? [];
  return { ...state, selection: tiles, refused: null };
}

export function clearSelection(state: TableState): TableState {
  return state.selection.length === 0 && state.refused === null ? state : { ...state, selection: [], refused: null };
}

/** Take a tile into the hand: the whole selection, where it is in it. */
export function pickUp(
  state: TableState,
  tile: Tile,
  by: Dragging['by'] = 'pointer',
  at: Point = NOWHERE,
  grip: Point = NOWHERE,
): TableState {
  if (!isMovable(state, tile)) {
    return state;
  }
  const tiles = state.selection.includes(tile) ? inOrder(state, state.selection) : [tile];
  return { ...state, selection: tiles, dragging: { tiles, held: tile, meld: null, by, at, grip }, refused: null };
}

/** Take a whole meld into the hand, by its handle. */
export function pickUpMeld(
  state: TableState,
  id: number,
  by: Dragging['by'] = 'pointer',
  at: Point = NOWHERE,
  grip: Point = NOWHERE,
): TableState {
  const meld = meldById(state.history.now, id);
  const [held] = meld?.tiles ?? [];
  if (meld === null || held === undefined || !meld.tiles.every((tile) => isMovable(state, tile))) {
    return state;
  }
  const tiles = [...meld.tiles];
  return { ...state, selection: tiles, dragging: { tiles, held, meld: id, by, at, grip }, refused: null };
}

/** The pointer moved, with something in the hand: where it is, and where that would go. */
export function hover(state: TableState, target: DropTarget | null, at?: Point): TableState {
  if (state.dragging === null) {
    return state;
  }
  const dragging = at === undefined ? state.dragging : { ...state.dragging, at };
  return { ...state, dragging, target: sameTarget(state.target, target) ? state.target : target };
}

/** Put down what is in the hand, where it was last held over. */
export function drop(state: TableState, target: DropTarget | null = state.target): TableState {
  const { dragging } = state;
  if (dragging === null) {
    return state;
  }
  const freed: TableState = { ...state, dragging: null, target: null, focus: { on: 'tile', tile: dragging.held } };
  return target === null ? { ...freed, selection: [] } : put(freed, dragging.tiles, target, dragging.meld);
}

/** Let go of what is in the hand: it goes back to where it was. */
export function cancel(state: TableState): TableState {
  return state.dragging === null ? clearSelection(state) : { ...state, dragging: null, target: null, selection: [] };
}

/** Whoever carries something by keys, and then points, carries it no longer; what was taken up stays selected. */
function emptyHanded(state: TableState): TableState {
  return state.dragging === null ? state : { ...state, dragging: null, target: null };
}

/** Put tiles somewhere; what cannot be moved stays, and `refused` says why. A meld that somebody else has only begun is
 * seen, and is not there yet: it is free felt. */
export function put(
  state: TableState,
  tiles: readonly Tile[],
  wanted: DropTarget,
  meld: number | null = null,
): TableState {
  const there = wanted.to !== 'meld' || meldById(state.history.now, wanted.meld) !== null;
  const target: DropTarget = there ? wanted : { to: 'new' };
  const movable = tiles.filter((tile) => isMovable(state, tile));
  if (movable.length === 0 || (state.may === 'arrange' && target.to !== 'rack')) {
    return { ...state, selection: [] };
  }
  const draft = state.history.now;
  if (target.to === 'rack') {
    const moved = toRack(draft, state.base, movable, state.rules);
    if (!moved.ok) {
      return { ...state, selection: [], refused: moved.refusal };
    }
    const going = movable.filter((tile) => moved.draft.rack.includes(tile));
    const back = going.some((tile) => !draft.rack.includes(tile));
    const placed = placeInRack(state.order, draft.rack, going, target.index);
    // A tile that comes back goes to its old place in a sorted rack.
    const order = back && state.order.by !== 'hand' && going.every((tile) => state.order.tiles.includes(tile));
    const next = withOrder(state, order ? state.order : placed);
    return { ...(back ? withDraft(next, moved.draft, moved.refusal) : next), selection: [], refused: moved.refusal };
  }
  const moved: Moved =
    target.to === 'meld'
      ? toMeld(draft, movable, target.meld, target.index, state.rules)
      : meld === null
        ? toNewMeld(draft, movable, state.rules, target.after)
        : moveMeld(draft, meld, target.after);
  return moved.ok
    ? { ...withDraft(state, moved.draft, moved.refusal), selection: [] }
    : { ...state, selection: [], refused: moved.refusal };
}

/** Tap, then tap: a first tap selects, a second one elsewhere puts there what is selected.
 *
 * Taps in the meld, or on the rack, that the selection is from add to it or take away from it. `index` is the place in
 * the tapped meld or rack that is nearest to the tap.
 */
export function tap(before: TableState, spot: Spot, index = Number.MAX_SAFE_INTEGER): TableState {
  const state = emptyHanded(before);
  const { selection } = state;
  if (spot.on === 'tile') {
    const from = new Set(selection.map((tile) => zoneOf(state, tile)));
    const zone = zoneOf(state, spot.tile);
    const onRack = state.history.now.rack.includes(spot.tile);
    if (selection.length === 0 || state.may === 'watch' || ((zone !== null || onRack) && from.has(zone))) {
      return toggle(state, spot.tile);
    }
    const beside: DropTarget = onRack ? { to: 'rack', index } : { to: 'new' };
    return put(state, inOrder(state, selection), zone === null ? beside : { to: 'meld', meld: zone, index });
  }
  if (spot.on === 'meld') {
    const own = meldById(state.history.now, spot.meld)?.tiles ?? [];
    const elsewhere = selection.some((tile) => !own.includes(tile));
    return elsewhere
      ? put(state, inOrder(state, selection), { to: 'meld', meld: spot.meld, index })
      : selection.length === own.length
        ? clearSelection(state)
        : selectMeld(state, spot.meld);
  }
  if (selection.length === 0) {
    return state;
  }
  return put(state, inOrder(state, selection), spot.on === 'felt' ? { to: 'new' } : { to: 'rack', index });
}

/** Send a tile where it most likely goes: from the table back to the rack it came from this turn; from the rack to the
 * meld that it makes longer, or else to a new one. */
export function send(before: TableState, tile: Tile): TableState {
  const state = emptyHanded(before);
  if (!isMovable(state, tile) || state.may === 'arrange') {
    return state;
  }
  const tiles = state.selection.includes(tile) ? inOrder(state, state.selection) : [tile];
  if (tiles.every((one) => meldWith(state.history.now, one) !== null)) {
    return put(state, tiles, { to: 'rack', index: Number.MAX_SAFE_INTEGER });
  }
  const added = tiles.map((one) => ({ tile: one, as: null }));
  const home = state.melds.find(
    (meld) =>
      !tiles.some((one) => meld.tiles.includes(one)) &&
      judge(arrange([...meldPieces(meld), ...added], state.rules), state.rules).ok,
  );
  return put(
    state,
    tiles,
    home === undefined ? { to: 'new' } : { to: 'meld', meld: home.id, index: home.tiles.length },
  );
}

/** Let the jokers of a meld stand for something else: the next of all that they can stand for. */
export function turnJokers(state: TableState, id: number): TableState {
  const meld = meldById(state.history.now, id);
  if (meld === null || !meld.tiles.some(isJoker) || state.may === 'arrange' || state.may === 'watch') {
    return state;
  }
  const all = readings(meld.tiles, state.rules).map(piecesOf);
  const now = plainText(writeMeld(meldPieces(meld)));
  const at = all.findIndex((pieces) => plainText(writeMeld(pieces)) === now);
  const next = all[(at + 1) % Math.max(1, all.length)];
  if (next === undefined || all.length < 2) {
    return state;
  }
  const draft = state.history.now;
  const melds = draft.melds.map((one) => (one.id === id ? meldOf(id, next) : one));
  return withDraft(state, { ...draft, melds });
}

export function undo(state: TableState): TableState {
  return withHistory(state, undone(state.history));
}

export function redo(state: TableState): TableState {
  return withHistory(state, redone(state.history));
}

/** Put everything back as it was when the turn began. */
export function reset(state: TableState): TableState {
  return withHistory(state, resetted(state.history));
}

export function sort(state: TableState, by: SortBy): TableState {
  const playing = { melds: state.melds, rules: state.rules };
  return withOrder(state, sortRack(state.order, state.history.now.rack, by, playing));
}

/** Lay what was typed in the notation; the state is the same where it cannot be read. */
export function type(state: TableState, text: string): { readonly state: TableState; readonly typed: Typed } {
  const typed = typeDraft(text, state.history.now, state.rules);
  const may = state.may === 'play' || state.may === 'prepare';
  return { state: typed.ok && may ? { ...withDraft(state, typed.draft), selection: [] } : state, typed };
}

export function focus(state: TableState, spot: Spot | null): TableState {
  return { ...state, focus: spot };
}

/** Tiles in the order in which they are seen: on the table, then on the rack. */
export function inOrder(state: TableState, tiles: readonly Tile[]): Tile[] {
  const wanted = new Set(tiles);
  return [...state.melds.flatMap((meld) => meld.tiles), ...state.rack].filter((tile) => wanted.has(tile));
}

export function sameTarget(a: DropTarget | null, b: DropTarget | null): boolean {
  return a === b || (a !== null && b !== null && JSON.stringify(a) === JSON.stringify(b));
}

/** The meld that a tile lies in; null on the rack. */
function zoneOf(state: TableState, tile: Tile): number | null {
  return meldWith(state.history.now, tile)?.id ?? null;
}

/** The meld or the rack that a tile is in, as it is seen. */
function lineWith(state: TableState, tile: Tile): readonly Tile[] {
  return meldWith(state.history.now, tile)?.tiles ?? state.rack;
}

/** Which of several jokers is which makes no other meld. */
function plainText(text: string): string {
  return text.replaceAll("'", '');
}
