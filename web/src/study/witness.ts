/** What this device saw of a deal with its own eyes, kept for the fair-shuffle check after the match. */

import type { PlayedRound } from '../game/deal';
import type { Happening } from '../room/reduce';
import type { RoomSession } from '../room/session.svelte';
import type { RoomView } from '../protocol';

export interface Witness {
  /** The seal as it was shown before the match began; null for who came later. */
  readonly seal: string | null;
  /** By round: the rack that was dealt to the seat that was shown. */
  readonly racks: Readonly<Record<number, { readonly seat: number; readonly rack: string }>>;
  /** By round: how it ended. */
  readonly ends: Readonly<Record<number, PlayedRound>>;
}

const NOTHING: Witness = { seal: null, racks: {}, ends: {} };
const PLACE = 'tilerummy.witness';
const kept = new Map<string, Witness>();

/** Look on while a room is open. */
export function keepWitness(session: RoomSession): () => void {
  return session.onEvents((happening) => {
    const { room, matches } = happening.after;
    const before = witnessOf(happening.after);
    const after = seen(before, happening);
    if (after !== before) keep(`${room} ${matches}`, after);
  });
}

/** What was seen of the match that a view shows. */
export function witnessOf({ room, matches }: RoomView): Witness {
  const key = `${room} ${matches}`;
  return kept.get(key) ?? stored(key) ?? NOTHING;
}

/** What is known after something happened: a match that began, a round that was dealt, a round that ended. */
export function seen(known: Witness, { before, after, events }: Happening): Witness {
  let found = known;
  for (const { event } of events) {
    if (event?.kind === 'started' && before.stage !== 'playing') found = { ...found, seal: before.commitment };
    if (event?.kind === 'round-began' && event.rack && after.match?.seat != null) {
      found = { ...found, racks: { ...found.racks, [event.round]: { seat: after.match.seat, rack: event.rack } } };
    }
    if (event?.kind === 'round-ended' && after.match?.round === event.round) {
      const { starter, draws, table, racks, pool_size } = after.match;
      found = { ...found, ends: { ...found.ends, [event.round]: { starter, draws, table, racks, pool_size } } };
    }
  }
  return found;
}

function keep(key: string, witness: Witness): void {
  kept.set(key, witness);
  try {
    // One match at a time is enough: the check belongs to the match that has just been played.
    sessionStorage.setItem(PLACE, JSON.stringify([key, witness]));
  } catch {
    // a device that keeps nothing still has it until the page is closed
  }
}

function stored(key: string): Witness | null {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(PLACE) ?? 'null');
    return Array.isArray(found) && found[0] === key ? { ...NOTHING, ...(found[1] as Witness) } : null;
  } catch {
    return null;
  }
}
