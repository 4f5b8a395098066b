import { describe, expect, it } from 'vitest';
import { hmacSha256, sha256 } from './sha256';

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const text = (written: string): Uint8Array => new TextEncoder().encode(written);
const hash = 'SHA-256';

describe('sha256', () => {
  it('has the digests of FIPS 180-4', () => {
    expect(hex(sha256(text('abc')))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(hex(sha256(text('')))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(hex(sha256(text('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq')))).toBe(
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    );
  });

  it('is what the platform has, for every length around the blocks', async () => {
    for (let size = 0; size < 200; size += 1) {
      const message = Uint8Array.from({ length: size }, (_, at) => (at * 7 + size) % 256);
      expect(sha256(message)).toEqual(new Uint8Array(await crypto.subtle.digest(hash, message)));
    }
  });
});

describe('hmac', () => {
  it('has the digests of RFC 4231', () => {
    expect(hex(hmacSha256(new Uint8Array(20).fill(0x0b), text('Hi There')))).toBe(
      'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    );
    expect(hex(hmacSha256(text('Jefe'), text('what do ya want for nothing?')))).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  it('is what the platform has, for keys of every length', async () => {
    for (const size of [1, 32, 63, 64, 65, 131]) {
      const key = Uint8Array.from({ length: size }, (_, at) => 255 - (at % 256));
      const message = Uint8Array.from(text('tiles'.repeat(size)));
      const held = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash }, false, ['sign']);
      expect(hmacSha256(key, message)).toEqual(new Uint8Array(await crypto.subtle.sign('HMAC', held, message)));
    }
  });
});
