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

type Args = Readonly<Record<string, unknown>>;

/** What somebody can do of which they hear as `you`, and everybody else by their name. */
type Done =
  | 'starts'
  | 'start-draw'
  | 'played'
  | 'opened'
  | 'joker-taken'
  | 'stars'
  | 'buzzer'
  | 'paid'
  | 'passed'
  | 'timed-out'
  | 'timed-out-back'
  | 'to-bot'
  | 'to-human';

/** A sentence about what somebody did, to the reader at their own seat or to others. */
export function doneBy(
  seat: number,
  code: Done,
  { names, own, rules }: { readonly names: readonly string[]; readonly own: number | null; readonly rules: Wording },
  args: Args = {},
): string {
  if (seat === own) return t(`table.own-${code}`, args, rules);
  return say('events', code, { name: names[seat] ?? '', ...args }, rules);
}

/** The sentences about an event; none about those that are seen anyway. */
export function tell(event: SeenEvent, names: readonly string[], own: number | null, rules: Wording): Told[] {
  const around = { names, own, rules };
  const told = (seat: number, code: Done, args: Args = {}, loud = false): Told => ({
    seat,
    text: doneBy(seat, code, around, args),
    loud,
  });
  const named = (seat: number, code: string, args: Args): Told => ({
    seat,
    text: say('events', code, { name: names[seat] ?? '', ...args }, rules),
    loud: false,
  });
  switch (event.kind) {
    case 'round-began':
      return [
        ...event.draws.flat().map(({ seat, tile }) => told(seat, 'start-draw', { tile })),
        told(event.starter, 'starts'),
      ];
    case 'played': {
      const { seat, laid, points, stars } = event;
      const count = laid.split(' ').filter(Boolean).length;
      return [
        ...(event.buzzer ? [told(seat, 'buzzer', {}, seat === own)] : []),
        told(seat, 'played', { count, laid }),
        ...(event.opens ? [told(seat, 'opened', { points })] : []),
        ...(event.taken ? [told(seat, 'joker-taken')] : []),
        ...(stars > 0 ? [told(seat, 'stars', { count: stars })] : []),
      ];
    }
    case 'drew': {
      const { seat, tiles, count, stars } = event;
      return [
        seat === own && tiles ? named(seat, 'drew-tile', { tile: tiles }) : named(seat, 'drew', { count }),
        ...(stars > 0 ? [told(seat, 'paid', { count: stars })] : []),
      ];
    }
    case 'passed':
      return [told(event.seat, 'passed')];
    case 'timed-out': {
      const { seat, count, penalty } = event;
      return [
        seat === own && penalty
          ? { seat, text: t('table.own-timed-out-tile', { tile: penalty }, rules), loud: true }
          : told(seat, 'timed-out', { count }, seat === own),
        ...(event.restored ? [told(seat, 'timed-out-back', {}, seat === own)] : []),
      ];
    }
    case 'hint-given':
      return event.seat === own ? [] : [named(event.seat, 'hint', { level: event.level })];
    case 'handed-over':
      return [told(event.seat, event.bot === null ? 'to-human' : 'to-bot', {}, event.seat !== own)];
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
