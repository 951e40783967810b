import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { buildSchema, type GraphQLSchema, isInputObjectType, isObjectType } from 'graphql';
import { directiveArguments } from '../../codegen/contract.ts';
import { SURFACE_PATH } from '../../codegen/openapi-widgets.ts';
import { customerRoutes } from '../../rest-adapter/routes/customers.ts';
import { routes } from '../../rest-adapter/routes.ts';
import { EVERY_SCOPE, isScope } from '../../src/auth/scopes.ts';
import { createCommandLine } from '../../src/cli/command-line.ts';
import { httpStatusOf } from '../../src/contract/generated/error-codes.ts';
import { CONTROLS } from '../../src/ledger/controls/verify.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const contract = buildSchema(readFileSync(`${ROOT}schema.graphql`, 'utf8'));

/** The pages that users read, by name. */
const pages = new Map(
  ['README.md', ...filesIn('docs', '.md')].map((name) => [
    name,
    readFileSync(ROOT + name, 'utf8').replaceAll('\\\n', ' '),
  ]),
);

function filesIn(folder: string, ending = ''): string[] {
  return readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);
}

/** What a pattern finds in all pages, each with its page. */
function named(pattern: RegExp): [page: string, name: string][] {
  return Array.from(pages).flatMap(([page, text]) =>
    Array.from(text.matchAll(pattern), ([, name = '']): [string, string] => [page, name]),
  );
}

