/** The room before the start: where seats are drawn, what everybody may do, and what the start waits for. */

import type { Local, RoomView, SeatView, SetupView, You } from '../protocol';

/** Where a seat is drawn around the table. */
export type Side =
  | 'bottom'
  | 'left'
  | 'left-low'
  | 'left-high'
  | 'top'
  | 'top-left'
  | 'top-right'
  | 'right'
  | 'right-high'
  | 'right-low';

const SIDES: Readonly<Record<number, readonly Side[]>> = {
  2: ['bottom', 'top'],
  3: ['bottom', 'top-left', 'top-right'],
  4: ['bottom', 'left', 'top', 'right'],
  5: ['bottom', 'left', 'top-left', 'top-right', 'right'],
  6: ['bottom', 'left-low', 'left-high', 'top', 'right-high', 'right-low'],
};

export interface Place {
  readonly seat: SeatView;
  readonly side: Side;
  /** Whether it is a seat of this device. */
  readonly ours: boolean;
}

/** The seats clockwise, one's own first and at the bottom. */
export function placesOf(view: RoomView, you: You | null): Place[] {
  const { seats } = view;
  const first = you?.shown ?? you?.seats[0] ?? 0;
  const sides = SIDES[seats.length] ?? [];
  return seats.map((_, step) => {
    const seat = seats[(first + step) % seats.length] as SeatView;
    return { seat, side: sides[step] ?? 'top', ours: you?.seats.includes(seat.seat) ?? false };
  });
}

/** Something that can be done with a seat. */
export interface Deed {
  readonly label: string;
  readonly run: () => void;
}

/** What the start waits for. */
export type Waiting =
  | { readonly for: 'seats'; readonly count: number }
  | { readonly for: 'people'; readonly names: readonly string[] };

/** Why the match cannot begin; null when it can. Whoever says so, and the host, are ready by saying so. */
export function waitsFor(view: RoomView, you: You | null): Waiting | null {
  const free = view.seats.filter(({ kind }) => kind === 'open').length;
  if (free > 0) return { for: 'seats', count: free };
  const late = view.seats.filter(
    (seat) => seat.kind === 'person' && !seat.ready && !seat.host && !you?.seats.includes(seat.seat),
  );
  return late.length > 0 ? { for: 'people', names: late.map(({ name }) => name ?? '') } : null;
}

/** The first seat for somebody who comes in: a free one, or a bot's. */
export function firstSeat(view: RoomView): number | null {
  const found = view.seats.find(({ kind }) => kind === 'open') ?? view.seats.find(({ kind }) => kind === 'bot');
  return found?.seat ?? null;
}

/** Which of this device's seats is one's own, rather than that of somebody who plays on it too. */
export function ownSeat(view: RoomView, you: You | null, name: string): number | null {
  const seats = you?.seats ?? [];
  return seats.find((seat) => view.seats[seat]?.name === name) ?? seats[0] ?? null;
}

/** Who on this device has no seat yet. */
export function standing(locals: readonly Local[], view: RoomView, you: You | null): Local[] {
  const names = (you?.seats ?? []).map((seat) => view.seats[seat]?.name);
  return locals.filter(({ name }) => !names.includes(name));
}

/** The time for a turn, in the largest unit that is whole. */
export function turnTime(clock: SetupView['clock']): { unit: 'none' | 'seconds' | 'minutes' | 'days'; count: number } {
  if (typeof clock === 'string') return { unit: 'none', count: 0 };
  if ('days' in clock) return { unit: 'days', count: clock.days };
  const { seconds } = clock;
  return seconds >= 120 && seconds % 60 === 0
    ? { unit: 'minutes', count: seconds / 60 }
    : { unit: 'seconds', count: seconds };
}

/** Whether other devices cannot open an address of this page. */
export function onlyHere(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
