import { describe, expect, it } from 'vitest';
import type { Happening } from '../room/reduce';
import type { SeenEvent } from '../protocol';
import { seen, type Witness } from './witness';

const NOTHING: Witness = { seal: null, racks: {}, ends: {} };

function happening(stage: string, ...events: SeenEvent[]): Happening {
  return {
    before: { stage, commitment: 'abc' },
    after: { match: { seat: 1, round: 1, ...END } },
    events: events.map((event, at) => ({ version: at + 1, at: 0, event })),
    turns: [],
  } as unknown as Happening;
}

const END = { starter: 1, draws: [], table: ['r1 r2 r3'], racks: ['', 'b1'], pool_size: 7 };
const dealt = { kind: 'round-began', round: 1, draws: [], starter: 0, rack: 'r1 r2', rack_sizes: [2, 2], pool_size: 9 };

describe('a witness of the deal', () => {
  it('keeps the seal from before the start, and its own rack', () => {
    const started = { kind: 'started' } as unknown as SeenEvent;
    const found = seen(NOTHING, happening('lobby', started, dealt as SeenEvent));
    expect(found).toEqual({ seal: 'abc', racks: { 1: { seat: 1, rack: 'r1 r2' } }, ends: {} });
    const later = seen(found, happening('playing', { ...dealt, round: 2, rack: 'b1 b2' } as SeenEvent));
    expect(later.racks[2]).toEqual({ seat: 1, rack: 'b1 b2' });
    expect(later.seal).toBe('abc');
  });

  it('keeps how each round ended, unless the next one has begun already', () => {
    const ended = { kind: 'round-ended', round: 1, finisher: 0, winner: 0, scores: [1, -1] } as SeenEvent;
    expect(seen(NOTHING, happening('playing', ended)).ends).toEqual({ 1: END });
    expect(seen(NOTHING, happening('playing', { ...ended, round: 2 } as SeenEvent))).toBe(NOTHING);
  });

  it('saw nothing of a rack that it was not shown', () => {
    expect(seen(NOTHING, happening('playing', { ...dealt, rack: '' } as SeenEvent))).toBe(NOTHING);
  });
});
