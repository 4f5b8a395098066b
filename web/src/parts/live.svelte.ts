/** What a screen reader is told besides what it reads: one polite region for the whole page. */

const PAUSE = 150;
const FORGET = 6000;

let text = $state('');
let waiting: { readonly sentence: string; readonly passing: boolean }[] = [];
let pause: ReturnType<typeof setTimeout> | undefined;
let forget: ReturnType<typeof setTimeout> | undefined;

export const live = {
  get text(): string {
    return text;
  },
};

/** Say something; what comes in the same moment is said in one breath, and the same thing only once. Of what is true in
 * passing, while somebody goes from one place to the next, only the last is said. */
export function announce(sentence: string, { passing = false } = {}): void {
  if (passing) waiting = waiting.filter((one) => !one.passing);
  if (sentence === '' || waiting.some((one) => one.sentence === sentence)) return;
  waiting.push({ sentence, passing });
  clearTimeout(pause);
  clearTimeout(forget);
  // An empty region in between, so that the same words are heard again.
  text = '';
  pause = setTimeout(() => {
    text = waiting.map(({ sentence: said }) => said).join(' ');
    waiting = [];
    forget = setTimeout(() => (text = ''), FORGET);
  }, PAUSE);
}
