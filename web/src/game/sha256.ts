/** SHA-256 and HMAC: the browser's own are missing on plain http, where families play. */

const primes = Array.from({ length: 320 }, (_, at) => at + 2).filter((n) => !hasDivisor(n));
const roots = (power: number): Uint32Array =>
  Uint32Array.from(primes.slice(0, 64), (prime) => (prime ** power % 1) * 2 ** 32);
const INITIAL = roots(1 / 2).slice(0, 8);
const ROUNDS = roots(1 / 3);
const BLOCK = 64;

function hasDivisor(n: number): boolean {
  for (let one = 2; one * one <= n; one += 1) if (n % one === 0) return true;
  return false;
}

export function sha256(message: Uint8Array): Uint8Array {
  const size = Math.ceil((message.length + 9) / BLOCK) * BLOCK;
  const padded = new Uint8Array(size);
  padded.set(message);
  padded[message.length] = 0x80;
  const bytes = new DataView(padded.buffer);
  bytes.setUint32(size - 8, Math.floor(message.length / 2 ** 29));
  bytes.setUint32(size - 4, message.length << 3);
  const state = INITIAL.slice();
  for (let at = 0; at < size; at += BLOCK) compress(state, bytes, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, place) => digest.setUint32(4 * place, word));
  return new Uint8Array(digest.buffer);
}

export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const inner = sha256(
    joined(
      block.map((byte) => byte ^ 0x36),
      message,
    ),
  );
  return sha256(
    joined(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

const right = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function compress(state: Uint32Array, bytes: DataView, at: number): void {
  const words = new Uint32Array(64);
  for (let place = 0; place < 64; place += 1) {
    if (place < 16) {
      words[place] = bytes.getUint32(at + 4 * place);
      continue;
    }
    const [early, late] = [words[place - 15] ?? 0, words[place - 2] ?? 0];
    const low = right(early, 7) ^ right(early, 18) ^ (early >>> 3);
    const high = right(late, 17) ^ right(late, 19) ^ (late >>> 10);
    words[place] = (words[place - 16] ?? 0) + low + (words[place - 7] ?? 0) + high;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let place = 0; place < 64; place += 1) {
    const high = right(e, 6) ^ right(e, 11) ^ right(e, 25);
    const first = (h + high + ((e & f) ^ (~e & g)) + (ROUNDS[place] ?? 0) + (words[place] ?? 0)) | 0;
    const low = right(a, 2) ^ right(a, 13) ^ right(a, 22);
    const second = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, place) => {
    state[place] = (state[place] ?? 0) + word;
  });
}
