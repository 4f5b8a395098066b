/** Making a table, seating everybody who is here, and beginning where nobody has to be waited for. */

import { api } from '../net/api';
import { newId } from '../net/id';
import type { NewRoom, RoomView, WireCommand } from '../protocol';

/** Somebody on this device, and where they sit. */
export interface Seated {
  readonly seat: number;
  readonly player: string;
}

/** A refusal by its code, which the shared texts have a sentence for. */
export class Refusal extends Error {
  constructor(readonly code: string) {
    super(code);
    this.name = 'Refusal';
  }
}

async function command(room: RoomView, wish: WireCommand): Promise<void> {
  const answer = await api.command(room.room, { id: newId(), on: room.version, command: wish });
  if (answer.type === 'refused') throw new Refusal(answer.code);
}

/** Open a table; with `begin` its match has begun when this is done. */
export async function openTable(setup: NewRoom, here: readonly Seated[] = [], begin = false): Promise<RoomView> {
  const room = await api.newRoom(setup);
  for (const { seat, player } of here) {
    await command(room, { kind: 'sit', seat, player });
    // Whoever comes by the link sees that nobody has to wait for them.
    if (!begin) await command(room, { kind: 'ready', seat, ready: true });
  }
  if (begin) await command(room, { kind: 'start' });
  return room;
}
