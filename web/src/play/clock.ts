/** How a turn's time is shown. */

export type ClockMood = 'calm' | 'soon' | 'last';

const LAST = 10;
const SOON = 30;
const WARNED = 5;

/** Calm at first; amber in the last third, no earlier than half a minute before the end and for some seconds also where
 * turns are short; then red. */
export function clockMood(left: number, seconds: number): ClockMood {
  if (left <= LAST) return 'last';
  return left <= Math.min(SOON, Math.max(seconds / 3, LAST + WARNED)) ? 'soon' : 'calm';
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What is left, as short as it can be said: `0:42`, `3 h`, `2 d`. */
export function clockText(left: number): string {
  if (left >= 2 * DAY) return `${Math.floor(left / DAY)} d`;
  if (left >= 2 * HOUR) return `${Math.floor(left / HOUR)} h`;
  const minutes = Math.floor(left / MINUTE);
  return `${minutes}:${String(Math.floor(left % MINUTE)).padStart(2, '0')}`;
}

/** Whether a screen reader is told the time now; three times a turn are enough. */
export function clockSpoken(left: number, seconds: number): boolean {
  return (left === 60 && seconds > 90) || (left === 30 && seconds > 45) || (left === LAST && seconds > 2 * LAST);
}
