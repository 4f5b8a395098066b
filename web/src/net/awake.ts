/** Call this whenever the network may be another, or gone, or the device woke up; the answer stops it. */
export function onAwake(call: () => void): () => void {
  if (typeof window === 'undefined') return () => {};
  const visible = (): void => {
    if (document.visibilityState === 'visible') call();
  };
  window.addEventListener('online', call);
  window.addEventListener('offline', call);
  window.addEventListener('pageshow', visible);
  document.addEventListener('visibilitychange', visible);
  return () => {
    window.removeEventListener('online', call);
    window.removeEventListener('offline', call);
    window.removeEventListener('pageshow', visible);
    document.removeEventListener('visibilitychange', visible);
  };
}
