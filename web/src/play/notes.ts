/** A few words beside each meld that cannot stay as it is. */

import { say, t, type Wording } from '../i18n';
import type { Desk } from './desk.svelte';

type Noted = Pick<Desk, 'own' | 'flags' | 'advice'>;

/** What is wrong with which meld: what anybody can see at once, then what the server says. */
export function notesOf({ own, flags, advice }: Noted, rules: Wording): Map<number, string> {
  const notes = new Map<number, string>();
  for (const [meld, { reason, args }] of flags) notes.set(meld, say('short', reason, args, rules));
  for (const { code, tiles, args } of advice?.violations ?? []) {
    const words = wordsOf(code, args, rules);
    if (words === '') continue;
    const some = new Set(tiles.split(' '));
    for (const meld of own) {
      if (!notes.has(meld.id) && meld.tiles.some((tile) => some.has(tile))) notes.set(meld.id, words);
    }
  }
  return notes;
}

/** The melds whose note is another than before, or new: worth a word when it happens, and no second one. */
export function newNotes(
  before: ReadonlyMap<number, { readonly reason: string }>,
  now: ReadonlyMap<number, { readonly reason: string }>,
): number[] {
  return [...now].filter(([meld, { reason }]) => before.get(meld)?.reason !== reason).map(([meld]) => meld);
}

function wordsOf(code: string, args: Readonly<Record<string, string | number>>, rules: Wording): string {
  switch (code) {
    case 'joker-swap':
      return t('table.note-swap', { needs: args.needs }, rules);
    case 'joker-new-meld':
      return t('table.note-new', {}, rules);
    case 'joker-meld-split':
    case 'table-locked':
    case 'no-rearranging':
      return t('table.note-whole');
    default:
      return '';
  }
}
