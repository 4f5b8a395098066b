/**
 * The focus is never lost: where what has it goes away, it goes on to what stands there now, and whoever only has to
 * wait gets it back. What a screen does about its own focus comes first.
 */

/** What can have the focus without opening a keyboard on a phone. */
const NEXT = 'a[href], button:not(:disabled), summary, [tabindex="0"]';
const WIDER = 'h1[tabindex], #main';
/** For this long what went away may be replaced, milliseconds. */
const PATIENCE = 400;

/** Watch over the focus of the whole page; what ends it is returned. */
export function keepFocus(): () => void {
  let last: Element | null = null;
  /** What is around it, from the inside out: of what went away, this may still be there. */
  let around: readonly Element[] = [];
  /** What stood before it. */
  let before: Element | null = null;
  let lostAt = 0;
  let asked = 0;

  function focused(event: FocusEvent): void {
    last = event.target instanceof Element ? event.target : null;
    around = last ? [...outward(last.parentElement)] : [];
    before = last?.previousElementSibling ?? null;
    lostAt = 0;
  }

  /** Somebody clicked where nothing takes the focus: that is no loss. */
  function left(event: FocusEvent): void {
    const from = event.target;
    setTimeout(() => {
      if (from === last && last && usable(last) && document.activeElement === document.body) last = null;
    });
  }

  function changed(): void {
    if (last !== null && (lostAt > 0 || !usable(last))) ask();
  }

  /** After a screen had its turn. */
  function ask(): void {
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(() => {
      asked = requestAnimationFrame(mend);
    });
  }

  function mend(): void {
    if (last === null || document.activeElement !== document.body) return;
    if (lostAt === 0) lostAt = performance.now();
    if (last.isConnected) {
      // Out of use for a moment: it gets the focus back.
      if (usable(last)) take(last);
      return;
    }
    const near = around.find((one) => one.isConnected);
    if (near && take(following(near))) return;
    if (performance.now() - lostAt < PATIENCE) asked = requestAnimationFrame(mend);
    else take(document.querySelector(WIDER));
  }

  function take(element: Element | null): boolean {
    if (element instanceof HTMLElement) element.focus({ preventScroll: true });
    return element !== null && document.activeElement === element;
  }

  /** What comes after the place that is empty now, or else before it. */
  function following(near: Element): Element | null {
    const found = [...near.querySelectorAll(NEXT)];
    const after = before?.isConnected
      ? found.find((one) => (before as Element).compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING)
      : found[0];
    return after ?? found.at(-1) ?? null;
  }

  const observer = new MutationObserver(changed);
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  document.addEventListener('focusin', focused);
  document.addEventListener('focusout', left);
  return () => {
    observer.disconnect();
    cancelAnimationFrame(asked);
    document.removeEventListener('focusin', focused);
    document.removeEventListener('focusout', left);
  };
}

function usable(element: Element): boolean {
  return element.isConnected && !element.matches(':disabled');
}

/** What is around something, within its part of the screen. */
function* outward(from: Element | null): Generator<Element> {
  for (let one = from; one !== null && !one.matches('main, #app, body'); one = one.parentElement) yield one;
}
