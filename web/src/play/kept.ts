/** What somebody prepared and how their rack lies, kept in this tab: whoever loads the page anew, or comes back from the
 * rules, goes on where they were. It belongs to one person at one seat in one round, and nobody else gets it. */

import { allOf, isUnchanged, tableText, withTable, type Draft } from '../game/draft';
import { carry } from '../game/moves';
import type { RackOrder } from '../game/order';
import { isJoker, readMeld, textOf, tilesOf, type Tile } from '../game/tiles';
import { newState, update, withDraft } from '../table/state';
import type { May, TableState } from '../table/types';

/** Whose it is. */
export interface Owner {
  readonly room: string;
  /** Which match of the room, and which round of it. */
  readonly match: number;
  readonly round: number;
  readonly seat: number;
  readonly player: string;
}

export interface Kept {
  /** The table and the rack on which it was prepared. */
  readonly table: readonly string[];
  readonly rack: string;
  /** The table as it was arranged; null where nothing was. */
  readonly draft: readonly string[] | null;
  readonly by: RackOrder['by'];
  readonly order: string;
}

type Entry = readonly [room: string, rest: string, kept: Kept];

const PLACE = 'tilerummy.drafts';
/** One for each room, of so many rooms as were open last in this tab. */
const MOST = 8;
const WAYS: readonly string[] = ['colour', 'number', 'playable', 'hand'] satisfies RackOrder['by'][];

/** A state as it is kept. */
export function keptOf({ base, history, order }: TableState): Kept {
  return {
    table: tableText(base),
    rack: textOf(base.rack),
    draft: isUnchanged(history.now, base) ? null : tableText(history.now),
    by: order.by,
    order: textOf(order.tiles),
  };
}

/** The state that somebody comes back to: the table as it is now, with what was prepared as far as it still fits. */
export function revived(
  kept: Kept,
  now: Pick<TableState, 'rules' | 'may'> & { readonly table: readonly string[]; readonly rack: string },
): { readonly state: TableState; readonly dropped: readonly Tile[] } | null {
  const { rules, may, table, rack } = now;
  try {
    const order: RackOrder = { by: kept.by, tiles: tilesOf(kept.order) };
    if (kept.draft === null || !mayLay(may)) return { state: newState(rules, table, rack, may, order), dropped: [] };
    const then = newState(rules, kept.table, kept.rack, may, order);
    const melds = carry(then.melds, kept.draft.map(readMeld), then.base.next).melds;
    const draft = withTable(then.base, melds);
    if (!isDraftOf(draft, then.base)) return null;
    return update(withDraft(then, draft), table, rack, may);
  } catch {
    return null; // written by hand, or by another version of the page
  }
}

/** What is kept for somebody in a stored text, of which nothing can be believed. */
export function findKept(stored: string | null, owner: Owner): Kept | null {
  const found = entriesOf(stored).find(([room, rest]) => room === owner.room && rest === restOf(owner));
  return found?.[2] ?? null;
}

/** The stored text with this in it, in place of what was kept for the same room. */
export function addKept(stored: string | null, owner: Owner, kept: Kept): string {
  const others = entriesOf(stored).filter(([room]) => room !== owner.room);
  return JSON.stringify([...others, [owner.room, restOf(owner), kept]].slice(-MOST));
}

export function keep(owner: Owner, kept: Kept): void {
  try {
    sessionStorage.setItem(PLACE, addKept(sessionStorage.getItem(PLACE), owner, kept));
  } catch {
    // a device that keeps nothing still plays
  }
}

export function keptFor(owner: Owner): Kept | null {
  try {
    return findKept(sessionStorage.getItem(PLACE), owner);
  } catch {
    return null;
  }
}

function restOf({ match, round, seat, player }: Owner): string {
  return JSON.stringify([match, round, seat, player]);
}

function mayLay(may: May): boolean {
  return may === 'play' || may === 'prepare';
}

/** Whether nothing was lost or made, and nothing but a joker may have left the table. */
function isDraftOf(draft: Draft, base: Draft): boolean {
  const own = new Set(base.rack);
  const all = (one: Draft): string => allOf(one).toSorted().join(' ');
  return all(draft) === all(base) && draft.rack.every((tile) => own.has(tile) || isJoker(tile));
}

function entriesOf(stored: string | null): Entry[] {
  try {
    const said: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(said) ? said.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(said: unknown): said is Entry {
  if (!Array.isArray(said) || typeof said[0] !== 'string' || typeof said[1] !== 'string') return false;
  const kept: unknown = said[2];
  if (typeof kept !== 'object' || kept === null) return false;
  const { table, rack, draft, by, order } = kept as Record<keyof Kept, unknown>;
  return (
    isTexts(table) &&
    typeof rack === 'string' &&
    (draft === null || isTexts(draft)) &&
    WAYS.includes(by as string) &&
    typeof order === 'string'
  );
}

function isTexts(said: unknown): said is string[] {
  return Array.isArray(said) && said.every((one) => typeof one === 'string');
}
