/** What a player does at the table, by hand, by keys or by typing, and what is said to it. */

import type { SortBy } from '../game/order';
import { sentence, t } from '../i18n';
import { announce } from '../parts';
import { go } from '../route';
import { cue } from '../sound';
import * as board from '../table/board';
import type { Scene } from '../table/drag';
import { act, actionOf, isTableAction, type PageAction } from '../table/keys';
import type { How } from '../table/pointer';
import type { TableState } from '../table/types';
import type { Desk } from './desk.svelte';
import type { Hints } from './hints.svelte';
import { newNotes, notesOf } from './notes';
import { meldLabel, sentencesOf, shortText, targetLabel } from './saying';

export type Panel = 'hints' | 'more' | 'phrases';

/** What the player's things look like: panels that open, and the table that has the focus. */
export interface Around {
  readonly open: (panel: Panel) => void;
  readonly shut: (panel: Panel) => void;
  readonly scene: () => Scene | null;
  readonly focusTable: () => void;
}

export class Player {
  readonly #desk: Desk;
  readonly #hints: Hints;
  readonly #around: Around;
  typing = $state(false);
  helping = $state(false);
  reading = $state(false);
  asking = $state<'draw' | 'leave' | null>(null);
  /** Whether somebody asked why: then it is told at length, also where there is little room. */
  explained = $state(false);
  /** What is in the way and was said: as long as it stands, it is not said again. */
  #said: readonly string[] = [];

  constructor(desk: Desk, hints: Hints, around: Around) {
    this.#desk = desk;
    this.#hints = hints;
    this.#around = around;
  }

