/** A table that somebody is planning: what the form shows, and the setup that the server is sent. */

import type { BotInfo, NewRoom, RulesetInfo, SeatView, SetupView } from '../protocol';
import { fieldsWith, houseOf, mostPlayers, withPlayers, type Fields } from './house';
import { isSlow as takesLong } from '../room/clock';

export const MIN_PLAYERS = 2;
export const MAX_ROUNDS = 99;
export const MAX_DAYS = 30;
export const MIN_SECONDS = 10;
export const MAX_SECONDS = 3600;
export const USUAL_BOT = 'novice';

const RACE = 'junior';
const DAY = 86_400;

export type SeatPlan =
  | { readonly kind: 'me' }
  | { readonly kind: 'friend' }
  | { readonly kind: 'bot'; readonly bot: string }
  /** Somebody on this device; without an id they are new. */
  | { readonly kind: 'here'; readonly id: string | null; readonly name: string };

export type ClockKind = 'none' | 'rulebook' | 'seconds' | 'days';

export interface Plan {
  game: 'match' | 'race';
  ruleset: string;
  /** The rulebook's fields, with what the house changes. */
  fields: Fields;
  /** As many as play; the first is who makes the table. */
  seats: readonly SeatPlan[];
  clock: ClockKind;
  seconds: number;
  days: number;
  rounds: number;
  public: boolean;
  spectators: boolean;
  hints: boolean;
  /** The bot that sits in for somebody whose connection is gone. */
  sitIn: string | null;
  /** The seat that calls in a race; null is the program. */
  caller: number | null;
  /** The seat that begins, where the host says so. */
  first: number;
}

const ME: SeatPlan = { kind: 'me' };
const FRIEND: SeatPlan = { kind: 'friend' };

function rulesOf(id: string, rulesets: readonly RulesetInfo[]): Fields {
  const found = rulesets.find((rules) => rules.id === id);
  if (!found) throw new Error(`no ruleset is called ${id}`);
  return found.fields;
}

/** A plan to begin with: two friends, and the clock as the book has it. */
export function newPlan(ruleset: string, rulesets: readonly RulesetInfo[]): Plan {
  const fields = rulesOf(ruleset, rulesets);
  return {
    game: 'match',
    ruleset,
    fields,
    seats: [ME, FRIEND, FRIEND],
    clock: fields.timed ? 'rulebook' : 'none',
    seconds: 90,
    days: 2,
    rounds: 1,
    public: false,
    spectators: true,
    hints: true,
    sitIn: null,
    caller: null,
    first: 0,
  };
}

/** The plan of a table that is already there. */
export function planOf(setup: SetupView, rulesets: readonly RulesetInfo[]): Plan {
  const { clock } = setup;
  const timed = typeof clock === 'object';
  const days = timed && 'days' in clock ? clock.days : null;
  const seconds = timed && 'seconds' in clock ? clock.seconds : null;
  const plan = newPlan(setup.ruleset, rulesets);
  const whole = seconds !== null && seconds > MAX_SECONDS ? Math.max(1, Math.round(seconds / DAY)) : null;
  return {
    ...plan,
    game: setup.game,
    fields: fieldsWith(plan.fields, setup.house),
    seats: Array.from({ length: setup.players }, (_, seat): SeatPlan => {
      const bot = setup.bots[seat];
      if (bot) return { kind: 'bot', bot };
      return seat === 0 ? ME : FRIEND;
    }),
    clock: clockKind(clock),
    seconds: seconds ?? plan.seconds,
    days: days ?? whole ?? plan.days,
    rounds: setup.rounds,
    public: setup.public,
    spectators: setup.spectators,
    hints: setup.hints,
    sitIn: setup.sit_in,
    caller: setup.caller,
    first: setup.first,
  };
}

function clockKind(clock: SetupView['clock']): ClockKind {
  if (typeof clock === 'string') return clock;
  return 'days' in clock || clock.seconds > MAX_SECONDS ? 'days' : 'seconds';
}

