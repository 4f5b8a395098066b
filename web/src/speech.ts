/** Spoken prompts, for who cannot read yet. */

import { locale } from './i18n';
import { settings } from './settings.svelte';
import { touched } from './sound';

/** Whether this device can speak at all. */
export function canSpeak(): boolean {
  return 'speechSynthesis' in globalThis && 'SpeechSynthesisUtterance' in globalThis;
}

/** Whether prompts are spoken: always or never by the settings, otherwise where the youngest play. */
export function speaks(junior: boolean): boolean {
  return canSpeak() && (settings.voice === 'on' || (settings.voice === 'junior' && junior));
}

/** Speak a sentence in the page's language; a new one interrupts the one before, unless it is to be `after` it. */
export function speak(sentence: string, { junior = false, after = false } = {}): void {
  if (!speaks(junior) || !touched() || sentence === '') return;
  if (!after) speechSynthesis.cancel();
  const said = new SpeechSynthesisUtterance(sentence);
  said.lang = locale();
  said.rate = 0.95;
  said.voice = voiceFor(locale());
  speechSynthesis.speak(said);
}

/** Stop speaking. */
export function hush(): void {
  if (canSpeak()) speechSynthesis.cancel();
}

/** A voice of the language, rather one that needs no network; null leaves the choice to the device. */
function voiceFor(wanted: string): SpeechSynthesisVoice | null {
  const [language = ''] = wanted.split('-');
  const fitting = speechSynthesis.getVoices().filter((voice) => voice.lang.replace('_', '-').startsWith(language));
  const exact = fitting.filter((voice) => voice.lang.replace('_', '-') === wanted);
  const best = [...exact, ...fitting];
  return best.find((voice) => voice.localService) ?? best[0] ?? null;
}
