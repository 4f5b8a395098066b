/** What a screen reader is told besides what it reads: one polite region for the whole page. */

const PAUSE = 150;
const FORGET = 6000;

let text = $state('');
let waiting: string[] = [];
let pause: ReturnType<typeof setTimeout> | undefined;
let forget: ReturnType<typeof setTimeout> | undefined;

export const live = {
  get text(): string {
    return text;
  },
};

/** Say something; what comes in the same moment is said in one breath, and the same thing only once. */
export function announce(sentence: string): void {
  if (sentence === '' || waiting.includes(sentence)) return;
  waiting.push(sentence);
  clearTimeout(pause);
  clearTimeout(forget);
  // An empty region in between, so that the same words are heard again.
  text = '';
  pause = setTimeout(() => {
    text = waiting.join(' ');
    waiting = [];
    forget = setTimeout(() => (text = ''), FORGET);
  }, PAUSE);
}
