import { describe, expect, it } from 'vitest';
import type { RoomView, SeatView, You } from '../protocol';
import { firstSeat, onlyHere, ownSeat, placesOf, standing, turnTime, waitsFor } from './lobby';

const seat = (place: number, more: Partial<SeatView> = {}): SeatView => ({
  seat: place,
  name: null,
  kind: 'open',
  bot: null,
  ready: false,
  present: false,
  away: false,
  host: false,
  word: null,
  ...more,
});
const person = (place: number, name: string, more: Partial<SeatView> = {}): SeatView =>
  seat(place, { kind: 'person', name, present: true, ...more });
const bot = (place: number): SeatView => seat(place, { kind: 'bot', bot: 'novice', name: 'novice' });
const room = (...seats: SeatView[]): RoomView => ({ seats }) as RoomView;
const you = (seats: number[], host = false): You => ({ player: 'p', seats, shown: seats[0] ?? null, host });

describe('seats around the table', () => {
  it('go clockwise from one’s own', () => {
    const view = room(person(0, 'Ada'), seat(1), person(2, 'Ben'), bot(3));
    const places = placesOf(view, you([2]));
    expect(places.map((place) => place.seat.seat)).toEqual([2, 3, 0, 1]);
    expect(places.map(({ side }) => side)).toEqual(['bottom', 'left', 'top', 'right']);
    expect(places.map(({ ours }) => ours)).toEqual([true, false, false, false]);
  });

  it.each([2, 3, 4, 5, 6])('have each a side of its own: %i', (count) => {
    const view = room(...Array.from({ length: count }, (_, place) => seat(place)));
    const sides = placesOf(view, null).map(({ side }) => side);
    expect(new Set(sides).size).toBe(count);
  });
});

describe('the start', () => {
  const ada = person(0, 'Ada', { host: true });

  it('waits for seats, then for people', () => {
    expect(waitsFor(room(ada, seat(1), seat(2)), you([0], true))).toEqual({ for: 'seats', count: 2 });
    const late = room(ada, person(1, 'Ben'), person(2, 'Cleo', { ready: true }), bot(3));
    expect(waitsFor(late, you([0], true))).toEqual({ for: 'people', names: ['Ben'] });
  });

  it('does not wait for the host, nor for those on the device that starts', () => {
    expect(waitsFor(room(ada, person(1, 'Ben'), bot(2)), you([0, 1], true))).toBeNull();
  });
});

describe('a seat', () => {
  it('is free before it is a bot’s', () => {
    expect(firstSeat(room(person(0, 'Ada'), bot(1), seat(2)))).toBe(2);
    expect(firstSeat(room(person(0, 'Ada'), bot(1)))).toBe(1);
    expect(firstSeat(room(person(0, 'Ada'), person(1, 'Ben')))).toBeNull();
  });

  it('is one’s own by the name, on a device of several people', () => {
    const view = room(person(0, 'Cleo'), person(1, 'Ada'));
    expect(ownSeat(view, you([0, 1]), 'Ada')).toBe(1);
    expect(ownSeat(view, you([0, 1]), 'Zoe')).toBe(0);
    expect(ownSeat(view, you([]), 'Ada')).toBeNull();
  });

  it('is for those who have none', () => {
    const locals = [
      { id: 'a', name: 'Cleo' },
      { id: 'b', name: 'Dan' },
    ];
    expect(standing(locals, room(person(0, 'Ada'), person(1, 'Cleo')), you([0, 1]))).toEqual([locals[1]]);
    expect(standing(locals, room(person(0, 'Ada'), person(1, 'Cleo')), you([0]))).toEqual(locals);
  });
});

it('tells the time for a turn', () => {
  expect(turnTime('none')).toEqual({ unit: 'none', count: 0 });
  expect(turnTime({ seconds: 60 })).toEqual({ unit: 'seconds', count: 60 });
  expect(turnTime({ seconds: 90 })).toEqual({ unit: 'seconds', count: 90 });
  expect(turnTime({ seconds: 120 })).toEqual({ unit: 'minutes', count: 2 });
  expect(turnTime({ days: 2 })).toEqual({ unit: 'days', count: 2 });
});

it('knows addresses that no other device can open', () => {
  expect(['localhost', '127.0.0.1', '[::1]', '192.168.1.7', 'table.example'].map(onlyHere)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
