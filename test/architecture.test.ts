import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Rooms from the top of the house to its ground: an import goes down, or stays in its room. */
const FLOORS: readonly (readonly string[])[] = [
  ['src/cli'],
  ['src/server'],
  ['src/import', 'src/what-if', 'src/jobs', 'src/graphql'],
  ['src/admin', 'src/simulator'],
  ['src/commands', 'src/queries'],
  ['src/ledger'],
  ['src/rules', 'src/auth'],
  ['src/programs'],
  ['src/http'],
  ['src/db'],
  ['src/config.ts', 'src/ids.ts', 'src/refusal.ts'],
  ['src/contract'],
  ['generated'],
];

/** Files of the ledger that decide: no I/O, no clock, no chance. */
const PURE = [
  'src/rules',
  'src/ledger/command.ts',
  'src/ledger/decide-batch.ts',
  'src/ledger/posting.ts',
  'src/ledger/record-set.ts',
  'src/ledger/records.ts',
  'src/ledger/working-set.ts',
];

const sources = [...filesOf('src'), ...filesOf('rest-adapter')].filter(
  (file) => !file.includes('/generated/'),
);
const imports = new Map(sources.map((file) => [file, importsOf(file)]));

describe('the arrows of the house', () => {
  test('every import goes down, or stays in its room', () => {
    const wrong = edges().filter(([from, to]) => {
      const [above, below] = [floorOf(from), floorOf(to)];
      return (
        above === null || below === null || above > below || (above === below && roomOf(from) !== roomOf(to))
      );
    });
    const below = /^(?:src|generated)\//;
    expect(wrong.filter(([from, to]) => from.startsWith('src/') && below.test(to))).toEqual([]);
  });

  test('the REST adapter imports nothing of src, and only the server imports it', () => {
    const outward = edges().filter(
      ([from, to]) => from.startsWith('rest-adapter/') && !to.startsWith('rest-adapter/'),
    );
    const inward = edges().filter(
      ([from, to]) => !from.startsWith('rest-adapter/') && to.startsWith('rest-adapter/'),
    );
    expect(outward).toEqual([]);
    expect(inward.filter(([from]) => !from.startsWith('src/server/'))).toEqual([]);
  });

  test('what decides does no I/O', () => {
    const pure = sources.filter((file) =>
      PURE.some((place) => file === place || file.startsWith(`${place}/`)),
    );
    expect(pure.length).toBeGreaterThan(10);
    for (const file of pure) {
      expect([file, packagesOf(file).filter((name) => name.startsWith('node:') || name === 'pg')]).toEqual([
        file,
        [],
      ]);
      expect(readFileSync(join(root, file), 'utf8')).not.toMatch(/Date\.now\(|Math\.random\(|new Date\(\)/);
    }
  });

  test('there are no circles', () => {
    const generators = filesOf('codegen').map((file): [string, string[]] => [file, importsOf(file)]);
    const all = new Map([...imports, ...generators]);
    const done = new Set<string>();
    const path: string[] = [];
    const visit = (file: string): void => {
      if (path.includes(file)) throw new Error([...path.slice(path.indexOf(file)), file].join(' -> '));
      if (done.has(file)) return;
      path.push(file);
      for (const next of all.get(file) ?? []) visit(next);
      path.pop();
      done.add(file);
    };
    expect(() => {
      for (const file of all.keys()) visit(file);
    }).not.toThrow();
  });

  test('no room has outgrown its size', () => {
    const lines = (file: string): number => readFileSync(join(root, file), 'utf8').split('\n').length - 1;
    const small = /^src\/(?:commands|graphql\/resolvers)\//;
    expect(sources.filter((file) => lines(file) > (small.test(file) ? 150 : 400))).toEqual([]);
  });
});

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`);
}

function specifiersOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return Array.from(text.matchAll(/^(?:import|export)\b[^'"]*?['"]([^'"]+)['"]/gm), ([, name]) => name ?? '');
}

function importsOf(file: string): string[] {
  return specifiersOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(root, resolve(join(root, dirname(file)), name)));
}

function packagesOf(file: string): string[] {
  return specifiersOf(file).filter((name) => !name.startsWith('.'));
}

function edges(): [string, string][] {
  return [...imports].flatMap(([from, targets]) => targets.map((to): [string, string] => [from, to]));
}

function roomOf(file: string): string {
  return FLOORS.flat().find((room) => file === room || file.startsWith(`${room}/`)) ?? '';
}

function floorOf(file: string): number | null {
  const floor = FLOORS.findIndex((rooms) => rooms.includes(roomOf(file)));
  return floor === -1 ? null : floor;
}
