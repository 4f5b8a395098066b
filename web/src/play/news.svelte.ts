/** What happens at the table, as it is told, heard and seen to fly. */

import type { Wording } from '../i18n';
import { announce, toast } from '../parts';
import type { SeenEvent } from '../protocol';
import type { Happening } from '../room/session.svelte';
import { cue } from '../sound';
import { speak } from '../speech';
import type { Tile } from '../game/tiles';
import { someTiles, type Desk } from './desk.svelte';
import { tell, type Told } from './telling';

/** Where something comes from or goes to. */
export type Home = 'pool' | 'table' | number;

export interface Around {
  readonly names: () => readonly string[];
  readonly rules: () => (Wording & { readonly stars: number }) | null;
  readonly fly: (what: 'star' | 'tile', count: number, from: Home, to: Home) => void;
}

const KEPT = 40;

export interface Line extends Told {
  readonly id: number;
}

export class News {
  readonly #desk: Desk;
  readonly #around: Around;
  readonly #homes = new Map<Tile, Home>();
  #lines = $state.raw<readonly Line[]>([]);
  #next = 0;
  /** The last turn in a sentence, for a moment. */
  caption = $state<string>('');
  #caption: ReturnType<typeof setTimeout> | undefined;

  constructor(desk: Desk, around: Around) {
    this.#desk = desk;
    this.#around = around;
  }

  /** The newest last. */
  get lines(): readonly Line[] {
    return this.#lines;
  }

  /** What the last turn was. */
  readonly latest = $derived.by(() => {
    const last = this.#lines.at(-1);
    const from = this.#lines.findLastIndex((line) => line.seat !== last?.seat) + 1;
    return this.#lines.slice(from).slice(-2);
  });

  /** Where a tile comes from that was not seen before. */
  homeOf(tile: Tile): Home | null {
    return this.#homes.get(tile) ?? null;
  }

  hear({ events }: Happening): void {
    const rules = this.#around.rules();
    if (!rules) return;
    const { mySeat: own, ourSeats } = this.#desk.session;
    // On a device that is passed on, the next player reads what is told: nobody's drawn tiles are.
    const reader = ourSeats.length > 1 ? null : own;
    for (const { event } of events) {
      if (!event) continue;
      this.#remember(event);
      const told = tell(event, this.#around.names(), reader, rules);
      for (const line of told) this.#write(line, event, own, rules.stars > 0);
      const loud = told.filter((line) => line.loud).map((line) => line.text);
      if (loud.length > 0) toast(loud.join(' '), { seconds: 7 });
      else if (told.length > 0 && event.kind !== 'round-began') this.#show(told.map((line) => line.text).join(' '));
    }
    this.#desk.follow();
    for (const { event } of events) if (event) this.#move(event, own);
  }

  #write(line: Told, event: SeenEvent, own: number | null, junior: boolean): void {
    this.#lines = [...this.#lines, { ...line, id: (this.#next += 1) }].slice(-KEPT);
    // A remark is said by itself, and who begins by the table.
    if (event.kind !== 'round-began' && !line.loud) announce(line.text);
    if (junior && line.seat === own && (event.kind === 'drew' || event.kind === 'played')) {
      speak(line.text, { junior, after: true });
    }
  }

  #show(text: string): void {
    clearTimeout(this.#caption);
    this.caption = text;
    this.#caption = setTimeout(() => (this.caption = ''), 4500);
  }

  #remember(event: SeenEvent): void {
    const from = (tiles: string | null, home: Home): void => {
      for (const tile of someTiles(tiles)) this.#homes.set(tile, home);
    };
    if (event.kind === 'played') from(event.laid, event.seat);
    else if (event.kind === 'drew') from(event.tiles, 'pool');
    else if (event.kind === 'timed-out') {
      from(event.laid, event.seat);
      from(event.penalty, 'pool');
    } else if (event.kind === 'round-began') {
      this.#homes.clear();
      from(event.rack, 'pool');
    }
  }

  #move(event: SeenEvent, own: number | null): void {
    const { fly } = this.#around;
    switch (event.kind) {
      case 'played':
        cue('play');
        if (event.stars > 0) {
          fly('star', event.stars, 'table', event.seat);
          cue('star');
        }
        break;
      case 'drew':
        if (event.seat === own) {
          cue('draw');
          this.#desk.glow(someTiles(event.tiles));
        } else {
          fly('tile', event.count, 'pool', event.seat);
        }
        if (event.stars > 0) fly('star', event.stars, event.seat, 'pool');
        break;
      case 'timed-out':
        if (event.seat === own) {
          cue('error');
          this.#desk.glow(someTiles(event.penalty));
        } else {
          fly('tile', event.count, 'pool', event.seat);
        }
        break;
      case 'round-ended':
        if (event.winner === own) cue('win');
        break;
      default:
        break;
    }
  }

  close(): void {
    clearTimeout(this.#caption);
  }
}
