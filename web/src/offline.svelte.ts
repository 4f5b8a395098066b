/** The offline shell: a worker keeps the page itself on the device, and the shell says when nothing else is there. */

import { t } from './i18n';
import { toast } from './parts/toasts.svelte';

const FIRST_WAIT = 2_000;
const LONGEST_WAIT = 15_000;

let away = $state(false);
/** How often the server has come back, so that a screen can be shown anew. */
let returns = $state(0);
let wait = FIRST_WAIT;
let trying: ReturnType<typeof setTimeout> | undefined;

export const server = {
  get away(): boolean {
    return away;
  },
  get returns(): number {
    return returns;
  },
};

/** Keep the page for the next time, and watch whether the server is there. */
export function startOffline(): void {
  addEventListener('offline', lost);
  addEventListener('online', () => {
    if (away) void look();
  });
  if (!navigator.onLine) lost();
  if (import.meta.env.PROD && 'serviceWorker' in navigator) void keep(navigator.serviceWorker);
}

/** Say that a request found no server; it is looked for from now on until it answers. */
export function lost(): void {
  if (away) return;
  away = true;
  wait = FIRST_WAIT;
  lookLater();
}

function lookLater(): void {
  clearTimeout(trying);
  trying = setTimeout(() => void look(), wait);
  wait = Math.min(wait * 2, LONGEST_WAIT);
}

async function look(): Promise<void> {
  try {
    const answer = await fetch('/healthz', { cache: 'no-store' });
    if (!answer.ok) throw new Error(answer.statusText);
  } catch {
    lookLater();
    return;
  }
  clearTimeout(trying);
  away = false;
  returns += 1;
  toast(t('shell.online'), { kind: 'good' });
}

async function keep(workers: ServiceWorkerContainer): Promise<void> {
  workers.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (event.data === 'from-cache') lost();
  });
  try {
    const registration = await workers.register('/sw.js');
    if (registration.waiting && workers.controller) offer(registration.waiting, workers);
    registration.addEventListener('updatefound', () => {
      const coming = registration.installing;
      coming?.addEventListener('statechange', () => {
        if (coming.state === 'installed' && workers.controller) offer(coming, workers);
      });
    });
    const active = registration.active;
    // The page was perhaps answered before this listener was there.
    active?.postMessage('was-it-cached');
  } catch {
    // a browser that keeps nothing still plays
  }
}

function offer(worker: ServiceWorker, workers: ServiceWorkerContainer): void {
  toast(t('shell.new-version'), {
    seconds: 0,
    action: {
      label: t('shell.take-it'),
      run: () => {
        workers.addEventListener('controllerchange', () => location.reload(), { once: true });
        worker.postMessage('take');
      },
    },
  });
}
