/** The game that one tap starts: the last one that was chosen, on this device. */

import type { Language } from '../i18n';
import type { BotInfo, NewRoom, RulesetInfo } from '../protocol';
import { firstBot } from './plan';

export interface Quick {
  readonly ruleset: string;
  readonly bots: number;
  readonly level: string;
}

export const BOT_COUNTS: readonly number[] = [1, 2, 3];

const PLACE = 'tilerummy.quick';
const USUAL_BOTS = 2;

/** The rulebook that most people know in a language: it was printed in it. */
const BOOKS: Readonly<Record<Language, string>> = { en: 'sabra', fr: 'classic', nl: 'sabra', de: 'sabra' };

export function bookOf(language: Language): string {
  return BOOKS[language];
}

/** What is kept, as far as it can be believed and the server still has it; otherwise what is usual. */
export function readQuick(
  stored: string | null,
  language: Language,
  rulesets: readonly RulesetInfo[],
  bots: readonly BotInfo[],
): Quick {
  const said = parsed(stored);
  const ruleset = rulesets.find((rules) => rules.id === said.ruleset)?.id;
  const level = bots.find((bot) => bot.name === said.level)?.name;
  return {
    ruleset: ruleset ?? bookOf(language),
    bots: BOT_COUNTS.find((count) => count === said.bots) ?? USUAL_BOTS,
    level: level ?? firstBot(bots),
  };
}

function parsed(stored: string | null): Record<string, unknown> {
  try {
    const said: unknown = JSON.parse(stored ?? 'null');
    return typeof said === 'object' && said !== null ? (said as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The table of such a game: the first seat is the player's. */
export function quickRoom({ ruleset, bots, level }: Quick): NewRoom {
  return { ruleset, players: bots + 1, bots: [null, ...Array.from({ length: bots }, () => level)] };
}

export function storedQuick(): string | null {
  try {
    return localStorage.getItem(PLACE);
  } catch {
    return null;
  }
}

export function keepQuick(quick: Quick): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify(quick));
  } catch {
    // a device that keeps nothing still plays
  }
}
