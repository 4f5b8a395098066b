/** What the table says by itself to who does not see it: whose turn, the clock, what is in the way, a film, phrases. */

import { untrack } from 'svelte';
import { say, t } from '../i18n';
import { announce } from '../parts';
import { cue } from '../sound';
import { speak } from '../speech';
import { clockSpoken } from './clock';
import type { Desk } from './desk.svelte';
import type { Player } from './player.svelte';
import { filmText, filmTitle } from './saying';
import { doneBy } from './telling';

export interface Heard {
  readonly names: readonly string[];
  /** The seat of who hears it; nobody's where several share the device. */
  readonly reader: number | null;
  /** Nobody has moved in this round. */
  readonly opening: boolean;
  readonly junior: boolean;
}

/** Say it whenever there is something new to say, each thing once; to be called while a component is set up. */
export function sayAloud(desk: Desk, player: Player, heard: () => Heard): void {
  const { session } = desk;

  const begins = $derived.by(() => {
    const { match, rules } = session;
    const { names, reader: own, opening } = heard();
    return opening && match && rules ? doneBy(match.starter, 'starts', { names, own, rules }) : '';
  });
  $effect(() => announce(begins));

  let greeted: string | null = null;
  $effect(() => {
    const turn = player.myTurn ? session.turnKey : null;
    if (turn === greeted) return;
    greeted = turn;
    player.explained = false;
    if (turn === null) return;
    cue('your-turn');
    announce(t('table.your-turn'));
    speak(t('table.your-turn'), { junior: heard().junior });
  });

  $effect(() => {
    const { left, clock } = session;
    if (!player.myTurn || left === null || !clock || clock.byDays) return;
    if (left > 0 && left <= 10) cue('tick');
    if (clockSpoken(left, clock.seconds)) announce(t('table.seconds-left', { count: left }));
  });

  // What only the server sees, and what no longer fits, is said when it is known.
  const fresh = $derived(JSON.stringify([session.turnKey, desk.touched, desk.verdict.may === 'yes']));
  $effect(() => {
    void fresh;
    untrack(() => player.forgetTroubles());
  });
  $effect(() => player.tellTroubles());

  const filmed = $derived.by(() => {
    const { rules } = session;
    const { names, reader } = heard();
    return desk.film.on && rules ? filmText(desk.film, rules) || filmTitle(desk.film.seat, names, reader) : '';
  });
  $effect(() => announce(filmed));

  let last = 0;
  $effect(() => {
    for (const { id, seat, phrase } of session.phrases) {
      if (id > last && !session.ourSeats.includes(seat)) {
        const name = untrack(() => heard().names[seat] ?? '');
        const said = say('phrases', phrase);
        announce(phrase.startsWith(':') ? `${name} ${said}.` : t('table.says', { name, phrase: said }));
      }
      last = Math.max(last, id);
    }
  });
}
