import { beforeAll, describe, expect, it } from 'vitest';
import { loadLanguage } from '../i18n';
import type { BotInfo } from '../protocol';
import { botAbout, botLabel, inOrder, isBot } from './bots';

function bot(name: string, elo: number | null = null): BotInfo {
  return { name, description: `What ${name} does.`, elo };
}

const NAMES = ['random', 'novice', 'points', 'greedy', 'keeper', 'expert'];

beforeAll(async () => {
  await loadLanguage('en');
});

describe('bots', () => {
  it('have names and levels of their own', () => {
    const labels = NAMES.map(botLabel);
    expect(new Set(labels).size).toBe(NAMES.length);
    expect(labels.at(-1)).toBe('Champion · very hard');
    expect(NAMES.every(isBot)).toBe(true);
    expect(NAMES.map((name) => botAbout(bot(name))).filter((about) => about.startsWith('What'))).toEqual([]);
  });

  it('that the page does not know say what they are themselves', () => {
    expect(isBot('hal')).toBe(false);
    expect(botLabel('hal')).toBe('Hal');
    expect(botAbout(bot('hal'))).toBe('What hal does.');
  });

  it('come from the easiest to the hardest', () => {
    const mixed = ['hal', 'expert', 'novice', 'keeper', 'random', 'greedy', 'points'].map((name) => bot(name));
    expect(inOrder(mixed).map(({ name }) => name)).toEqual([...NAMES, 'hal']);
  });

  it('come as they were measured, where they were', () => {
    const measured = [bot('hal', 3000), bot('greedy', 1500), bot('points', 1510), bot('novice', 900)];
    expect(inOrder(measured).map(({ name }) => name)).toEqual(['novice', 'greedy', 'points', 'hal']);
  });
});