  readonly myTurn = $derived.by(() => this.#desk.may === 'play');

  /** Why nothing can be played, in a few words. */
  readonly reason = $derived.by(() => {
    const { mayDraw, verdict, session } = this.#desk;
    if (!session.rules || !this.myTurn || verdict.may !== 'no') return '';
    return shortText(verdict.short, mayDraw, session.rules);
  });

  /** What is in the way, in whole sentences. */
  readonly troubles = $derived.by((): readonly string[] => {
    const { rules } = this.#desk.session;
    return rules ? sentencesOf(this.#desk, rules) : [];
  });

  // Moving tiles

  changed(next: TableState, how: How): void {
    const before = this.#desk.state;
    this.#desk.set(next);
    if (how === 'lift') cue('pick-up');
    if (how === 'drop') {
      this.explained = false;
      if (next.history !== before?.history || next.order !== before.order) cue('drop');
    }
    if (next.refused && next.refused !== before?.refused) this.#trouble();
    if (before && next.history !== before.history) {
      for (const text of this.#broken(newNotes(before.flags, next.flags))) announce(text);
    }
  }

  change(make: (state: TableState) => TableState): void {
    if (this.#desk.state) this.changed(make(this.#desk.state), 'drop');
  }

  /** One of the buttons that go back and forth. */
  #step(step: Step): void {
    const before = this.#desk.state;
    this.change(board[step]);
    if (before && this.#desk.state) this.#tell(before, this.#desk.state, step);
  }

  undo = (): void => this.#step('undo');
  redo = (): void => this.#step('redo');
  reset = (): void => this.#step('reset');

  /** The next of the orders in which a rack can be sorted. */
  sortNext = (): void => {
    const next = { colour: 'number', number: 'playable', playable: 'colour', hand: 'colour' } as const;
    this.sort(next[this.#desk.state?.order.by ?? 'hand']);
  };

  sort(by: SortBy): void {
    this.change((state) => board.sort(state, by));
    announce(t(`table.sorted-${by}`));
  }

  #trouble(): void {
    cue('error');
    this.#explain();
  }

  /** Whoever presses the button although it says no is told why. */
  #explain(): void {
    this.explained = true;
    // One by one, as what is said in the same moment is said only once.
    for (const one of this.troubles.length > 0 ? this.troubles : [this.why]) announce(one);
    this.#said = this.troubles;
  }

  /** Say what is in the way, as far as it is news. */
  tellTroubles(): void {
    for (const one of this.troubles) if (!this.#said.includes(one)) announce(one);
    this.#said = [...new Set([...this.#said, ...this.troubles])];
  }

  /** A new turn, a table as it was, a play that is possible: what comes then is news, unless it stood all the while. */
  forgetTroubles(): void {
    this.#said = this.#said.filter((one) => this.troubles.includes(one));
  }

  /** What is in the way, at length. */
  readonly why = $derived.by((): string => {
    const broken = this.#broken();
    if (this.troubles.length > 0) return this.troubles.join(' ');
    return broken.length > 0 && this.reason ? `${this.reason}. ${broken.join(' ')}` : this.reason;
  });

  /** Melds that are none, these or all, each with why. */
  #broken(some?: readonly number[]): string[] {
    const { own, flags, session } = this.#desk;
    const { rules } = session;
    if (!rules) return [];
    const notes = notesOf(this.#desk, rules);
    const which = own.filter(({ id }) => flags.has(id) && (some?.includes(id) ?? true));
    return which.map((meld) => `${meldLabel(meld, rules, notes.get(meld.id))}.`);
  }

  /** Leave nothing open: somebody else takes the device. */
  putAway(): void {
    this.typing = this.helping = this.reading = this.explained = false;
    this.asking = null;
    for (const panel of ['hints', 'more', 'phrases'] as const) this.#around.shut(panel);
  }

  // Ending the turn

  play = async (): Promise<void> => {
    if (!this.myTurn || this.#desk.busy) return;
    if (this.#desk.verdict.may === 'no') {
      this.#explain();
      return;
    }
    this.#hints.forget();
    if (!(await this.#desk.play())) this.#trouble();
  };

  /** Draw or pass; what was laid is not put back without a word. */
  draw = (): void => {
    if (!this.myTurn) return;
    if (this.#desk.laid.size > 0) this.asking = 'draw';
    else void this.reallyDraw();
  };

  reallyDraw = async (): Promise<void> => {
    this.asking = null;
    if (!this.myTurn) return;
    this.#hints.forget();
    if (!(await this.#desk.draw())) this.#trouble();
  };

  leave = async (): Promise<void> => {
    this.asking = null;
    const { session } = this.#desk;
    for (const seat of session.ourSeats) await session.do({ kind: 'leave', seat });
    go('/');
  };

  // Hints, and what just happened

  hint = (): void => {
    if (this.myTurn && this.#hints.hint === null) void this.#hints.ask('nudge');
  };

  point = async (): Promise<void> => {
    const hint = await this.#hints.ask('point');
    if (hint?.laid) this.#around.shut('hints');
  };

  reveal = async (): Promise<void> => {
    const hint = await this.#hints.ask('reveal');
    if (!hint?.after) return;
    this.#around.shut('hints');
    this.#desk.reveal(hint.after, () => {
      if (this.myTurn) this.#around.open('hints');
    });
  };

  playBest = (): void => {
    const after = this.#hints.hint?.after;
    if (!after) return;
    this.#around.shut('hints');
    this.#desk.lay(after);
    void this.play();
  };

  replay = (): void => {
    this.#around.shut('more');
    this.#desk.replay();
  };

  // Typing

  /** Do what was typed; the answer is what is wrong with it. */
  typed = (text: string): string => {
    const { state, session } = this.#desk;
    if (!state || !session.rules) return '';
    const word = text.trim().toLowerCase();
    const is = (...words: string[]): boolean => words.some((one) => one.toLowerCase() === word);
    const draws = is('draw', 'pass', t('table.draw'), t('table.pass'));
    const plays = is('play', t('table.key-play'));
    if ((draws || plays) && !this.myTurn) return sentence('not-your-turn', {}, session.rules);
    if (draws) this.draw();
    else if (plays) void this.play();
    else if (is('undo', t('table.undo'))) this.undo();
    else if (is('redo', t('table.redo'))) this.redo();
    else if (is('reset', t('table.reset'))) this.reset();
    else {
      const { state: next, typed } = board.type(state, text);
      if (!typed.ok) {
        if (typed.reason === 'nothing') return '';
        const key = typed.reason === 'not-there' ? 'table.type-not-there' : 'table.type-wrong';
        return t(key, { word: typed.word }, session.rules);
      }
      this.changed(next, 'drop');
      announce([this.reason, ...this.troubles].filter(Boolean).join(' ') || t('table.type-laid'));
    }
    return '';
  };

  // Keys

  key = (event: KeyboardEvent): void => {
    const at = event.target instanceof Element ? event.target : null;
    const { state, film } = this.#desk;
    if (event.defaultPrevented || !state || at?.closest('input, textarea, select, form')) return;
    if (document.querySelector('dialog[open], [aria-modal=true], [popover=auto]:popover-open')) return;
    const onTile = at?.closest('[data-tile]') != null;
    const onControl = !onTile && at?.closest('button, a, summary') != null;
    if (onControl && (event.key === 'Enter' || event.key === ' ')) return;
    const action = actionOf(event);
    const scene = this.#around.scene();
    if (!action || !scene) return;
    event.preventDefault();
    if (film.on) {
      if (event.key === 'Escape') film.stop();
    } else if (!isTableAction(action)) {
      // A key that is held down plays, draws and asks once.
      if (!event.repeat) this.#page(action.do);
    } else if (action.do === 'sort') {
      this.sort(action.by);
    } else {
      const next = act(state, scene, action);
      const lifts = action.do === 'lift' && next.dragging !== null;
      this.changed(next, lifts ? 'lift' : next.history === state.history ? 'select' : 'drop');
      if (!onTile) this.#around.focusTable();
      this.#tell(state, next, isStep(action.do) ? action.do : null);
    }
  };

  #page(name: PageAction['do']): void {
    switch (name) {
      case 'play':
        void this.play();
        break;
      case 'draw':
        this.draw();
        break;
      case 'type':
        this.typing = this.#desk.may === 'play' || this.#desk.may === 'prepare';
        break;
      case 'replay':
        this.replay();
        break;
      case 'help':
        this.helping = true;
        break;
      case 'hint':
        if (this.#desk.session.view?.setup.hints && this.myTurn) {
          this.#around.open('hints');
          this.hint();
        }
        break;
    }
  }

  /** A move by keys, or a step back or forth, for those who do not see it. */
  #tell(before: TableState, next: TableState, step: Step | null): void {
    const { rules } = this.#desk.session;
    if (!rules) return;
    if (next.dragging) {
      if (next.target !== before.target) announce(targetLabel(next, rules), { passing: true });
      return;
    }
    const racked = before.target?.to === 'rack' ? t('table.rack', { count: next.rack.length }, rules) : '';
    if (next.history !== before.history) {
      if (step) announce(t(`table.done-${step}`));
      announce(this.reason || (step ? '' : racked || t('table.type-laid')));
    } else if (next.order !== before.order) {
      announce(racked);
    }
  }
}

/** What goes back and forth. */
type Step = 'undo' | 'redo' | 'reset';

function isStep(name: string): name is Step {
  return name === 'undo' || name === 'redo' || name === 'reset';
}
