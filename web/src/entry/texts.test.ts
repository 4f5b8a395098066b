import { describe, expect, it } from 'vitest';
import texts from '../../texts/make.json';
import { BOUNDS, EXPLAINED, SECTIONS, TILESET_NAMES, type Bounds } from './house';

const KEYS = new Set(Object.keys(texts));

function missing(keys: readonly string[]): string[] {
  return keys.filter((key) => !KEYS.has(key));
}

describe('the words of the form', () => {
  it('are there for every rule, every choice and every section', () => {
    const rules = SECTIONS.flatMap((section) => section.rules);
    const choices = rules.flatMap((rule) => {
      const bounds: Bounds = BOUNDS[rule];
      return bounds.kind === 'choice' ? bounds.of.map((value) => `rule-${rule}-${value}`) : [];
    });
    expect(missing(rules.map((rule) => `rule-${rule}`))).toEqual([]);
    expect(missing(choices)).toEqual([]);
    expect(missing([...EXPLAINED].map((rule) => `about-${rule}`))).toEqual([]);
    expect(missing(SECTIONS.map((section) => `section-${section.name}`))).toEqual([]);
    expect(missing(TILESET_NAMES.map((name) => `tileset-${name}`))).toEqual([]);
  });
});
