/** Doing something now and then, for as long as somebody looks. */

/** Do it now, then after each pause while the page is seen, and when it is seen again; returns how to end it. */
export function calmly(work: () => Promise<void>, pause: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let ended = false;

  async function round(): Promise<void> {
    clearTimeout(timer);
    if (running || ended || document.hidden) return;
    running = true;
    try {
      await work();
    } finally {
      running = false;
      if (!ended && !document.hidden) timer = setTimeout(() => void round(), pause);
    }
  }

  const seen = (): void => void round();
  document.addEventListener('visibilitychange', seen);
  void round();
  return () => {
    ended = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', seen);
  };
}
