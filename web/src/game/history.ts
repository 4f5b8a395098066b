/** Undo, redo and reset over drafts. */

import type { Draft } from './draft';

export interface History {
  /** How the turn began: what reset goes back to. */
  readonly start: Draft;
  readonly past: readonly Draft[];
  readonly now: Draft;
  readonly future: readonly Draft[];
}

/** No more steps than this are kept; a turn has far fewer. */
export const MOST_STEPS = 200;

/** A history that begins here; with a second draft, that one is one step further. */
export function begin(start: Draft, now: Draft = start): History {
  return { start, past: now === start ? [] : [start], now, future: [] };
}

/** One step further; what was undone before is forgotten. The same draft again is no step. */
export function step(history: History, draft: Draft): History {
  if (draft === history.now) {
    return history;
  }
  return { ...history, past: [...history.past, history.now].slice(-MOST_STEPS), now: draft, future: [] };
}

export function canUndo(history: History): boolean {
  return history.past.length > 0;
}

export function canRedo(history: History): boolean {
  return history.future.length > 0;
}

export function undo(history: History): History {
  const last = history.past.at(-1);
  if (last === undefined) {
    return history;
  }
  return { ...history, past: history.past.slice(0, -1), now: last, future: [history.now, ...history.future] };
}

export function redo(history: History): History {
  const [next, ...future] = history.future;
  return next === undefined ? history : { ...history, past: [...history.past, history.now], now: next, future };
}

/** Back to how the turn began, as a step that can be undone. */
export function reset(history: History): History {
  return step(history, history.start);
}
