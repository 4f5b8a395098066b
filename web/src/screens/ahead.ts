/** Load what one tap opens, once the browser has nothing better to do; without a server there is no such tap. */
export function loadTableAhead(): () => void {
  const load = (): void => {
    Promise.all([import('./Room.svelte'), import('./Play.svelte')]).catch(() => undefined);
  };
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(load, 300);
    return () => clearTimeout(timer);
  }
  const waiting = requestIdleCallback(load, { timeout: 2000 });
  return () => cancelIdleCallback(waiting);
}
