import { describe, expect, it } from 'vitest';
import type { Advice, ViolationSeen } from '../protocol';
import { verdictOf, worthTelling, type Judged } from './verdict';

const fine: Judged = { laid: 3, broken: 0, towards: null, advice: null, connected: true };

function advice(...violations: ViolationSeen[]): Advice {
  const legal = violations.length === 0;
  return { type: 'advice', on: 1, legal, melds: [], violations, points: 9, towards: null, laid: '' };
}

const swap: ViolationSeen = { code: 'joker-swap', tiles: 'j', args: { face: 'b8', needs: 'b8', meld: 'b6 b7 j=b8' } };
const short: ViolationSeen = {
  code: 'meld',
  tiles: 'k8',
  args: { reason: 'too-short', meld: 'k8', choices: '', place: 0 },
};

describe('verdictOf', () => {
  it('waits for the server where nothing is wrong here', () => {
    expect(verdictOf(fine)).toEqual({ may: 'checking' });
    expect(verdictOf({ ...fine, advice: advice() })).toEqual({ may: 'yes' });
  });

  it('says first what can be seen at once', () => {
    expect(verdictOf({ ...fine, laid: 0 })).toMatchObject({ may: 'no', short: { why: 'nothing' } });
    expect(verdictOf({ ...fine, broken: 2, advice: advice(short, swap) })).toMatchObject({
      short: { why: 'unfinished', count: 2 },
      violations: [short, swap],
    });
    const towards = { points: 12, needed: 30 };
    expect(verdictOf({ ...fine, towards })).toMatchObject({ short: { why: 'opening', points: 12, needed: 30 } });
    expect(verdictOf({ ...fine, towards: { points: 30, needed: 30 } })).toEqual({ may: 'checking' });
  });

  it('tells what only the server knows', () => {
    expect(verdictOf({ ...fine, advice: advice(swap) })).toMatchObject({ may: 'no', short: { why: 'joker' } });
  });

  it('does not play without a connection', () => {
    expect(verdictOf({ ...fine, connected: false, advice: advice() })).toMatchObject({ short: { why: 'lost' } });
  });
});

describe('worthTelling', () => {
  it('leaves out what the table shows already', () => {
    expect(worthTelling([short, swap])).toEqual([swap]);
  });

  it('tells of a joker once, not also that its meld stays together', () => {
    const split = (meld: string): ViolationSeen => ({ code: 'joker-meld-split', tiles: 'j', args: { meld } });
    const other = split('r1 r2 j=r3');
    expect(worthTelling([split('b6 b7 j=b8'), swap, other])).toEqual([swap, other]);
  });
});
