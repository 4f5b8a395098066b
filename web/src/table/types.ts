/** The table as a value: what the components draw, and what a pointer or a key may change. */

import type { Draft, DraftMeld, Refusal } from '../game/draft';
import type { History } from '../game/history';
import type { MeldReason } from '../game/melds';
import type { RackOrder } from '../game/order';
import type { Rules } from '../game/rules';
import type { Tile } from '../game/tiles';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where tiles go when they are put down; an index counts the tiles that stay where they are. */
export type DropTarget =
  | { readonly to: 'meld'; readonly meld: number; readonly index: number }
  | { readonly to: 'new'; readonly after?: number | null }
  | { readonly to: 'rack'; readonly index: number };

/** A place that can have the focus: a tile, by itself; the handle of a meld; the felt; the rack. */
export type Spot =
  | { readonly on: 'tile'; readonly tile: Tile }
  | { readonly on: 'meld'; readonly meld: number }
  | { readonly on: 'felt' }
  | { readonly on: 'rack' };

/** What is in the hand: the tiles, the one that was taken hold of, and where the pointer is. */
export interface Dragging {
  readonly tiles: readonly Tile[];
  readonly held: Tile;
  /** The meld's id when a whole meld is moved by its handle. */
  readonly meld: number | null;
  /** `keys` when they were picked up by keyboard: then there is no ghost, and `at` means nothing. */
  readonly by: 'pointer' | 'keys';
  readonly at: Point;
  /** Where within the held tile the pointer took hold of it. */
  readonly grip: Point;
}

/** Why a meld is none, for a mark beside it; `args` fill the short sentence. */
export interface MeldFlag {
  readonly reason: MeldReason;
  readonly args: Readonly<Record<string, string | number>>;
}

/** What the player may do now: everything, prepare the next turn, arrange the rack only, or watch. */
export type May = 'play' | 'prepare' | 'arrange' | 'watch';

export interface TableState {
  readonly rules: Rules;
  readonly may: May;
  /** The table and the rack as the turn began. */
  readonly base: Draft;
  /** The draft with its undo and redo; `history.now` is what lies there. */
  readonly history: History;
  readonly order: RackOrder;
  /** The melds as they lie, from `history.now`. */
  readonly melds: readonly DraftMeld[];
  /** The rack in the order in which it is shown. */
  readonly rack: readonly Tile[];
  /** What somebody else is arranging, shown in place of `melds`; null when nobody is. */
  readonly others: readonly DraftMeld[] | null;
  readonly selection: readonly Tile[];
  readonly dragging: Dragging | null;
  /** Where what is in the hand would go. */
  readonly target: DropTarget | null;
  readonly focus: Spot | null;
  /** Tiles of the last play. */
  readonly lit: ReadonlySet<Tile>;
  /** Tiles that were just drawn. */
  readonly glowing: ReadonlySet<Tile>;
  /** Tiles that came from the rack in this turn. */
  readonly laid: ReadonlySet<Tile>;
  /** Melds that differ from the table as the turn began. */
  readonly changed: ReadonlySet<number>;
  /** Melds that are none, by id. */
  readonly flags: ReadonlyMap<number, MeldFlag>;
  /** Why the last move could not be made; gone with the next one that can. */
  readonly refused: Refusal | null;
}
