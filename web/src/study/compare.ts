/** What differs between rulesets, topic by topic: each value as a text's key and its arguments. */

import type { Args, Key } from '../i18n';
import type { RulesetInfo } from '../protocol';

type Fields = RulesetInfo['fields'];

/** How one ruleset has it: a sentence, or a number that needs none. */
export type Told =
  | { readonly key: ValueKey; readonly args: Args; readonly time?: { readonly key: TimeKey; readonly count: number } }
  | { readonly number: number };

type ValueKey = Extract<Key, `rules.value-${string}`>;
type TimeKey = 'rules.value-minutes' | 'rules.value-seconds';

const told = (key: ValueKey, args: Args = {}): Told => ({ key, args });
const forStars = (fields: Fields): boolean => Number(fields.stars) > 0;
const game = (fields: Fields): string => (forStars(fields) ? 'stars' : 'points');
const COLOURS = 4;
const MINUTE = 60;

const TOPICS = {
  'rules.topic-players': (fields: Fields) => told('rules.value-players', { players: fields.players }),
  'rules.topic-tiles': (fields: Fields) => {
    const total = Number(fields.numbers) * COLOURS * Number(fields.copies) + Number(fields.jokers);
    return told('rules.value-tiles', { total, jokers: fields.jokers });
  },
  'rules.topic-deal': (fields: Fields): Told => ({ number: Number(fields.deal) }),
  'rules.topic-game': (fields: Fields) => told('rules.value-game', { game: game(fields) }),
  'rules.topic-direction': (fields: Fields) => told('rules.value-direction', { direction: fields.direction }),
  'rules.topic-melds': (fields: Fields) => told('rules.value-melds', { groups: fields.groups }),
  'rules.topic-opening': (fields: Fields) =>
    fields.opening === 0 ? told('rules.value-opening-none') : told('rules.value-opening', { opening: fields.opening }),
  'rules.topic-usable': (fields: Fields) =>
    fields.opening === 0 && fields.usable === 'opening-turn'
      ? told('rules.value-usable-always')
      : told('rules.value-usable', { usable: fields.usable }),
  'rules.topic-rearranging': (fields: Fields) => told('rules.value-rearranging', { rearranging: fields.rearranging }),
  'rules.topic-joker-leaves': (fields: Fields) =>
    told('rules.value-joker-leaves', { joker_leaves: fields.joker_leaves }),
  'rules.topic-joker-goes': (fields: Fields) => told('rules.value-joker-goes', { joker_goes: fields.joker_goes }),
  // Where melds only grow, none is divided, with a joker or without.
  'rules.topic-joker-melds': (fields: Fields) =>
    fields.rearranging === 'adding'
      ? told('rules.value-rearranging', { rearranging: fields.rearranging })
      : told('rules.value-joker-melds', { joker_melds: fields.joker_melds }),
  'rules.topic-clock': clock,
  'rules.topic-timeout': (fields: Fields) =>
    Number(fields.turn_seconds) > 0
      ? told('rules.value-timeout', { timeout: fields.timeout, draws: fields.timeout_draws })
      : told('rules.value-never'),
  'rules.topic-joker-value': (fields: Fields) =>
    told('rules.value-joker-value', { game: game(fields), joker_value: fields.joker_value }),
  'rules.topic-stalemate': (fields: Fields) => told('rules.value-stalemate', { stalemate: fields.stalemate }),
  'rules.topic-stalemate-score': (fields: Fields) =>
    forStars(fields)
      ? told('rules.value-stalemate-stars')
      : told('rules.value-stalemate-score', { stalemate_score: fields.stalemate_score }),
} satisfies Record<string, (fields: Fields) => Told>;

export type Topic = keyof typeof TOPICS;

function clock(fields: Fields): Told {
  const seconds = Number(fields.turn_seconds);
  if (seconds === 0) return told('rules.value-no-clock');
  const whole = seconds % MINUTE === 0;
  const key = whole ? 'rules.value-minutes' : 'rules.value-seconds';
  const count = whole ? seconds / MINUTE : seconds;
  if (fields.timed) return told(key, { count });
  return { key: 'rules.value-if-wanted', args: {}, time: { key, count } };
}

/** A topic, and the rulesets that have it in each way, in the order in which they come. */
export interface Difference {
  readonly topic: Topic;
  /** By ruleset. */
  readonly values: readonly Told[];
  /** The same, with those together that agree: places of `values`. */
  readonly groups: readonly (readonly number[])[];
}

/** Everything in which not all rulesets agree. */
export function differences(rulesets: readonly RulesetInfo[]): Difference[] {
  return (Object.keys(TOPICS) as Topic[])
    .map((topic): Difference => {
      const values = rulesets.map((ruleset) => TOPICS[topic](ruleset.fields));
      const alike = new Map<string, number[]>();
      for (const [place, value] of values.entries()) {
        const written = JSON.stringify(value);
        alike.set(written, [...(alike.get(written) ?? []), place]);
      }
      return { topic, values, groups: [...alike.values()] };
    })
    .filter((difference) => difference.groups.length > 1);
}
