/** Finding a room before there is a connection to it. */

import { ApiError, type Api } from './api';
import { onAwake } from './awake';

const FIRST_DELAY = 500;
const LAST_DELAY = 8000;

/** The id of a room and its version, or why it cannot be had. */
export type Found = { readonly room: string; readonly version: number } | { readonly why: string };

/** Be somebody and look the room up, for as long as it takes; null when nobody waits for it any more. */
export async function findRoom(
  api: Api,
  name: string,
  { signal, lost }: { signal: AbortSignal; lost: () => void },
): Promise<Found | null> {
  let delay = FIRST_DELAY;
  while (!signal.aborted) {
    try {
      await api.me();
      const { room, version } = await api.room(name);
      return signal.aborted ? null : { room, version };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (signal.aborted) return null;
      if (!error.passing) return { why: error.code };
      lost();
      await pause(Math.max(delay, 1000 * (error.retryAfter ?? 0)), signal);
      delay = Math.min(2 * delay, LAST_DELAY);
    }
  }
  return null;
}

/** Why a room cannot be had any more; null where another try may go well. */
export async function whyNot(api: Api, room: string): Promise<string | null> {
  try {
    await api.room(room);
    return null;
  } catch (error) {
    return error instanceof ApiError && !error.passing ? error.code : null;
  }
}

/** Wait, but not when the network is back earlier. */
function pause(delay: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stop();
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const stop = onAwake(done);
    const timer = setTimeout(done, delay);
    signal.addEventListener('abort', done);
  });
}
