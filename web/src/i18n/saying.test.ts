import { describe, expect, it } from 'vitest';
import de from 'virtual:messages/de';
import en from 'virtual:messages/en';
import fr from 'virtual:messages/fr';
import nl from 'virtual:messages/nl';
import truth from '../../../tests/truth/sentences.json';
import { rulesOf } from '../game/rules';
import {
  anySentence,
  colourName,
  fill,
  listOf,
  meldName,
  NO_RULEBOOK,
  ownSentence,
  sharedSentence,
  tileName,
  tilesName,
  unbroken,
  wordOf,
  type Args,
  type Group,
  type Language,
  type Messages,
} from './saying';

const LANGUAGES: Readonly<Record<Language, Messages>> = { en, fr, nl, de };
const TABLES = new Map(Object.entries(truth.tables).map(([name, told]) => [name, rulesOf(told)]));
const at = (table: string) => TABLES.get(table) ?? NO_RULEBOOK;

describe.each(Object.entries(LANGUAGES))('in %s', (name, messages) => {
  const lang = name as Language;

  it('says every sentence as the program does', () => {
    for (const { group, code, args, table, said } of truth.sentences) {
      const sentence = sharedSentence(group as Group, code, args as Args, at(table), messages);
      expect(sentence, `${group} ${code}`).toBe(said[lang]);
    }
    expect(truth.sentences.length).toBeGreaterThan(250);
  });

  it('has the words of every rulebook', () => {
    for (const [table, words] of Object.entries(truth.words[lang])) {
      for (const [key, word] of Object.entries(words)) expect(wordOf(key, at(table), messages)).toBe(word);
    }
  });

  it('names tiles as the program does', () => {
    for (const { table, tiles, said } of truth.names) {
      const rules = at(table);
      const first = tiles.split(' ')[0] ?? '';
      const named = [tilesName, meldName].map((name) => name(tiles, rules, messages));
      expect([...named, tileName(first, rules, messages)], tiles).toEqual(said[lang]);
    }
  });
});

describe('saying', () => {
  it('finds the group of a code', () => {
    expect(anySentence('not-your-turn', {}, NO_RULEBOOK, en)).toBe('It is not your turn.');
  });

  it('has words for every rulebook, and for none', () => {
    expect(wordOf('pool', at('sabra'), fr)).toBe('cagnotte');
    expect(wordOf('pool', NO_RULEBOOK, fr)).toBe('pioche');
    expect(wordOf('opening', at('rummy for 51'), fr)).toBe('les 51 points');
    expect(colourName('y', at('classic'), en)).toBe('orange');
  });

  it('lists as people do', () => {
    expect(['', 'a', 'a and b', 'a, b and c']).toEqual(
      [[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map((some) => listOf(some, en)),
    );
    expect(listOf(['a', 'b'], de, 'or')).toBe('a oder b');
  });

  it('keeps runs on one line, and addresses as they are', () => {
    const joined = (text: string) => text.replaceAll('~', '-\u2060');
    expect(unbroken('red 5-6-joker (blue 7-8), 9-10.')).toBe(joined('red 5~6~joker (blue 7~8), 9~10.'));
    expect(unbroken('Copy it: http://tile-rummy.test/a-1#5-6')).toBe('Copy it: http://tile-rummy.test/a-1#5-6');
  });

  it('puts arguments in as they are', () => {
    const name = '<b>Bo</b> $& ${x} `y` [rack] {name}';
    expect(fill((c) => `${c.a('name')}!`, { name }, NO_RULEBOOK, en)).toBe(`${name}!`);
    expect(sharedSentence('events', 'starts', { name }, NO_RULEBOOK, en)).toBe(`${name} begins.`);
  });

  it('stops at a text or an argument that is missing', () => {
    expect(() => ownSentence('no.such-key', {}, NO_RULEBOOK, en)).toThrow('no.such-key');
    expect(() => sharedSentence('events', 'starts', {}, NO_RULEBOOK, en)).toThrow('name');
  });
});
