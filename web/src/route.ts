/**
 * Where the page is: real paths, the back button, links between screens.
 *
 * Inside a component `route.now` is reactive. A plain `<a href="/rules">` goes there without a reload; `go('/rules')`
 * does it from code. The server's own links are `/join/{code}` (its QR codes) and `/link#{token}`.
 */

import { createSubscriber } from 'svelte/reactivity';

export type Route =
  | { readonly screen: 'home' | 'make' | 'solver' | 'settings' | 'not-found' }
  /** By the code or the id of a room; null asks for a code. */
  | { readonly screen: 'join'; readonly code: string | null }
  | { readonly screen: 'room'; readonly id: string }
  /** Null shows all rulesets. */
  | { readonly screen: 'rules'; readonly ruleset: string | null }
  /** What another device of the same player handed over. */
  | { readonly screen: 'link'; readonly token: string };

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The route of a path; what nobody knows is `not-found`. */
export function routeOf(path: string, hash = ''): Route {
  const [first = '', second = null, ...rest] = path.split('/').filter((part) => part !== '');
  const name = second !== null && NAME.test(second) ? second : null;
  if (rest.length > 0 || (second !== null && name === null)) return { screen: 'not-found' };
  switch (first) {
    case 'join':
      return { screen: 'join', code: name };
    case 'rules':
      return { screen: 'rules', ruleset: name };
    case 'room':
      return name === null ? { screen: 'not-found' } : { screen: 'room', id: name };
    case 'link':
      return { screen: 'link', token: name ?? hash.replace(/^#/, '') };
  }
  if (name !== null) return { screen: 'not-found' };
  switch (first) {
    case '':
      return { screen: 'home' };
    case 'new':
      return { screen: 'make' };
    case 'solver':
    case 'settings':
      return { screen: first };
    default:
      return { screen: 'not-found' };
  }
}

let now: Route = { screen: 'home' };
let tell = (): void => undefined;
const watch = createSubscriber((update) => {
  tell = update;
  return () => {
    tell = () => undefined;
  };
});

export const route = {
  get now(): Route {
    watch();
    return now;
  },
};

/** How far down the page was when the screen was last left by going on; a new screen begins at its top. */
export function lastScroll(): number {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null && 'y' in state && typeof state.y === 'number' ? state.y : 0;
}

/** Go to a path of this page; `replace` leaves no way back to where it was. */
export function go(path: string, { replace = false } = {}): void {
  const to = new URL(path, location.href);
  if (to.href === location.href) return;
  if (replace) {
    history.replaceState({ y: 0 }, '', to);
  } else {
    history.replaceState({ y: scrollY }, '');
    history.pushState({ y: 0, inside: true }, '', to);
  }
  read();
}

/** Go back to where the player came from, or to a path where this is the first screen that they see. */
export function back(otherwise = '/'): void {
  const state: unknown = history.state;
  if (typeof state === 'object' && state !== null && 'inside' in state) history.back();
  else go(otherwise, { replace: true });
}

/** Begin to follow the address and the clicks on links. */
export function startRouting(): void {
  history.scrollRestoration = 'manual';
  addEventListener('popstate', read);
  addEventListener('click', clicked);
  read();
}

function read(): void {
  const next = routeOf(location.pathname, location.hash);
  // A link within a screen changes the hash alone, and that is the browser's business.
  if (JSON.stringify(next) === JSON.stringify(now)) return;
  now = next;
  tell();
}

function clicked(event: MouseEvent): void {
  const changed = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (event.defaultPrevented || event.button !== 0 || changed) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  const elsewhere = link.pathname.startsWith('/api/') || link.pathname.includes('.');
  const within = link.pathname === location.pathname && link.hash !== '';
  if (elsewhere) return;
  event.preventDefault();
  if (within) goTo(link);
  else go(link.href);
}

/** To another place on the same screen, which is no step to come back over. */
function goTo({ href, hash }: HTMLAnchorElement): void {
  history.replaceState(history.state, '', href);
  const place = document.getElementById(hash.slice(1));
  if (!place) return;
  if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
  place.focus({ preventScroll: true });
  place.scrollIntoView();
}