describe('links', () => {
  test('every link of a page to a heading of a page leads to one', () => {
    const links = named(/\]\(([^)\s]*#[^)\s]+)\)/g).filter(([, link]) => !/^https?:/.test(link));
    expect(links.length).toBeGreaterThan(30);
    const dead = links.filter(([page, link]) => {
      const [path = '', heading = ''] = link.split('#');
      const target = path === '' ? page : normalize(join(dirname(page), path));
      return existsSync(ROOT + target) && target.endsWith('.md') ? !headingsOf(target).has(heading) : true;
    });
    expect(dead).toEqual([]);
  });
});

/** The headings of a page as links name them. */
function headingsOf(page: string): Set<string> {
  const text = readFileSync(ROOT + page, 'utf8').replaceAll(/^```.*?^```/gms, '');
  return new Set(
    Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

describe('scopes', () => {
  test('every scope that a page names exists', () => {
    const names = named(/`([a-z]+:[a-z]+)`/g);
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter(([, name]) => !isScope(name))).toEqual([]);
  });

  test('docs/operate/keys.md lists all of them, and says of exactly those that open nothing that they do not', () => {
    const rows = Array.from((pages.get('docs/operate/keys.md') ?? '').matchAll(/^\| (`.*`) \| (.*) \|$/gm));
    const said = new Map(
      rows.flatMap(([, names = '', opens = '']) =>
        Array.from(
          names.matchAll(/`([^`]+)`/g),
          ([, name = '']) => [name, opens.includes('nothing yet')] as const,
        ),
      ),
    );
    const used = scopesOf(contract);
    expect(Object.fromEntries(said)).toEqual(
      Object.fromEntries(EVERY_SCOPE.map((scope) => [scope, !used.has(scope)])),
    );
  });
});

function scopesOf(schema: GraphQLSchema): Set<unknown> {
  const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
    Object.values(root?.getFields() ?? {}),
  );
  return new Set(fields.flatMap((field) => directiveArguments(field, 'scope')?.requires));
}

/** Files that are made where the pages say so: in the reader's own project, and for the npm package. */
const MADE_FILES = [
  'docs/guide/clients.md src/rewards/client.ts',
  'docs/guide/clients.md src/rewards/purchase.graphql',
  'docs/lab/release-dry-run.md web/widget/dist/svc-rewards.js',
];

/** A mistake that docs/operate/cli.md shows on purpose. */
const MISTYPED = 'key list --env $ENVIRONMENT';

describe('commands', () => {
  const cli = createCommandLine();

  test.each(
    Array.from(
      new Set(named(/(?:npx |`|^\s*\$ )rewards ((?:[^`\n|#;&>)(]|\$\()*)/gm).map(([, line]) => line.trim())),
    ).filter((line) => line !== MISTYPED),
  )('rewards %s', (line) => {
    let command = cli;
    const tokens = line.split(/\s+/);
    for (;;) {
      const next = command.commands.find((each) => each.name() === tokens[0]);
      if (!next) break;
      command = next;
      tokens.shift();
    }
    const [first] = tokens;
    if (command.commands.length > 0 && first !== undefined) expect(first).toMatch(/^(?:-|…|\.\.\.|<)/);
    const known = command.options.flatMap(({ long, short }) => [long, short]);
    const options = tokens.filter((token) => /^--?[a-z]/.test(token)).map((token) => token.split('=')[0]);
    expect([...known, '--help', '-h']).toEqual(expect.arrayContaining(options));
  });
});

test('every path of REST that a page names is a route', () => {
  const known = [
    `GET ${shapeOf(SURFACE_PATH).replace('/api/v1/', '/')}`,
    ...routes.map(({ method, path }) => `${method} ${shapeOf(path)}`),
    ...customerRoutes.map(({ method, path }) => `${method} /loyalty/v1${shapeOf(path)}`),
  ];
  const others = ['POST /api/graphql', 'GET /api/graphql/schema.graphql'];
  const names = named(/\b((?:GET|POST|PUT|PATCH|DELETE) \/[\w{}/.-]*)/g)
    .filter(([, name]) => !others.includes(name))
    .map(([page, name]) => [page, shapeOf(name.replace(' /api/v1/', ' /'))] as const);
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter(([, name]) => !known.includes(name))).toEqual([]);
});

/** A path with all parameters alike: `{id}` in a page and `{transactionId}` in the route are the same. */
function shapeOf(path: string): string {
  return path.replace(/\{\w+\}/g, '{}');
}

test('docs/operate/cli.md lists all commands', () => {
  const rows = Array.from(
    (pages.get('docs/operate/cli.md') ?? '').matchAll(/^\| (`[^|]*`) \|/gm),
    ([, row = '']) => row,
  );
  const listed = rows.flatMap((row) => {
    const [first = '', ...others] = Array.from(row.matchAll(/`([^`]+)`/g), ([, name = '']) => name);
    // `key issue`, `list` stands for `key issue` and `key list`.
    const noun = first.split(' ').slice(0, -1).join(' ');
    return [first, ...others, ...others.map((other) => `${noun} ${other}`)];
  });
  expect(namesIn(createCommandLine()).filter((name) => !listed.includes(name))).toEqual([]);
});

/** The commands that do something, with the commands that lead to them. */
function namesIn(command: Command, before: readonly string[] = []): string[] {
  return command.commands.flatMap((one) => {
    const path = [...before, one.name()];
    return one.commands.length > 0 ? namesIn(one, path) : [path.join(' ')];
  });
}

test('docs/operate/cli.md lists all controls of verify ledger', () => {
  const rows = (pages.get('docs/operate/cli.md') ?? '').match(/^\| control \|.*?\n\n/ms)?.[0] ?? '';
  const listed = Array.from(rows.matchAll(/^\| `([a-z-]+)` \|/gm), ([, id]) => id);
  expect(listed.toSorted()).toEqual(CONTROLS.map(({ id }) => id).toSorted());
});

test('every code of a refusal is on a page', () => {
  const codes = Object.keys(httpStatusOf);
  expect(codes.length).toBeGreaterThan(50);
  const text = [...pages.values()].join('\n');
  expect(codes.filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
});

test('every file of the project that a page names by its whole path exists', () => {
  const paths = named(
    /`((?:src|rest-adapter|web|test|bench|codegen|scripts|prisma|demo|docs)\/[\w./-]+\.\w+)`/g,
  );
  expect(paths.length).toBeGreaterThan(50);
  const missing = paths.filter(
    ([page, path]) => !existsSync(ROOT + path) && !MADE_FILES.includes(`${page} ${path}`),
  );
  expect(missing).toEqual([]);
});

test('every event, account and field with a dot in its name exists', () => {
  const sources = [...filesIn('src', '.ts'), ...filesIn('rest-adapter', '.ts')].map((name) =>
    readFileSync(ROOT + name, 'utf8'),
  );
  const literals = new Set(
    [...sources, readFileSync(`${ROOT}schema.graphql`, 'utf8')].flatMap((text) =>
      Array.from(text.matchAll(/['"`]([a-z_]+\.[a-z_]+)['"`]/gi), ([, name = '']) => name),
    ),
  );
  const files = new Set(
    [
      'src',
      'simulator',
      'web',
      'docs',
      'demo',
      'rest-adapter',
      'codegen',
      'prisma',
      'bin',
      'scripts',
      'bench',
    ]
      .flatMap((folder) => filesIn(folder))
      .map((name) => basename(name)),
  );
  for (const name of readdirSync(ROOT)) files.add(name);
  const fields = fieldNames();
  const unknown = named(/`([a-z_]+\.[a-zA-Z_]+)`/g).filter(
    ([page, name]) =>
      !literals.has(name) &&
      !files.has(name) &&
      !madeByExamples(page, name) &&
      !name.split('.').every((part) => fields.has(part)),
  );
  expect(unknown).toEqual([]);
});

/** The names of all fields of the contract, of program documents and of widgets' surfaces. */
function fieldNames(): Set<string> {
  const types = Object.values(contract.getTypeMap()).filter(
    (type) => isObjectType(type) || isInputObjectType(type),
  );
  const ofSchemas = ['src/programs/program.schema.json', 'src/widget/agent-rewards-surface.v1.schema.json']
    .map((name) => readFileSync(ROOT + name, 'utf8'))
    .join();
  return new Set([
    ...types.flatMap((type) => Object.keys(type.getFields())),
    ...Array.from(ofSchemas.matchAll(/"(\w+)":/g), ([, name = '']) => name),
  ]);
}

/** Whether a name is a file that the page itself, or a running server, makes. */
function madeByExamples(page: string, name: string): boolean {
  return (
    ['demo.json', 'postmaster.pid', 'secrets.json'].includes(name) ||
    new RegExp(`[ /]${name}\\b`).test(pages.get(page) ?? '')
  );
}
