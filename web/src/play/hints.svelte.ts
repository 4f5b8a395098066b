/** The hints of one turn: each asks for a little more than the one before. */

import { tilesOf, type Tile } from '../game/tiles';
import type { Hint, Level } from '../protocol';
import type { RoomSession } from '../room/session.svelte';

export class Hints {
  readonly #session: RoomSession;
  #turn: string | null = null;
  #hint = $state.raw<Hint | null>(null);
  /** What is being asked for. */
  asking = $state<Level | null>(null);
  /** Why there is none. */
  refused = $state<string | null>(null);

  constructor(session: RoomSession) {
    this.#session = session;
  }

  get hint(): Hint | null {
    return this.#hint;
  }

  /** The tiles that a hint points at. */
  readonly tiles = $derived.by((): ReadonlySet<Tile> => new Set(this.#hint?.laid ? tilesOf(this.#hint.laid) : []));

  /** A new turn knows no hints. */
  follow(turn: string | null): void {
    if (turn === this.#turn) return;
    this.#turn = turn;
    this.forget();
  }

  forget(): void {
    this.#hint = null;
    this.refused = null;
  }

  /** Ask for a hint; what is known already is not asked again. */
  async ask(level: Level): Promise<Hint | null> {
    const known = this.#hint;
    if (known && RANK[known.level] >= RANK[level]) return known;
    if (this.asking !== null) return null;
    const turn = this.#turn;
    this.asking = level;
    this.refused = null;
    try {
      const answer = await this.#session.hint(level);
      if (turn !== this.#turn) return null;
      if ('type' in answer) {
        this.refused = answer.code;
        return null;
      }
      this.#hint = answer;
      return answer;
    } finally {
      this.asking = null;
    }
  }
}

const RANK: Readonly<Record<Level, number>> = { nudge: 0, point: 1, reveal: 2 };
