/** What happened at the table, in words. */

import { say, t, type Wording } from '../i18n';
import type { SeenEvent } from '../protocol';
import type { SeatShown } from './seats';

export interface Told {
  readonly seat: number | null;
  readonly text: string;
  /** Whether it is worth a remark of its own. */
  readonly loud: boolean;
}

/** The sentences about an event; none about those that are seen anyway. */
export function tell(event: SeenEvent, names: readonly string[], own: number | null, rules: Wording): Told[] {
  const name = (seat: number): string => names[seat] ?? '';
  const told = (seat: number | null, code: string, args: Readonly<Record<string, unknown>>, loud = false): Told => ({
    seat,
    text: say('events', code, args, rules),
    loud,
  });
  switch (event.kind) {
    case 'round-began':
      return [
        ...event.draws.flat().map(({ seat, tile }) => told(seat, 'start-draw', { name: name(seat), tile })),
        told(event.starter, 'starts', { name: name(event.starter) }),
      ];
    case 'played': {
      const who = { name: name(event.seat) };
      const count = event.laid.split(' ').filter(Boolean).length;
      return [
        ...(event.buzzer ? [told(event.seat, 'buzzer', who, event.seat === own)] : []),
        told(event.seat, 'played', { ...who, count, laid: event.laid }),
        ...(event.opens ? [told(event.seat, 'opened', { ...who, points: event.points })] : []),
        ...(event.taken ? [told(event.seat, 'joker-taken', who)] : []),
        ...(event.stars > 0 ? [told(event.seat, 'stars', { ...who, count: event.stars })] : []),
      ];
    }
    case 'drew':
      return [
        event.seat === own && event.tiles
          ? told(event.seat, 'drew-tile', { tile: event.tiles })
          : told(event.seat, 'drew', { name: name(event.seat), count: event.count }),
        ...(event.stars > 0 ? [told(event.seat, 'paid', { name: name(event.seat), count: event.stars })] : []),
      ];
    case 'passed':
      return [told(event.seat, 'passed', { name: name(event.seat) })];
    case 'timed-out':
      return [
        told(event.seat, 'timed-out', { name: name(event.seat), count: event.count }, event.seat === own),
        ...(event.restored ? [told(event.seat, 'timed-out-back', { name: name(event.seat) }, event.seat === own)] : []),
        ...(event.seat === own && event.penalty
          ? [{ seat: own, text: t('table.penalty', { tile: event.penalty }, rules), loud: true }]
          : []),
      ];
    case 'hint-given':
      return event.seat === own ? [] : [told(event.seat, 'hint', { name: name(event.seat), level: event.level })];
    case 'handed-over': {
      const code = event.bot === null ? 'to-human' : 'to-bot';
      return [told(event.seat, code, { name: name(event.seat) }, event.seat !== own)];
    }
    default:
      return [];
  }
}

type Playing = Wording & { readonly opening: number };

/** How many tiles somebody has, and whether they have opened where that takes something. */
export function seatFacts({ tiles, opened, stars }: Pick<SeatShown, 'tiles' | 'opened' | 'stars'>, rules: Playing): string {
  const left = t('table.tiles-left', { count: tiles }, rules);
  if (stars !== null || rules.opening === 0) return left;
  return `${left} · ${t(opened ? 'table.opened' : 'table.not-opened', {}, rules)}`;
}

const [AROUND, LETTER] = [74, 6.3];

/** About how wide a seat is whose facts are told in words; the same from the first turn to the last. */
export function seatWidth(rules: Playing & { readonly stars: number }): number {
  const stars = rules.stars > 0 ? 0 : null;
  const facts = [false, true].map((opened) => seatFacts({ tiles: 14, opened, stars }, rules));
  return AROUND + LETTER * Math.max(...facts.map((one) => one.length));
}
