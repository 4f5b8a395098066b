/** What a ruleset is called, and what it is like: its title in one sentence, taken apart at the colon. */

import type { Language } from '../i18n';
import type { RulesetInfo } from '../protocol';

export interface Title {
  readonly name: string;
  readonly about: string;
}

export function titleOf(rules: RulesetInfo, language: Language): Title {
  const whole = rules.titles[language] ?? rules.titles.en ?? rules.id;
  const colon = whole.indexOf(':');
  if (colon < 0) return { name: whole, about: '' };
  const about = whole.slice(colon + 1).trim();
  return { name: whole.slice(0, colon).trim(), about: about.slice(0, 1).toUpperCase() + about.slice(1) };
}
