import { describe, expect, it } from 'vitest';
import { readCode, tidyCode } from './code';

describe('a code', () => {
  it('is read however it is written', () => {
    expect(readCode('kmpr7')).toBe('KMPR7');
    expect(readCode(' km-pr 7 ')).toBe('KMPR7');
  });

  it('is found in the address of a table', () => {
    expect(readCode('https://table.example/join/kmpr7')).toBe('KMPR7');
    expect(readCode('https://table.example/t/KMPR7?seat=1#x')).toBe('KMPR7');
    expect(readCode('table.example/join/hT3kQ0aXw2Zs')).toBe('hT3kQ0aXw2Zs');
  });

  it('is not found where there is none', () => {
    expect(readCode('')).toBeNull();
    expect(readCode('KMPR')).toBeNull();
    expect(readCode('hello there')).toBeNull();
    expect(readCode('https://table.example/rules')).toBeNull();
  });

  it('is tidied while it is typed', () => {
    expect(tidyCode('k m')).toBe('KM');
    expect(tidyCode('kmpr7zzz')).toBe('KMPR7');
  });
});
