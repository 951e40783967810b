import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const PROJECT = resolve(import.meta.dirname, '../..');

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
type Packages = Readonly<Record<string, LockedPackage>>;

/**
 * The optional packages that some package of a lockfile names and the lockfile has nowhere. npm writes such a lockfile
 * where node_modules is there already: it keeps only what this platform has.
 * @returns `<package>: <optional package>`, sorted.
 */
function missingOptional(packages: Packages): string[] {
  const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').pop()));
  return Object.entries(packages)
    .flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !names.has(name))
        .map((name) => `${path}: ${name}`),
    )
    .sort();
}

function readPackages(): Packages {
  return JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8')).packages;
}

describe('package-lock.json', () => {
  test('has the optional packages of every platform', () => {
    expect(missingOptional(readPackages())).toEqual([]);
  });

  test('is found incomplete where the package of one platform is gone', () => {
    const { 'node_modules/@biomejs/cli-darwin-arm64': gone, ...rest } = readPackages();
    expect(gone).toBeDefined();
    expect(missingOptional(rest)).toEqual(['node_modules/@biomejs/biome: @biomejs/cli-darwin-arm64']);
  });

  test('names no address of a registry', () => {
    const addresses = Object.values(readPackages()).flatMap(({ resolved }) => resolved ?? []);
    expect(addresses).toEqual([]);
  });
});
