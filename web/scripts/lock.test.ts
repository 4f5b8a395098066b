import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Package {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock: unknown = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const { packages } = lock as { packages: Readonly<Record<string, Package>> };
const named = Object.entries(packages).filter(([path]) => path !== '');

it('the lock names no registry, and has a sum for every package', () => {
  for (const [name, found] of named) {
    expect(found.resolved, name).toBeUndefined();
    expect(found.integrity, name).toMatch(/^sha512-/);
  }
});

it('the lock has what other systems need', () => {
  const locked = new Set(named.map(([path]) => path.replace(/^.*node_modules\//, '')));
  const wanted = named.flatMap(([, found]) => Object.keys(found.optionalDependencies ?? {}));
  expect(wanted.filter((name) => !locked.has(name))).toEqual([]);
  expect(wanted.length).toBeGreaterThan(0);
});