/** Whether no bot sits in for anybody, because turns take so long. */
export function isSlow({ clock, seconds }: Plan): boolean {
  return clock === 'days' || (clock === 'seconds' && takesLong(seconds));
}

/** The plan for another game; house rules were those of the other one, and so was the clock of its book. */
export function withGame(plan: Plan, game: Plan['game'], ruleset: string, rulesets: readonly RulesetInfo[]): Plan {
  const base = rulesOf(ruleset, rulesets);
  const seats = plan.seats.slice(0, mostPlayers(base));
  const changed: Plan = { ...plan, game, ruleset, fields: withPlayers(base, seats.length), seats };
  const own = plan.clock === 'seconds' || plan.clock === 'days';
  const clock = own ? plan.clock : base.timed ? 'rulebook' : 'none';
  if (game === 'match') return { ...trimmed(changed), clock, caller: null };
  return trimmed({ ...changed, fields: base, clock: 'none', rounds: 1, sitIn: null });
}

/** The plan for more or fewer players; who comes last goes first, and new places are like the last one. */
export function withSeats(plan: Plan, players: number): Plan {
  const last = plan.seats.at(-1) ?? FRIEND;
  const more: SeatPlan = last.kind === 'bot' ? last : last.kind === 'here' ? { ...last, id: null, name: '' } : FRIEND;
  const seats = Array.from({ length: players }, (_, seat) => plan.seats[seat] ?? more);
  return trimmed({ ...plan, seats, fields: withPlayers(plan.fields, players) });
}

/** The plan with somebody else on a seat. */
export function withSeat(plan: Plan, seat: number, who: SeatPlan): Plan {
  return trimmed({ ...plan, seats: plan.seats.with(seat, who) });
}

function trimmed(plan: Plan): Plan {
  const players = plan.seats.length;
  const calls = plan.caller !== null && plan.caller < players && plan.seats[plan.caller]?.kind !== 'bot';
  return { ...plan, first: plan.first < players ? plan.first : 0, caller: calls ? plan.caller : null };
}

/** What the server is sent; of the rules only what differs from the rulebook. */
export function setupOf(plan: Plan, rulesets: readonly RulesetInfo[]): Required<NewRoom> {
  const race = plan.game === 'race';
  return {
    game: plan.game,
    ruleset: race ? RACE : plan.ruleset,
    house: race ? {} : houseOf(rulesOf(plan.ruleset, rulesets), plan.fields),
    players: plan.seats.length,
    rounds: plan.rounds,
    clock: clockOf(plan),
    bots: plan.seats.map((seat) => (seat.kind === 'bot' ? seat.bot : null)),
    public: plan.public,
    spectators: plan.spectators,
    hints: race || plan.hints,
    sit_in: isSlow(plan) ? null : plan.sitIn,
    caller: plan.caller,
    first: !race && plan.fields.starter === 'host' ? plan.first : 0,
  };
}

function clockOf({ clock, seconds, days }: Plan): SetupView['clock'] {
  if (clock === 'seconds') return { seconds };
  return clock === 'days' ? { days } : clock;
}

/** Whether nobody has to be waited for. */
export function isFull(plan: Plan): boolean {
  return plan.seats.every((seat) => seat.kind !== 'friend');
}

/** The people on this device, with their seats. */
export function peopleHere(plan: Plan): { seat: number; id: string | null; name: string }[] {
  return plan.seats.flatMap((who, seat) => (who.kind === 'here' ? [{ seat, id: who.id, name: who.name.trim() }] : []));
}

/** The name of whoever sits there already, in a lobby. */
export function sitter(seats: readonly SeatView[] | undefined, seat: number): string | null {
  const found = seats?.[seat];
  return found?.kind === 'person' ? (found.name ?? '') : null;
}

/** The bot to offer first: the usual one, if this server has it. */
export function firstBot(bots: readonly BotInfo[]): string {
  return (bots.find((bot) => bot.name === USUAL_BOT) ?? bots[0])?.name ?? USUAL_BOT;
}
