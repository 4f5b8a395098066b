/** Bots by names that people like: a server may have more of them than this page knows. */

import { capital, t } from '../i18n';
import type { BotInfo } from '../protocol';

const KNOWN = ['random', 'novice', 'points', 'greedy', 'keeper', 'expert'] as const;

type Known = (typeof KNOWN)[number];

function isKnown(name: string): name is Known {
  return KNOWN.some((known) => known === name);
}

/** Whether a name in a list of tables is a bot's: there only names are told. */
export function isBot(name: string): boolean {
  return isKnown(name);
}

/** What a bot is called: `Beginner` for `novice`. */
export function botName(name: string): string {
  return isKnown(name) ? t(`make.bot-${name}`) : capital(name);
}

/** How hard it is to beat, in a word or two; empty for a bot that the page does not know. */
export function botLevel(name: string): string {
  return isKnown(name) ? t(`make.bot-${name}-level`) : '';
}

/** How it plays, in a few words. */
export function botAbout({ name, description }: BotInfo): string {
  return isKnown(name) ? t(`make.bot-${name}-about`) : description;
}

/** Its name with its level: what a list to choose from says. */
export function botLabel(name: string): string {
  return [botName(name), botLevel(name)].filter((part) => part !== '').join(' · ');
}

/** The bots from the easiest on, by the strength that was measured; those that the page does not know come last. */
export function inOrder(bots: readonly BotInfo[]): readonly BotInfo[] {
  const place = ({ name }: BotInfo): number => {
    const found = KNOWN.findIndex((known) => known === name);
    return found < 0 ? KNOWN.length : found;
  };
  return bots.toSorted((one, other) => {
    if (!isKnown(one.name) || !isKnown(other.name)) return place(one) - place(other);
    return (one.elo ?? 0) - (other.elo ?? 0) || place(one) - place(other);
  });
}
