/** Short sounds, made on the spot, and what the hand feels with them. There are no files to load. */

import { settings } from './settings.svelte';

export type Cue = 'pick-up' | 'drop' | 'play' | 'draw' | 'your-turn' | 'tick' | 'star' | 'win' | 'error';

interface Tone {
  /** Seconds after the cue. */
  readonly at?: number;
  readonly length: number;
  readonly gain: number;
  readonly from: number;
  /** The pitch at the end, where it glides. */
  readonly to?: number;
  readonly wave?: OscillatorType;
}

interface Clack {
  readonly at?: number;
  readonly length: number;
  readonly gain: number;
  /** The middle of what is left of the noise, and how narrow that is. */
  readonly pitch: number;
  readonly narrow: number;
}

interface Made {
  readonly tones?: readonly Tone[];
  readonly clacks?: readonly Clack[];
  readonly feel?: number | readonly number[];
}

const CUES: Readonly<Record<Cue, Made>> = {
  'pick-up': { clacks: [{ length: 0.03, gain: 0.22, pitch: 3400, narrow: 2 }], feel: 6 },
  drop: {
    clacks: [{ length: 0.05, gain: 0.5, pitch: 1900, narrow: 1.6 }],
    tones: [{ length: 0.07, gain: 0.16, from: 220, to: 140 }],
    feel: 10,
  },
  play: {
    clacks: [
      { length: 0.05, gain: 0.45, pitch: 1900, narrow: 1.6 },
      { at: 0.07, length: 0.05, gain: 0.4, pitch: 2300, narrow: 1.6 },
      { at: 0.14, length: 0.06, gain: 0.5, pitch: 1700, narrow: 1.6 },
    ],
    tones: [{ at: 0.16, length: 0.28, gain: 0.09, from: 523, wave: 'triangle' }],
    feel: [10, 40, 14],
  },
  draw: {
    clacks: [
      { length: 0.16, gain: 0.14, pitch: 900, narrow: 0.7 },
      { at: 0.15, length: 0.04, gain: 0.4, pitch: 2100, narrow: 1.6 },
    ],
    feel: 12,
  },
  'your-turn': {
    tones: [
      { length: 0.22, gain: 0.12, from: 659, wave: 'triangle' },
      { at: 0.13, length: 0.4, gain: 0.12, from: 880, wave: 'triangle' },
    ],
    feel: [18, 70, 18],
  },
  tick: { tones: [{ length: 0.035, gain: 0.1, from: 1250, to: 900, wave: 'triangle' }] },
  star: {
    tones: [880, 1175, 1568, 2093].map((from, index) => ({ at: index * 0.06, length: 0.3, gain: 0.06, from })),
    feel: [8, 30, 8],
  },
  win: {
    tones: [523, 659, 784, 1047, 1319].map((from, index) => ({
      at: index * 0.11,
      length: index === 4 ? 0.9 : 0.3,
      gain: 0.11,
      from,
      wave: 'triangle' as const,
    })),
    feel: [20, 60, 20, 60, 60],
  },
  error: {
    tones: [
      { length: 0.12, gain: 0.11, from: 233, wave: 'triangle' },
      { at: 0.11, length: 0.18, gain: 0.11, from: 185, wave: 'triangle' },
    ],
    feel: [24, 50, 24],
  },
};

const SOFTEST = 0.0001;

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

/** Let something be heard and felt, as far as the settings and the browser allow. */
export function cue(name: Cue): void {
  // A browser complains about a page that makes itself heard before anybody has touched it.
  if (!touched()) return;
  const made = CUES[name];
  if (settings.sound) sound(made);
  if (settings.vibration && made.feel !== undefined && 'vibrate' in navigator) {
    navigator.vibrate(typeof made.feel === 'number' ? made.feel : [...made.feel]);
  }
}

/** Whether somebody has tapped or typed here since the page was opened. */
export function touched(): boolean {
  return navigator.userActivation?.hasBeenActive ?? true;
}

function sound(made: Made): void {
  try {
    context ??= new AudioContext();
  } catch {
    return;
  }
  if (context.state === 'suspended') void context.resume();
  for (const tone of made.tones ?? []) hum(context, tone);
  for (const clack of made.clacks ?? []) rattle(context, clack);
}

function hum(audio: AudioContext, { at = 0, length, gain, from, to = from, wave = 'sine' }: Tone): void {
  const start = audio.currentTime + at;
  const source = new OscillatorNode(audio, { type: wave, frequency: from });
  source.frequency.exponentialRampToValueAtTime(to, start + length);
  source.connect(faded(audio, start, length, gain));
  source.start(start);
  source.stop(start + length);
}

function rattle(audio: AudioContext, { at = 0, length, gain, pitch, narrow }: Clack): void {
  const start = audio.currentTime + at;
  noise ??= whiteNoise(audio);
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  const band = new BiquadFilterNode(audio, { type: 'bandpass', frequency: pitch, Q: narrow });
  source.connect(band).connect(faded(audio, start, length, gain));
  source.start(start, Math.random() * 0.2, length);
}

function faded(audio: AudioContext, start: number, length: number, gain: number): AudioNode {
  const fade = new GainNode(audio, { gain: 0 });
  fade.gain.setValueAtTime(SOFTEST, start);
  fade.gain.exponentialRampToValueAtTime(gain, start + 0.006);
  fade.gain.exponentialRampToValueAtTime(SOFTEST, start + length);
  fade.connect(audio.destination);
  return fade;
}

function whiteNoise(audio: AudioContext): AudioBuffer {
  const buffer = audio.createBuffer(1, audio.sampleRate / 2, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index += 1) samples[index] = Math.random() * 2 - 1;
  return buffer;
}
