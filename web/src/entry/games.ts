/** One's own games and the open tables, as lists show them. */

import type { RoomSummary, RoomView } from '../protocol';

export type Standing =
  | { readonly is: 'yours' }
  | { readonly is: 'theirs'; readonly name: string | null }
  | { readonly is: 'playing' | 'round-over' | 'ready' | 'over' }
  | { readonly is: 'waiting'; readonly free: number };

/** How a game stands; who is to move only its view tells. */
export function standing(room: RoomSummary, view: RoomView | null): Standing {
  if (room.stage === 'over') return { is: 'over' };
  if (room.stage !== 'playing') return room.free > 0 ? { is: 'waiting', free: room.free } : { is: 'ready' };
  const match = view?.match;
  if (!match) return { is: 'playing' };
  if (match.phase !== 'playing') return { is: 'round-over' };
  if (room.yours.includes(match.turn)) return { is: 'yours' };
  return { is: 'theirs', name: view.seats[match.turn]?.name ?? null };
}

const ORDER: readonly Standing['is'][] = ['yours', 'round-over', 'theirs', 'playing', 'ready', 'waiting', 'over'];

export interface Game {
  readonly room: RoomSummary;
  readonly standing: Standing;
}

/** One's games that go on, those first in which it is one's turn; of equals the one that was played last. */
export function myGames(rooms: readonly RoomSummary[], views: ReadonlyMap<string, RoomView>): Game[] {
  return rooms
    .filter((room) => room.stage !== 'closed' && room.yours.length > 0)
    .map((room) => ({ room, standing: standing(room, views.get(room.room) ?? null) }))
    .toSorted(
      (one, other) =>
        ORDER.indexOf(one.standing.is) - ORDER.indexOf(other.standing.is) ||
        other.room.updated_at - one.room.updated_at,
    );
}

/** The open tables that are not one's own: first those with a free seat, then those to watch. */
export function openTables(rooms: readonly RoomSummary[]): RoomSummary[] {
  const open = rooms.filter((room) => room.yours.length === 0 && (canSit(room) || room.setup.spectators));
  return open.toSorted((one, other) => Number(canSit(other)) - Number(canSit(one)));
}

export function canSit(room: RoomSummary): boolean {
  return room.stage === 'lobby' && room.free > 0;
}

/** The others at a table, by their names; null is somebody who is gone. */
export function others(room: RoomSummary): (string | null)[] {
  return room.names.filter((name, seat) => !room.yours.includes(seat) && (name !== null || room.stage !== 'lobby'));
}
