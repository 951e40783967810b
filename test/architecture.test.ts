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
  ['src/erasure', 'src/mcp'],
  ['src/import', 'src/export', 'src/what-if', 'src/jobs', 'src/webhooks', 'src/graphql'],
  ['src/admin', 'simulator'],
  ['src/commands', 'src/queries', 'src/operations'],
  ['src/ledger'],
  ['src/rules', 'src/auth'],
  ['src/widget'],
  ['src/programs'],
  ['src/http'],
  ['src/db'],
  [
    ...['src/config.ts', 'src/ids.ts', 'src/output-file.ts', 'src/recently-used.ts', 'src/refusal.ts'],
    ...['src/spreadsheet-formula.ts'],
  ],
  ['src/contract', 'src/database-clock.ts'],
  ['generated'],
];

/** The subjects of the service: wherever a room has a folder for one, it has this name. */
const SUBJECTS = [
  'members',
  'earning',
  'returns',
  'engagement',
  'offers',
  'redemptions',
  'adjustments',
  'transactions',
  'reports',
  'exchange',
  'webhooks',
  'customers',
  'audit',
  'operations',
  'programs',
  'coupons',
  'widgets',
  'environments',
  'keys',
  'people',
  'issuers',
];

/** Folders of rooms that are divided by subject: what every subject may import, and what looks at all of them. */
const ROOMS_BY_SUBJECT: Readonly<Record<string, { below: readonly string[]; above: readonly string[] }>> = {
  'src/admin': {
    below: ['shared'],
    above: ['demo', 'fork-environment.ts', 'reencrypt-secrets.ts', 'list-members.ts'],
  },
  'src/commands': { below: ['shared'], above: [] },
  'src/queries': {
    below: ['shared'],
    above: ['queries.ts', 'bounded-queries.ts', 'reading.ts', 'search.ts'],
  },
  'src/rules': { below: ['shared', 'calendar', 'conditions', 'compiled'], above: ['explain'] },
  'src/graphql/resolvers': { below: ['shared'], above: [] },
  'simulator/operations': { below: ['shared'], above: [] },
};

/** Folders of other rooms, from the top to the ground. `.` is the room's own files. */
const LAYERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'src/ledger': [
    ['memory', 'controls'],
    ['batch'],
    ['books', 'closed-days'],
    ['.'],
    ['tables'],
    ['receipts'],
  ],
  'src/programs': [['parse'], ['checks', 'published'], ['document']],
  'src/server': [['process'], ['pages', 'people', 'widgets', 'service'], ['requests', 'connections']],
  'src/graphql': [['.'], ['plugins', 'schema'], ['resolvers'], ['execution'], ['limits', 'errors']],
  simulator: [['run'], ['operations'], ['client'], ['auditor'], ['model'], ['programs'], ['.']],
  'src/cli': [
    ['.'],
    ['program', 'list', 'coupon', 'import', 'export', 'verify', 'webhook', 'serve', 'completion'],
    ['shell'],
  ],
};

/** What a serving process takes megabytes for, and often never uses. */
const RARELY_USED = [
  'undici',
  'ioredis',
  'jstat',
  '@prisma/client',
  '@modelcontextprotocol/sdk',
  'csv-parse',
  'esbuild',
  'hyparquet',
  'hyparquet-writer',
];

/** What decides: no I/O, no clock, no chance. */
const PURE = [
  'src/commands',
  'src/rules',
  'src/ledger/batch/audit-event.ts',
  'src/ledger/batch/decide-batch.ts',
  'src/ledger/batch/event-record.ts',
  'src/ledger/batch/load-plan.ts',
  'src/ledger/batch/working-set.ts',
  'src/ledger/books',
  'src/ledger/command.ts',
  'src/ledger/memory',
  'src/ledger/merge-decisions.ts',
  'src/ledger/receipts/split-receipt.ts',
  'src/ledger/receipts/stored-receipt.ts',
  'src/ledger/tables',
  'simulator/model',
  'src/webhooks/place-events.ts',
  'src/widget',
];

/**
 * Packages with I/O of which a pure file uses something that does none: the fingerprint of an input, a reference, a
 * template of receipts and the bucket of a member are hashed.
 */
