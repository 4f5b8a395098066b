import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { announce, live } from './live.svelte';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

it('says in one breath what comes in one moment, each thing once', () => {
  for (const sentence of ['Laid.', 'Laid.', '', 'It is your turn.']) announce(sentence);
  expect(live.text).toBe('');
  vi.advanceTimersByTime(200);
  expect(live.text).toBe('Laid. It is your turn.');
});

it('says the last only of what is passed by', () => {
  announce('Undone.');
  for (const place of ['Here: blue 8-9-10', 'A new meld', 'Your rack']) announce(place, { passing: true });
  announce('Laid.');
  vi.advanceTimersByTime(200);
  expect(live.text).toBe('Undone. Your rack Laid.');
});
