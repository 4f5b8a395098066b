/** Short remarks at the edge of the screen, which go by themselves. */

import { announce } from './live.svelte';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'info' | 'good' | 'bad';
  readonly action: { readonly label: string; readonly run: () => void } | null;
}

const MOST = 3;
const SECONDS = 5;

let next = 1;
let shown = $state.raw<readonly Toast[]>([]);

export const toasts = {
  get shown(): readonly Toast[] {
    return shown;
  },
};

/** Show a remark, and say it; one with an action stays twice as long, and `seconds: 0` until it is dismissed. */
export function toast(
  text: string,
  options: { kind?: Toast['kind']; action?: Toast['action']; seconds?: number } = {},
): number {
  const { kind = 'info', action = null, seconds = action ? SECONDS * 2 : SECONDS } = options;
  const id = next;
  next += 1;
  const others = shown.filter((one) => one.text !== text);
  shown = [...others, { id, text, kind, action }].slice(-MOST);
  announce(text);
  if (seconds > 0) setTimeout(() => dismiss(id), seconds * 1000);
  return id;
}

export function dismiss(id: number): void {
  shown = shown.filter((one) => one.id !== id);
}
