/** The scratch draft: what somebody prepared while others played, on the table as it is now. */

import { arrange } from './arrange';
import { allOf, laid, meldOf, meldPieces, sameMeld, type Draft, type DraftMeld } from './draft';
import { judge } from './melds';
import { follow } from './moves';
import type { Rules } from './rules';
import { tilesOf } from './tiles';
import type { Tile } from './tiles';

export interface Rebased {
  /** The table and the rack as they are now, melds with the ids that they had. */
  readonly base: Draft;
  /** The same, with all that was prepared and still fits. */
  readonly draft: Draft;
  /** The tiles that had been laid and are on the rack again, because their place is gone. */
  readonly dropped: readonly Tile[];
}

/** Melds that were prepared together, and the table's melds that they were made of. */
interface Part {
  readonly old: readonly DraftMeld[];
  readonly made: readonly DraftMeld[];
}

/** Keep what still fits: melds of one's own tiles; what was done with melds that lie there as they did; and what was
 * added to a meld that has only grown. */
export function rebase(draft: Draft, base: Draft, table: readonly string[], rack: string, rules: Rules): Rebased {
  const own = tilesOf(rack);
  const now = follow({ ...base, next: Math.max(base.next, draft.next) }, table, own);
  const have = new Set(own);
  let melds = now.melds;
  let next = now.next;
  for (const part of partsOf(draft, base)) {
    const lying = part.old.map((meld) => now.melds.find((one) => sameMeld(one, meld)));
    const ids = new Set(lying.map((meld) => meld?.id));
    const mine = part.made.flatMap((meld) => meld.tiles).filter((tile) => base.rack.includes(tile));
    if (!mine.every((tile) => have.has(tile))) {
      continue;
    }
    if (lying.every((meld) => meld !== undefined)) {
      const at = melds.findIndex((meld) => ids.has(meld.id));
      const rest = melds.filter((meld) => !ids.has(meld.id));
      const taken = new Set(rest.map((meld) => meld.id));
      const made = part.made.map((meld) => (taken.has(meld.id) ? { ...meld, id: next++ } : meld));
      melds = rest.toSpliced(at < 0 ? rest.length : at, 0, ...made);
    } else {
      melds = grown(melds, part, mine, rules) ?? melds;
    }
  }
  const lies = new Set(melds.flatMap((meld) => meld.tiles));
  const kept: Draft = { melds, rack: allOf(now).filter((tile) => !lies.has(tile)), next };
  const unchanged = melds === now.melds;
  const still = new Set(laid(kept, now));
  return {
    base: now,
    draft: unchanged ? now : kept,
    dropped: laid(draft, base).filter((tile) => have.has(tile) && !still.has(tile)),
  };
}

/** The draft's changed melds with the table's melds they share tiles with, in parts that have nothing in common. */
function partsOf(draft: Draft, base: Draft): Part[] {
  const parts: { old: DraftMeld[]; made: DraftMeld[] }[] = [];
  for (const meld of draft.melds) {
    if (base.melds.some((one) => sameMeld(one, meld))) {
      continue;
    }
    const old = base.melds.filter((one) => one.tiles.some((tile) => meld.tiles.includes(tile)));
    const joined = parts.filter((part) => part.old.some((one) => old.includes(one)));
    const part = {
      old: [...new Set([...joined.flatMap((one) => one.old), ...old])],
      made: [...joined.flatMap((one) => one.made), meld],
    };
    parts.splice(0, parts.length, ...parts.filter((one) => !joined.includes(one)), part);
  }
  return parts;
}

/** The melds with one's tiles added to the meld that the old one is in now; null where that makes no meld. */
function grown(
  melds: readonly DraftMeld[],
  part: Part,
  mine: readonly Tile[],
  rules: Rules,
): readonly DraftMeld[] | null {
  const [[old], [made]] = [part.old, part.made];
  if (part.old.length !== 1 || part.made.length !== 1 || old === undefined || made === undefined) {
    return null;
  }
  const heir = melds.find((meld) => old.tiles.every((tile) => meld.tiles.includes(tile)));
  if (heir === undefined || !old.tiles.every((tile) => made.tiles.includes(tile))) {
    return null;
  }
  const added = meldPieces(made).filter((piece) => mine.includes(piece.tile));
  const together = arrange([...meldPieces(heir), ...added], rules);
  return judge(together, rules).ok
    ? melds.map((meld) => (meld.id === heir.id ? meldOf(heir.id, together) : meld))
    : null;
}
