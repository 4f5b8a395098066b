import { beforeAll, describe, expect, it } from 'vitest';
import { rules } from '../game/testkit';
import { loadLanguage } from '../i18n';
import { LANGUAGES, type Language } from '../i18n/saying';
import type { SeenEvent } from '../protocol';
import { tell } from './telling';

const NAMES = ['Velvet Turtle', 'Merry Finch'];
const played = { table: [], laid: 'r5', taken: 'j', points: 30, stars: 3, opens: true, buzzer: true };
const late = { table: [], laid: '', taken: '', count: 1, penalty: 'k8', opens: false, restored: true, passed: false };
const EVENTS = [
  { kind: 'round-began', starter: 0, draws: [[{ seat: 0, tile: 'r13' }, { seat: 1, tile: 'b2' }]] },
  { kind: 'played', seat: 0, ...played },
  { kind: 'drew', seat: 0, tiles: 'b3', count: 1, stars: 1 },
  { kind: 'passed', seat: 0 },
  { kind: 'timed-out', seat: 0, ...late },
  { kind: 'timed-out', seat: 0, ...late, count: 0, penalty: null },
  { kind: 'hint-given', seat: 0, level: 'nudge' },
  { kind: 'handed-over', seat: 0, bot: 'novice' },
  { kind: 'handed-over', seat: 0, bot: null },
] as unknown as readonly SeenEvent[];

function told(own: number | null): string[] {
  return EVENTS.flatMap((event) => tell(event, NAMES, own, rules('junior'))).map((line) => line.text);
}

describe.each(LANGUAGES)('what happens, in %s', (lang: Language) => {
  beforeAll(() => loadLanguage(lang));

  it('is told to who did it as to somebody who is spoken to', () => {
    expect(told(0).filter((text) => text.includes('Velvet Turtle'))).toEqual([]);
    expect(told(0).some((text) => text.includes('Merry Finch'))).toBe(true);
  });

  it('is told to everybody else by name, and on a page that several people read', () => {
    for (const own of [1, null]) {
      const seen = tell(EVENTS[1] as SeenEvent, NAMES, own, rules('junior'));
      expect(seen.every((line) => line.text.includes('Velvet Turtle') && !line.loud)).toBe(true);
      expect(seen.length).toBe(5);
    }
  });
});

describe('what I do', () => {
  beforeAll(() => loadLanguage('en'));

  it('is told in the words of the rulebook, and what the clock does is told aloud', () => {
    const [, mine, , , out] = EVENTS.map((event) => tell(event, NAMES, 0, rules('junior')));
    expect(mine?.map((line) => line.text)).toEqual([
      'Just in time: your play is complete and counts.',
      'You lay 1 tile: red 5.',
      'You open with 30 points.',
      'You take a joker from the table.',
      'You get 3 stars!',
    ]);
    expect(mine?.map((line) => line.loud)).toEqual([true, false, false, false, false]);
    expect(out).toEqual([
      { seat: 0, text: 'Time is up! You draw: black 8.', loud: true },
      { seat: 0, text: 'What you moved goes back to where it was.', loud: true },
    ]);
  });
});
