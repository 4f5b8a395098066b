import { describe, expect, it } from 'vitest';
import type { ToldExample, ToldParagraph, ToldRules } from '../protocol';
import { blocksOf, drawnPlay, withoutNotes } from './examples';

const example = (before: string[], rack: string, after: string[]): ToldExample => ({
  before,
  rack,
  after,
  opened: true,
  legal: true,
  reasons: [],
});

const paragraph = (text: string, more: Partial<ToldParagraph> = {}): ToldParagraph => ({
  text,
  term: '',
  decision: false,
  house: false,
  example: null,
  sheet: [],
  ...more,
});

function laid(shown: ToldExample): string[] {
  return drawnPlay(shown).after.map(({ pieces, laid: marks }) =>
    pieces.map(({ tile }, at) => (marks[at] ? `${tile}*` : tile)).join(' '),
  );
}

describe('an example', () => {
  it('marks the tiles that came from the rack', () => {
    expect(laid(example(['b8 b9 b10'], 'b11 k8 y8', ['b9 b10 b11', 'b8 k8 y8']))).toEqual([
      'b9 b10 b11*',
      'b8 k8* y8*',
    ]);
  });

  it('marks one of two equal tiles', () => {
    expect(laid(example(['r4 r5 r6 r7 r8'], 'r6', ['r4 r5 r6', 'r6 r7 r8']))).toEqual(['r4 r5 r6', 'r6* r7 r8']);
  });

  it('marks nothing where nothing lay before', () => {
    expect(laid(example([], 'r6 r7 r8', ['r6 r7 r8']))).toEqual(['r6 r7 r8']);
  });
});

describe('told rules', () => {
  const shown = paragraph('A run.', { example: example([], 'r6 r7 r8', ['r6 r7 r8']) });
  const told: ToldRules = {
    ruleset: 'sabra',
    house: {},
    lang: 'en',
    title: 'Sabra: …',
    marks: {},
    sections: [
      { key: 'melds', title: 'The melds', paragraphs: [paragraph('One.'), paragraph('Two.'), shown, shown] },
      {
        key: 'words',
        title: 'The words',
        paragraphs: [paragraph('After a rulebook.'), paragraph('run: a row.', { term: 'run' })],
      },
    ],
  };

  it('puts together what is of one kind', () => {
    const [section] = told.sections;
    expect(section && blocksOf(section).map((block) => block.kind)).toEqual(['lines', 'examples']);
  });

  it('keeps what is said about the rulebook for the foot of the page', () => {
    const { sections, notes } = withoutNotes(told);
    expect(notes).toEqual(['After a rulebook.']);
    expect(sections[1]?.paragraphs.map(({ text }) => text)).toEqual(['run: a row.']);
  });
});
