/** What a refusal says to whoever is refused. */

import { say, sentence, t, type Wording } from '../i18n';
import type { Refused } from '../protocol';

/** Codes of errors, which are about the message rather than about the game: nobody can do anything but try again. */
const OURS = new Set(['gone', 'bad-message', 'bad-command', 'unavailable', 'slow-down']);

export function refusalText({ code, violations }: Refused, rules: Wording | null = null): string {
  const wording = rules ?? undefined;
  const [first] = violations;
  if (OURS.has(code)) return t('net.failed');
  if (code === 'too-hard') return t('net.too-hard');
  return first ? say('violations', first.code, first.args, wording) : sentence(code, {}, wording);
}
