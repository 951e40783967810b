import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { FOR_DEVELOPMENT, isPermissive, printLicencesPage, readLicences } from '../../codegen/licences.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const packages = readLicences(JSON.parse(read('package-lock.json')));

test('the page lists the licence of every package', () => {
  expect(read('docs/operate/licences.md')).toBe(printLicencesPage(packages));
  expect(packages.length).toBeGreaterThan(800);
});

test('what the service runs with is under permissive licences', () => {
  expect(packages.filter(({ development, licence }) => !development && !isPermissive(licence))).toEqual([]);
});

test('what tests and tools need is too, but for the packages that are listed with their reasons', () => {
  const others = packages.filter(({ licence }) => !isPermissive(licence)).map(({ name }) => name);
  expect(others).toEqual(Object.keys(FOR_DEVELOPMENT));
});

test.each([
  ['MIT', true],
  ['(MIT OR CC0-1.0)', true],
  ['GPL-3.0 OR MIT', true],
  ['MIT and ISC', true],
  ['MIT AND GPL-3.0', false],
  ['(MIT OR ISC) AND GPL-3.0', false],
  ['GPL-3.0', false],
  ['MPL-2.0', false],
  ['SEE LICENSE IN LICENSE.md', false],
  ['unknown', false],
])('whether %s is permissive: %s', (expression, permissive) => {
  expect(isPermissive(expression)).toBe(permissive);
});

test('a package that the service needs in one place and tests in another belongs to the service', () => {
  const entry = { version: '1.0.0', license: 'GPL-3.0' };
  const lockfile = {
    packages: { 'node_modules/a': { ...entry, dev: true }, 'node_modules/b/node_modules/a': entry },
  };
  expect(readLicences(lockfile)).toEqual([
    { name: 'a', version: '1.0.0', licence: 'GPL-3.0', development: false },
  ]);
});
