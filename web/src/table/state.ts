/** The state of a table: how it begins, how it follows the server, and what can be asked of it. */

import {
  changed,
  draftOf,
  isUnchanged,
  keepJokers,
  laid,
  meldPieces,
  type Draft,
  type DraftMeld,
  type Refusal,
} from '../game/draft';
import { begin, step, type History } from '../game/history';
import { judge, type Judged } from '../game/melds';
import { follow, litTiles } from '../game/moves';
import { keepOrder, orderOf, shown, type RackOrder } from '../game/order';
import { rebase } from '../game/rebase';
import type { Rules } from '../game/rules';
import { isFaceDown, tilesOf, type Tile } from '../game/tiles';
import type { May, MeldFlag, TableState } from './types';

/** A table as it is first seen. */
export function newState(
  rules: Rules,
  table: readonly string[],
  rack: string,
  may: May,
  order?: RackOrder,
): TableState {
  const base = draftOf(table, rack);
  const none = new Set<Tile>();
  return derived({
    rules,
    may,
    base,
    history: begin(base),
    order: order === undefined ? orderOf(base.rack) : keepOrder(order, base.rack),
    melds: base.melds,
    rack: [],
    others: null,
    selection: [],
    dragging: null,
    target: null,
    focus: null,
    lit: none,
    glowing: none,
    laid: none,
    changed: new Set(),
    flags: new Map(),
    refused: null,
  });
}

/** What the server says now. A draft goes on as far as it still fits; what does not is on the rack again. */
export function update(
  state: TableState,
  table: readonly string[],
  rack: string,
  may: May,
): { readonly state: TableState; readonly dropped: readonly Tile[] } {
  const now = state.history.now;
  const tiles = tilesOf(rack);
  const committed = follow(now, table, tiles);
  const own = laid(now, state.base);
  // After one's own play the draft is the table: ids and places are taken from it, and nothing is left to keep.
  const played = own.length > 0 && own.every((tile) => !tiles.includes(tile));
  if (played || isUnchanged(now, state.base)) {
    return { state: restarted(state, committed, begin(committed), may), dropped: [] };
  }
  const { base, draft, dropped } = rebase(now, state.base, table, rack, state.rules);
  const same = dropped.length === 0 && isUnchanged(base, state.base) && sameTiles(base.rack, state.base.rack);
  const history = same ? { ...state.history, start: base } : begin(base, keepJokers(draft, base));
  return { state: restarted(state, base, history, may), dropped };
}

function restarted(state: TableState, base: Draft, history: History, may: May): TableState {
  const order = keepOrder(state.order, base.rack);
  const there = new Set([...base.rack, ...base.melds.flatMap((meld) => meld.tiles)]);
  const held = state.dragging !== null && state.dragging.tiles.every((tile) => there.has(tile)) && may !== 'watch';
  return derived({
    ...state,
    may,
    base,
    history,
    order,
    others: null,
    selection: state.selection.filter((tile) => there.has(tile)),
    dragging: held ? state.dragging : null,
    target: null,
    glowing: new Set([...state.glowing].filter((tile) => base.rack.includes(tile))),
    refused: null,
  });
}

/** One step further: the draft is another one now. */
export function withDraft(state: TableState, draft: Draft, refused: Refusal | null = null): TableState {
  return derived({ ...state, history: step(state.history, keepJokers(draft, state.base)), refused });
}

export function withHistory(state: TableState, history: History): TableState {
  return history === state.history
    ? state
    : derived({ ...state, history, selection: [], dragging: null, target: null });
}

export function withOrder(state: TableState, order: RackOrder): TableState {
  return derived({ ...state, order });
}

/** What somebody else is arranging, or null when it is put back. */
export function withOthers(state: TableState, others: readonly DraftMeld[] | null): TableState {
  return { ...state, others };
}

/** Keep the tiles of the last play lit until the next. */
export function withLit(state: TableState, before: readonly DraftMeld[], after: readonly DraftMeld[]): TableState {
  return { ...state, lit: litTiles(before, after) };
}

/** Let tiles that were just drawn glow; none, to end it. */
export function withGlow(state: TableState, tiles: readonly Tile[]): TableState {
  return { ...state, glowing: new Set(tiles) };
}

/** The melds that are drawn: somebody else's draft, or one's own. */
export function shownMelds(state: TableState): readonly DraftMeld[] {
  return state.others ?? state.melds;
}

/** How a meld of the draft is judged; null where it has tiles that lie face down. */
export function judgeMeld(state: TableState, meld: DraftMeld): Judged | null {
  return meld.tiles.some(isFaceDown) ? null : judge(meldPieces(meld), state.rules);
}

/** Whether there is nothing in the draft to put back or to play. */
export function isUntouched(state: TableState): boolean {
  return isUnchanged(state.history.now, state.base);
}

/** Whether two states differ in nothing but where what is in the hand would go. */
export function sameButTarget(a: TableState, b: TableState): boolean {
  return (Object.keys(b) as (keyof TableState)[]).every((part) => part === 'target' || a[part] === b[part]);
}

/** Whether a tile may be moved at all. */
export function isMovable(state: TableState, tile: Tile): boolean {
  if (isFaceDown(tile) || state.may === 'watch') {
    return false;
  }
  return state.may !== 'arrange' || state.history.now.rack.includes(tile);
}

/** Everything that follows from the draft and the order of the rack. */
function derived(state: TableState): TableState {
  const { now } = state.history;
  return {
    ...state,
    melds: now.melds,
    rack: shown(state.order, now.rack),
    laid: new Set(laid(now, state.base)),
    changed: changed(now, state.base),
    flags: flagsOf(now.melds, state.rules),
  };
}

function flagsOf(melds: readonly DraftMeld[], rules: Rules): ReadonlyMap<number, MeldFlag> {
  const flags = new Map<number, MeldFlag>();
  for (const meld of melds) {
    const judged = judge(meldPieces(meld), rules);
    if (!judged.ok) {
      flags.set(meld.id, { reason: judged.reason, args: judged.args });
    }
  }
  return flags;
}

function sameTiles(some: readonly Tile[], others: readonly Tile[]): boolean {
  return some.length === others.length && some.every((tile) => others.includes(tile));
}
