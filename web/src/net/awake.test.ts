import { afterEach, expect, it, vi } from 'vitest';
import { onAwake } from './awake';

afterEach(() => vi.unstubAllGlobals());

it('is told when the network comes and goes, and when the device wakes up, until nobody listens', () => {
  const [page, sheet] = [new EventTarget(), Object.assign(new EventTarget(), { visibilityState: 'visible' })];
  vi.stubGlobal('window', page);
  vi.stubGlobal('document', sheet);
  const call = vi.fn();
  const stop = onAwake(call);
  for (const name of ['online', 'offline', 'pageshow']) page.dispatchEvent(new Event(name));
  sheet.dispatchEvent(new Event('visibilitychange'));
  expect(call).toHaveBeenCalledTimes(4);
  sheet.visibilityState = 'hidden';
  sheet.dispatchEvent(new Event('visibilitychange'));
  stop();
  for (const name of ['online', 'offline', 'pageshow']) page.dispatchEvent(new Event(name));
  expect(call).toHaveBeenCalledTimes(4);
});
