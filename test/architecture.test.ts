import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { isFunctionLikeDeclaration, type Node } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';

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
  'src/ledger/batch/audit-event.ts',
  'src/ledger/books/book.ts',
  'src/ledger/command.ts',
  'src/ledger/batch/decide-batch.ts',
  'src/ledger/tables/environments.ts',
  'src/ledger/books/holds.ts',
  'src/ledger/tables/key-of.ts',
  'src/ledger/batch/load-plan.ts',
  'src/ledger/memory',
  'src/ledger/merge-decisions.ts',
  'src/ledger/books/posting.ts',
  'src/ledger/tables/record-set.ts',
  'src/ledger/books/settle.ts',
  'src/ledger/tables',
  'src/ledger/batch/working-set.ts',
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

  test('no file has outgrown its size: a command 300 lines, any other source 400', () => {
    const lines = (file: string): number => readFileSync(join(root, file), 'utf8').split('\n').length - 1;
    const limit = (file: string): number => (file.startsWith('src/commands/') ? 300 : 400);
    expect(sources.filter((file) => lines(file) > limit(file))).toEqual([]);
  });

  test('no function has more than 70 lines, from its first word to its last brace', () => {
    const functions = functionsIn(sources);
    // That they were read at all.
    expect(functions.length).toBeGreaterThan(sources.length);
    const long = functions.filter(({ lines }) => lines > 70);
    expect(long).toEqual([]);
  }, 120_000);
});

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`);
}

/** Every function and method of the files with its length in lines, as the TypeScript compiler parses them. */
function functionsIn(files: readonly string[]): { file: string; line: number; lines: number }[] {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: ['tsconfig.json'] }).getProjects();
    return files.flatMap((file) => {
      const source = project?.program.getSourceFile(join(root, file));
      if (!source) throw new Error(`${file} is not in the project`);
      const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
      const functions: Node[] = [];
      const visit = (node: Node): void => {
        if (isFunctionLikeDeclaration(node)) functions.push(node);
        node.forEachChild(visit);
      };
      visit(source);
      return functions.map((node) => {
        const line = lineAt(node.getStart(source));
        return { file, line, lines: lineAt(node.getEnd()) - line + 1 };
      });
    });
  } finally {
    api.close();
  }
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
