/** Handing an address to somebody else, as far as the browser can; on plain http it can do less. */

/** Whether the device has a way to share of its own. */
export function canShare(): boolean {
  return typeof navigator.share === 'function';
}

/** Share an address; false where that did not happen, also because somebody thought better of it. */
export async function share(title: string, url: string): Promise<boolean> {
  try {
    await navigator.share({ title, url });
    return true;
  } catch {
    return false;
  }
}

/** Copy a text; false where the browser does not let us. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** The old way, which also works on plain http. */
function copyBySelection(text: string): boolean {
  const before = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.className = 'unseen';
  // In a dialog nothing outside of it can be selected.
  (before?.closest('dialog') ?? document.body).append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
}
