import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Drafting, type TableDraft } from './drafting';

let sent: TableDraft[];
let online: boolean;
let drafting: Drafting;

beforeEach(() => {
  vi.useFakeTimers();
  [sent, online] = [[], true];
  drafting = new Drafting((table) => {
    if (online) sent.push(table);
    return online;
  });
});

afterEach(() => {
  drafting.forget();
  vi.useRealTimers();
});

describe('drafting', () => {
  it('sends the first at once, and of the others the last, twice a second', () => {
    drafting.put(['r1']);
    expect(sent).toEqual([['r1']]);
    drafting.answered();
    drafting.put(['r1 r2']);
    drafting.put(['r1 r2 r3']);
    expect(sent).toHaveLength(1);
    vi.advanceTimersByTime(500);
    expect(sent).toEqual([['r1'], ['r1 r2 r3']]);
  });

  it('waits for the answer, and knows what it is about', () => {
    drafting.put(['r1']);
    drafting.put(null);
    vi.advanceTimersByTime(600);
    expect(sent).toHaveLength(1);
    expect(drafting.answered()).toEqual({ table: ['r1'] });
    expect(sent).toEqual([['r1'], null]);
    expect(drafting.answered()).toEqual({ table: null });
    expect(drafting.answered()).toBeNull();
  });

  it('does not wait for ever', () => {
    drafting.put(['r1']);
    drafting.put(['r2']);
    vi.advanceTimersByTime(4000);
    expect(sent).toEqual([['r1'], ['r2']]);
  });

  it('sends the last one again over a new connection', () => {
    drafting.put(['r1']);
    drafting.answered();
    online = false;
    drafting.put(['r1 r2']);
    vi.advanceTimersByTime(5000);
    expect(sent).toEqual([['r1']]);
    online = true;
    drafting.again();
    expect(sent).toEqual([['r1'], ['r1 r2']]);
    drafting.answered();
    drafting.again();
    expect(sent).toEqual([['r1'], ['r1 r2'], ['r1 r2']]);
  });

  it('has nothing to send in a new turn', () => {
    drafting.put(['r1']);
    drafting.put(['r1 r2']);
    drafting.forget();
    vi.advanceTimersByTime(10_000);
    drafting.again();
    expect(sent).toEqual([['r1']]);
  });
});
