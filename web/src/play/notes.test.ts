import { beforeAll, describe, expect, it } from 'vitest';
import { rules } from '../game/testkit';
import { loadLanguage } from '../i18n';
import { put } from '../table/board';
import { sitting } from '../table/testkit';
import { newNotes, notesOf } from './notes';
import { meldLabel } from './saying';

const TABLE = 'r4 r5 r6 | b8 k8 y8';
const RACK = 'r7 y1 b10 b11 b12 j';
const begun = sitting(TABLE, RACK);
const one = put(begun, ['b10'], { to: 'new' });
const two = put(one, ['b11'], { to: 'meld', meld: 2, index: 1 });
const mixed = put(two, ['y1'], { to: 'meld', meld: 2, index: 2 });

describe('newNotes', () => {
  it('tells of a meld when it breaks and when the reason is another, not with every tile', () => {
    expect(newNotes(begun.flags, one.flags)).toEqual([2]);
    expect(newNotes(one.flags, two.flags)).toEqual([]);
    expect(newNotes(two.flags, mixed.flags)).toEqual([2]);
    expect(newNotes(two.flags, begun.flags)).toEqual([]);
  });
});

describe('a meld for those who do not see it', () => {
  beforeAll(() => loadLanguage('en'));

  it('is named with its note', () => {
    const notes = notesOf({ own: two.melds, flags: two.flags, advice: null }, rules());
    const labels = two.melds.map((meld) => meldLabel(meld, rules(), notes.get(meld.id)));
    expect(labels).toEqual(['Run: red 4-5-6', 'Group: blue 8, black 8, yellow 8', 'Blue 10-11: too short']);
  });
});
