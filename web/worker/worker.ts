/**
 * The worker that keeps the page on the device: its files, never anything that the server knows.
 *
 * A file's name has its hash in it, so what is kept is right for ever; the index is asked for first, and the kept one
 * stands in where there is no answer. `/api` and `/ws` are none of its business.
 */

declare const self: ServiceWorkerGlobalScope;
/** Both are put in by the build. */
declare const VERSION: string;
declare const FILES: readonly string[];

const CACHE = `tilerummy-${VERSION}`;
const PATIENCE = 4_000;

/** The clients whose page came from the cache, because nobody answered. */
const stranded = new Set<string>();

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(['/', ...FILES])));
});

self.addEventListener('activate', (event) => {
  const old = caches.keys().then((names) => names.filter((name) => name.startsWith('tilerummy-') && name !== CACHE));
  event.waitUntil(
    old.then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => self.clients.claim()),
  );
});

self.addEventListener('message', (event) => {
  if (event.data === 'take') void self.skipWaiting();
  if (event.data === 'was-it-cached' && event.source instanceof Client && stranded.delete(event.source.id)) {
    event.source.postMessage('from-cache');
  }
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    if (!/^\/(api|ws|metrics|healthz|readyz)(\/|$)/.test(url.pathname)) {
      event.respondWith(page(request, event.resultingClientId));
    }
  } else if (FILES.includes(url.pathname)) {
    event.respondWith(kept(request));
  }
});

async function page(request: Request, client: string): Promise<Response> {
  try {
    return await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
  } catch (error) {
    const cache = await caches.open(CACHE);
    const index = await cache.match('/');
    if (!index) throw error;
    stranded.add(client);
    return index;
  }
}

async function kept(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}

export {};
