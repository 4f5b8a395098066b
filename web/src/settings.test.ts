import { describe, expect, it } from 'vitest';
import { choicesOf, languageFor, readSettings } from './settings.svelte';

describe('readSettings', () => {
  it('takes what it knows', () => {
    expect(readSettings('{"language": "nl", "theme": "dark", "sound": "off"}')).toEqual({
      language: 'nl',
      theme: 'dark',
      sound: 'off',
    });
  });

  it.each([null, '', '{', '3', 'null', '[1]', '"dark"'])('takes nothing from %s', (stored) => {
    expect(readSettings(stored)).toEqual({});
  });

  it('passes over what it does not know', () => {
    const strange = '"theme": "pink", "hand": 3, "colour": "dark", "__proto__": {"theme": "dark"}';
    expect(readSettings(`{${strange}, "motion": "reduced"}`)).toEqual({ motion: 'reduced' });
  });
});

describe('languageFor', () => {
  it.each([
    [['de-AT', 'en'], 'de'],
    [['pt', 'FR-ca'], 'fr'],
    [['nl'], 'nl'],
    [['ja'], 'en'],
    [[], 'en'],
  ])('%s', (wished, language) => {
    expect(languageFor(wished)).toBe(language);
  });

  it('has a choice for every one', () => {
    expect(choicesOf('language')).toEqual(['en', 'fr', 'nl', 'de']);
  });
});
