/** The seats of a running match as they are shown, in the order in which they take their turns. */

import type { MatchView, RoomView, SeatView, StartDrawn, You } from '../protocol';

export interface SeatShown {
  readonly seat: number;
  readonly name: string;
  /** The seat whose rack is shown here. */
  readonly you: boolean;
  /** Another seat of this device. */
  readonly ours: boolean;
  /** Whether a bot plays there now, for somebody or for itself. */
  readonly bot: boolean;
  /** Whether a bot plays for a person who is away. */
  readonly standIn: boolean;
  /** Whether a person's connection is gone, and nobody plays for them. */
  readonly absent: boolean;
  readonly turn: boolean;
  readonly tiles: number;
  readonly opened: boolean;
  /** Null in a game for points. */
  readonly stars: number | null;
}

/** The seats from one's own on, as the turn goes round the table. */
export function turnOrder(players: number, first: number, clockwise: boolean): number[] {
  const step = clockwise ? 1 : players - 1;
  return Array.from({ length: players }, (_, at) => (first + at * step) % players);
}

/** What everybody is called: people by their names, bots by theirs, with a number where two have the same. */
export function seatNames(seats: readonly SeatView[], botName: (bot: string) => string): string[] {
  const plain = seats.map(({ kind, name, bot }) => (kind === 'person' ? (name ?? '') : botName(bot ?? name ?? '')));
  return seats.map((seat, at) => {
    const own = plain[at] ?? '';
    const alike = seats.flatMap((other, place) => (other.kind !== 'person' && plain[place] === own ? [place] : []));
    return seat.kind !== 'person' && alike.length > 1 ? `${own} ${alike.indexOf(at) + 1}` : own;
  });
}

/** The seats as they are shown. */
export function seatsShown(
  view: RoomView,
  match: MatchView,
  you: You | null,
  names: readonly string[],
  rules: { readonly clockwise: boolean; readonly stars: number },
): SeatShown[] {
  const shown = you?.shown ?? null;
  const first = shown ?? you?.seats[0] ?? 0;
  return turnOrder(match.players, first, rules.clockwise).map((seat) => {
    const sits = view.seats[seat];
    const bot = (match.bots[seat] ?? null) !== null;
    const person = sits?.kind === 'person';
    return {
      seat,
      name: names[seat] ?? '',
      you: seat === shown,
      ours: you?.seats.includes(seat) ?? false,
      bot,
      standIn: bot && person,
      absent: person && !bot && !sits.present,
      turn: match.phase === 'playing' && match.turn === seat,
      tiles: match.rack_sizes[seat] ?? 0,
      opened: match.opened[seat] ?? false,
      stars: rules.stars > 0 ? (match.stars[seat] ?? 0) : null,
    };
  });
}

/** What each seat drew for the start, in order, each seat once: after a joker, and after a tie, it has drawn again. */
export function drawnBySeat(draws: readonly (readonly StartDrawn[])[]): { seat: number; tiles: string[] }[] {
  const found = new Map<number, string[]>();
  for (const { seat, tile } of draws.flat()) found.set(seat, [...(found.get(seat) ?? []), tile]);
  return [...found].map(([seat, tiles]) => ({ seat, tiles }));
}