const PURE_USES: Readonly<Record<string, readonly string[]>> = {
  'src/commands/shared/caller.ts': ['node:crypto'],
  'src/ledger/receipts/stored-receipt.ts': ['node:crypto'],
  'src/ledger/tables/coupon-codes.ts': ['node:crypto'],
  'src/ledger/tables/erased-references.ts': ['node:crypto'],
  'src/rules/earning/holdout.ts': ['node:crypto'],
  'simulator/model/award/holdout.ts': ['node:crypto'],
};

/** The simulator's second implementation of the rules, with the programs that it is given. */
const MODEL = ['simulator/model', 'simulator/programs', 'simulator/random.ts'];

/** Where the model takes types from: the names of refusals, and the form of the documents that both sides read. */
const TYPES_OF_MODEL = ['src/contract/generated/error-codes.ts', 'src/programs/document'];

/** An import or export of another module: whether it takes types alone, and the name of the module. */
const IMPORT = /^(?:import|export)\b( type\b)?(?:[^'"=()]*?\bfrom)?\s*['"]([^'"]+)['"]/gm;
/** `import()`, of a module that is loaded when it is used first. */
const LATER_IMPORT = /\bimport\(\s*['"]([^'"]+)['"]/g;

/** What another file imports, or a package. */
interface Import {
  /** The path of the file, or the name of the package. */
  target: string;
  isFile: boolean;
  isType: boolean;
  /** Whether it is loaded when it is used first, by `import()`. */
  isLater: boolean;
}

const sources = ['src', 'rest-adapter', 'simulator', 'web']
  .flatMap(filesOf)
  .filter((file) => !file.includes('/generated/'));
/** The files of what is made with the service, and not part of it. */
const tools = ['bench', 'codegen', 'scripts'].flatMap(filesOf);
const imports = new Map([...sources, ...tools].map((file) => [file, importsOf(file)]));

describe('the arrows of the house', () => {
  test('docs/internals/architecture.md has every room on its floor', () => {
    const page = readFileSync(join(root, 'docs/internals/architecture.md'), 'utf8');
    const rows = Array.from(page.matchAll(/^\| (\d+) \| ([^|]*) \|/gm));
    const listed = rows.flatMap(([, floor, rooms = '']) =>
      Array.from(rooms.matchAll(/`([^`]+)`/g), ([, room]) => `${floor} ${room}`),
    );
    expect(listed.toSorted()).toEqual(roomsByFloor().toSorted());
  });

  test('the picture of src/README.md has every room on its floor, from the top to the ground', () => {
    const page = readFileSync(join(root, 'src/README.md'), 'utf8');
    const [, picture = ''] = /^```text\n.*\n([\s\S]*?)^```/m.exec(page) ?? [];
    let floor = '';
    const drawn = Array.from(picture.matchAll(/^ +(?:(\d+) +)?(\S+) +\S.*$/gm), ([, number, room]) => {
      floor = number ?? floor;
      return `${floor} ${room}`;
    });
    expect(drawn).toEqual(roomsByFloor());
  });

  test('an import() is seen, and where a file is imported by it', () => {
    const ofSession = statementsOf('src/cli/shell/session.ts');
    const later = ofSession.filter(({ isLater }) => isLater).map(({ target }) => target);
    expect(later).toEqual(expect.arrayContaining(['src/db/open-database.ts', 'src/db/migrate.ts']));
    expect(statementsOf('src/http/rate-limit.ts')).toContainEqual({
      target: 'ioredis',
      isFile: false,
      isType: false,
      isLater: true,
    });
    expect(edges()).toContainEqual(['src/cli/shell/session.ts', 'src/db/migrate.ts']);
  });

  test('nothing of the service imports the benchmarks, what generates, or scripts', () => {
    expect(edges().filter(([from, to]) => !isTool(from) && isTool(to))).toEqual([]);
  });

  test('every import goes down, or stays in its room', () => {
    const wrong = edges().filter(([from, to]) => {
      const [above, below] = [floorOf(from), floorOf(to)];
      return (
        above === null || below === null || above > below || (above === below && roomOf(from) !== roomOf(to))
      );
    });
    const above = /^(?:src|simulator)\//;
    const below = /^(?:src|simulator|generated)\//;
    expect(wrong.filter(([from, to]) => above.test(from) && below.test(to))).toEqual([]);
  });

  test.each(Object.entries(ROOMS_BY_SUBJECT))(
    'in %s a subject imports what is below all subjects, and no other subject',
    (room, { below, above }) => {
      const wrong = edgesWithin(room).filter(({ from, to }) => {
        if (from.folder === to.folder || above.includes(from.folder) || above.includes(from.file))
          return false;
        return below.includes(from.folder) ? !below.includes(to.folder) : !below.includes(to.folder);
      });
      expect(wrong.map(({ from, to }) => `${from.path} -> ${to.path}`)).toEqual([]);
    },
  );

  test.each(Object.entries(ROOMS_BY_SUBJECT))(
    'the folders of %s are subjects, each with three files or more',
    (room, { below, above }) => {
      const byFolder = Map.groupBy(placesIn(room), ({ folder }) => folder);
      const folders = [...byFolder].filter(
        ([folder]) => ![...below, ...above, '.', 'generated'].includes(folder),
      );
      expect(folders.map(([folder]) => folder).filter((folder) => !SUBJECTS.includes(folder))).toEqual([]);
      expect(folders.filter(([, files]) => files.length < 3)).toEqual([]);
    },
  );

  test.each(Object.entries(LAYERS))('in %s the folders import downwards', (room, layers) => {
    const layerOf = (folder: string): number => layers.findIndex((folders) => folders.includes(folder));
    const unplaced = placesIn(room).filter(({ folder }) => folder !== 'generated' && layerOf(folder) === -1);
    expect(unplaced.map(({ path }) => path)).toEqual([]);
    const wrong = edgesWithin(room).filter(({ from, to }) => {
      if (from.folder === to.folder || to.folder === 'generated') return false;
      // What stands side by side may import each other, as long as no circle of files comes of it.
      return layerOf(from.folder) > layerOf(to.folder);
    });
    expect(wrong.map(({ from, to }) => `${from.path} -> ${to.path}`)).toEqual([]);
  });

  test('the REST adapter imports nothing of src, and of the service only the server imports it', () => {
    const outward = edges().filter(
      ([from, to]) => from.startsWith('rest-adapter/') && !to.startsWith('rest-adapter/'),
    );
    const inward = edges().filter(
      ([from, to]) => !from.startsWith('rest-adapter/') && to.startsWith('rest-adapter/'),
    );
    expect(outward).toEqual([]);
    expect(inward.filter(([from]) => !from.startsWith('src/server/') && !isTool(from))).toEqual([]);
  });

  test('what runs in browsers takes types alone from outside, and nothing imports it', () => {
    const isWeb = (file: string): boolean => file.startsWith('web/');
    const outward = sources
      .filter(isWeb)
      .flatMap((file) => statementsOf(file).map((imported) => ({ file, ...imported })))
      .filter(({ target }) => !isWeb(target));
    // That they were read at all.
    expect(outward.length).toBeGreaterThan(1);
    expect(outward.filter(({ isType, target }) => !isType || target !== 'src/widget/surface.ts')).toEqual([]);
    expect(edges().filter(([from, to]) => !isWeb(from) && isWeb(to))).toEqual([]);
  });

  test('what decides does no I/O', () => {
    const pure = sources.filter((file) => isIn(PURE, file));
    // Every place of the list has files.
    expect(PURE.filter((place) => !pure.some((file) => isIn([place], file)))).toEqual([]);
    for (const file of pure) {
      const impure = packagesOf(file).filter((name) => name.startsWith('node:') || name === 'pg');
      expect([file, impure]).toEqual([file, PURE_USES[file] ?? []]);
      const text = readFileSync(join(root, file), 'utf8');
      expect([
        file,
        /Date\.now\(|Math\.random\(|new Date\(\)|performance\.|randomUUID|newUuid/.exec(text),
      ]).toEqual([file, null]);
    }
  });

  test('the model of the simulator shares no code with what it checks: it takes types alone from outside', () => {
    const outward = sources
      .filter((file) => isIn(MODEL, file))
      .flatMap((file) => statementsOf(file).map((imported) => ({ file, ...imported })))
      .filter(({ target }) => !isIn(MODEL, target));
    // That they were read at all.
    expect(outward.length).toBeGreaterThan(3);
    const shared = outward.filter(({ file, isType, target }) => {
      const takesTypes = isType && isIn(TYPES_OF_MODEL, target);
      return !takesTypes && !PURE_USES[file]?.includes(target);
    });
    expect(shared).toEqual([]);
  });

  test('a server does not load at its start what few servers use: it is imported where it is used first', () => {
    const loaded = new Set<string>();
    const packages = new Set<string>();
    const visit = (file: string): void => {
      if (loaded.has(file)) return;
      loaded.add(file);
      for (const { target, isFile, isType, isLater } of statementsOf(file)) {
        if (isType || isLater) continue;
        if (!isFile) packages.add(target);
        else if (target.endsWith('.ts')) visit(target);
      }
    };
    for (const entry of ['src/cli/main.ts', 'src/cli/serve/serve.ts']) visit(entry);
    // That the imports were followed.
    expect([...packages]).toEqual(expect.arrayContaining(['commander', 'express', 'graphql-yoga', 'pg']));
    const isRare = (target: string): boolean =>
      RARELY_USED.some((name) => target === name || target.startsWith(`${name}/`));
    expect([...packages].filter(isRare)).toEqual([]);
    expect(
      [...loaded].filter((file) =>
        /^(src\/(admin\/demo|import\/|export\/|what-if\/)|simulator\/)/.test(file),
      ),
    ).toEqual([]);
  });

  test('there are no circles', () => {
    const done = new Set<string>();
    const path: string[] = [];
    const visit = (file: string): void => {
      if (path.includes(file)) throw new Error([...path.slice(path.indexOf(file)), file].join(' -> '));
      if (done.has(file)) return;
      path.push(file);
      for (const next of imports.get(file) ?? []) visit(next);
      path.pop();
      done.add(file);
    };
    expect(() => {
      for (const file of imports.keys()) visit(file);
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
  });
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
    const openProjects = ['tsconfig.json', 'web/widget/tsconfig.json'];
    const projects = api.updateSnapshot({ openProjects }).getProjects();
    return files.flatMap((file) => {
      const [source] = projects.flatMap(({ program }) => program.getSourceFile(join(root, file)) ?? []);
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

/** The imports of a file: those at its head, then those that it makes later. */
function statementsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const imported = (name: string, rest: Pick<Import, 'isType' | 'isLater'>): Import => {
    const isFile = name.startsWith('.');
    const target = isFile ? relative(root, resolve(join(root, dirname(file)), name)) : name;
    return { target, isFile, ...rest };
  };
  return [
    ...Array.from(text.matchAll(IMPORT), ([, type, name = '']) =>
      imported(name, { isType: type !== undefined, isLater: false }),
    ),
    ...Array.from(text.matchAll(LATER_IMPORT), ([, name = '']) =>
      imported(name, { isType: false, isLater: true }),
    ),
  ];
}

function importsOf(file: string): string[] {
  return statementsOf(file).flatMap(({ target, isFile }) => (isFile ? [target] : []));
}

function packagesOf(file: string): string[] {
  return statementsOf(file).flatMap(({ target, isFile }) => (isFile ? [] : [target]));
}

/** Whether a file is made with the service, and not part of it. */
function isTool(file: string): boolean {
  return tools.includes(file);
}

/** Whether a file is one of the places or inside one of them. */
function isIn(places: readonly string[], file: string): boolean {
  return places.some((place) => file === place || file.startsWith(`${place}/`));
}

function edges(): [string, string][] {
  return [...imports].flatMap(([from, targets]) => targets.map((to): [string, string] => [from, to]));
}

/** A file inside a room: the folder of the room that it is in, `.` for none. */
interface Place {
  path: string;
  folder: string;
  file: string;
}

function placeIn(room: string, path: string): Place {
  const [first = '', ...rest] = path.slice(room.length + 1).split('/');
  return { path, folder: rest.length > 0 ? first : '.', file: first };
}

function placesIn(room: string): Place[] {
  return filesOf(room).map((path) => placeIn(room, path));
}

/** The imports from one file of a room to another one of it. */
function edgesWithin(room: string): { from: Place; to: Place }[] {
  return edges()
    .filter(([from, to]) => from.startsWith(`${room}/`) && to.startsWith(`${room}/`))
    .map(([from, to]) => ({ from: placeIn(room, from), to: placeIn(room, to) }));
}

/** Each room with the number of its floor, from the top to the ground. */
function roomsByFloor(): string[] {
  return FLOORS.flatMap((rooms, index) => rooms.map((room) => `${FLOORS.length - index} ${room}`));
}

function roomOf(file: string): string {
  return FLOORS.flat().find((room) => file === room || file.startsWith(`${room}/`)) ?? '';
}

function floorOf(file: string): number | null {
  const floor = FLOORS.findIndex((rooms) => rooms.includes(roomOf(file)));
  return floor === -1 ? null : floor;
}
