import { describe, expect, it } from 'vitest';
import texts from '../../texts/table.json';
import { KEYS } from '../table/keys';

describe('the help', () => {
  it('has a sentence for every key', () => {
    expect(KEYS.map(({ name }) => `key-${name}`).filter((key) => !(key in texts))).toEqual([]);
  });
});
