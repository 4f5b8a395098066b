/** The lists of the first screen, kept up to date while somebody looks at them. */

import { ApiError, api } from '../net/api';
import type { RoomSummary, RoomView } from '../protocol';
import { myGames, openTables, type Game } from './games';

const MOST_VIEWS = 8;
const MOST_ROOMS = 40;

export class Rooms {
  /** Null until they are known. */
  games = $state.raw<readonly Game[] | null>(null);
  tables = $state.raw<readonly RoomSummary[] | null>(null);
  /** Whether the last look failed. */
  failed = $state(false);

  async look(): Promise<void> {
    try {
      const [mine, open] = await Promise.all([
        api.myRooms({ limit: MOST_ROOMS }),
        api.rooms({ limit: MOST_ROOMS, stage: ['lobby', 'playing'] }),
      ]);
      const views = await viewsOf(mine.rooms);
      this.games = myGames(mine.rooms, views);
      this.tables = openTables(open.rooms);
      this.failed = false;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.failed = true;
    }
  }
}

/** The views of the games that are being played: only they tell whose turn it is. */
async function viewsOf(rooms: readonly RoomSummary[]): Promise<Map<string, RoomView>> {
  const playing = rooms.filter((room) => room.stage === 'playing' && room.yours.length > 0).slice(0, MOST_VIEWS);
  const found = await Promise.all(playing.map((room) => api.room(room.room).catch(() => null)));
  return new Map(found.flatMap((view) => (view ? [[view.room, view]] : [])));
}
