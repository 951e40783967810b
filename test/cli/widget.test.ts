import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { runCli, runJson } from '../support/cli/run-cli.ts';
import { useFolder } from '../support/fixture.ts';
import { createWorld, type TestEnvironment } from '../support/surfaces/world.ts';
import { useDatabase } from '../support/use-database.ts';

interface Published {
  deploymentId: string;
  version: number;
  published: boolean;
}

let url: string;
let shop: TestEnvironment;

const DOCUMENT = `id: shop-widget
program: coffee-club
origins: [https://shop.example]
components:
  - { id: points, kind: svc.balance, label: Your points }
  - { id: rewards, kind: svc.reward_catalog }
`;

const folder = useFolder('rewards-widget-');
const { database } = useDatabase();

beforeAll(async () => {
  url = database.adminUrl;
  shop = await createWorld(database).environment();
});

async function fileOf(text: string): Promise<string> {
  const file = join(folder, 'widget.yaml');
  await writeFile(file, text);
  return file;
}

async function publish(text: string, environmentId = shop.environmentId): Promise<Published> {
  const file = await fileOf(text);
  return runJson(url, ['widget', 'publish', file, '-e', environmentId, '--actor', 'ada']);
}

const auditOf = async (deploymentId: string): Promise<unknown[]> => {
  const { rows } = await database.adminPool.query<{ action: string; actor_id: string; changes: object }>(
    `select action, actor_id, changes from audit_events where target_id = $1 order by at, id`,
    [deploymentId],
  );
  return rows;
};

test('a document keeps its deployment, and raises the version where it has changed', async () => {
  const first = await publish(DOCUMENT);
  expect(first).toMatchObject({
    deploymentId: expect.stringMatching(/^wdg_[0-9a-z]{26}$/),
    version: 1,
    published: true,
  });
  const { deploymentId } = first;
  const same = `components:\n${DOCUMENT.split('components:\n')[1]}${DOCUMENT.split('components:\n')[0]}`;
  expect(await publish(same)).toMatchObject({ deploymentId, version: 1, published: false });
  const changed = DOCUMENT.replace('Your points', 'Your beans');
  expect(await publish(changed)).toMatchObject({ deploymentId, version: 2, published: true });
  // An earlier document is the next version, not the earlier one.
  expect(await publish(DOCUMENT)).toMatchObject({ deploymentId, version: 3, published: true });
  const other = await createWorld(database).environment();
  expect((await publish(DOCUMENT, other.environmentId)).deploymentId).not.toBe(deploymentId);

  const audits = await auditOf(deploymentId);
  expect(audits).toHaveLength(3);
  expect(audits[1]).toMatchObject({
    action: 'widget.published',
    actor_id: 'ada',
    changes: { version: 2, documentKey: 'shop-widget', programId: 'coffee-club' },
  });
});

test('publish prints the id, and says on standard error what it has done', async () => {
  const file = await fileOf(DOCUMENT.replace('shop-widget', 'told'));
  const command = ['widget', 'publish', file, '-e', shop.environmentId];
  expect(await runCli(url, command)).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^wdg_[0-9a-z]{26}\n$/),
    stderr: expect.stringContaining('Version 1 is published.'),
  });
  expect((await runCli(url, command)).stderr).toContain('nothing was published');
});

test('20 publications at once get consecutive versions', async () => {
  const { publishWidget } = await import('../../src/admin/widgets/publish-widget.ts');
  const { administrator } = createWorld(database);
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      publishWidget(administrator, shop.id, {
        ...{ id: 'raced', program: 'coffee-club', origins: [] },
        components: [{ id: `c${index}`, kind: 'svc.balance' }],
      }),
    ),
  );
  const versions = made.map((one) => ('version' in one ? one.version : one));
  expect(versions.toSorted((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 1),
  );
  expect(new Set(made.map((one) => 'deploymentId' in one && one.deploymentId)).size).toBe(1);
});

test('list, show and preview', async () => {
  const { deploymentId } = await publish(DOCUMENT.replace('shop-widget', 'shown'));
  await publish(DOCUMENT.replace('shop-widget', 'shown').replace('Your points', 'Your beans'));
  const { widgets } = await runJson<{ widgets: object[] }>(url, ['widget', 'list', '-e', shop.environmentId]);
  expect(widgets).toContainEqual(
    expect.objectContaining({ deploymentId, documentKey: 'shown', programId: 'coffee-club', version: 2 }),
  );
  const newest = await runCli(url, ['widget', 'show', deploymentId]);
  expect(newest.stdout).toContain('Your beans');
  const first = await runCli(url, ['widget', 'show', deploymentId, '--version', '1']);
  expect(first.stdout).toContain('Your points');
  // What it prints can be published again.
  expect(await publish(newest.stdout)).toMatchObject({ deploymentId, version: 2, published: false });

  const { stdout } = await runCli(url, ['widget', 'preview', deploymentId]);
  expect(JSON.parse(stdout)).toMatchObject({
    surface: { id: `${deploymentId}:2` },
    context: { personalized: false },
    components: [{ id: 'points', state: { availability: 'sign_in_required' } }, { id: 'rewards' }],
  });
  const unknown = await runCli(url, ['widget', 'preview', deploymentId, '--customer', 'nobody']);
  expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no member "nobody"') });
});

test('a document is refused with all of its problems at once', async () => {
  const text = DOCUMENT.replace('coffee-club', 'tea-club')
    .replace('https://shop.example', 'https://shop.example/, https://app.example')
    .replace('id: rewards', 'id: points')
    .replace('Your points', 'x'.repeat(501));
  const { stderr } = await runCli(url, [
    ...['widget', 'publish', await fileOf(`${text}locale: xx-\ncolour: red\n`), '-e', shop.environmentId],
  ]);
  const said = stderr
    .split('\n')
    .map((line) => /widget\.yaml:(\d+):\d+ (\S+)/.exec(line)?.slice(1).join(' '));
  expect(said.filter(Boolean)).toEqual([
    '2 program',
    '3 origins[0]',
    '5 components[0].label',
    '6 components[1].id',
    '7 locale',
    '8 colour',
  ]);
});

describe('a document is refused with every problem, each with path, line and column', () => {
  const bad = (text: string) =>
    fileOf(text).then((file) => runCli(url, ['widget', 'publish', file, '-e', shop.environmentId]));
  const many = (count: number): string =>
    Array.from({ length: count }, (_, index) => `  - { id: c${index}, kind: svc.balance }\n`).join('');

  test.each<[string, string, RegExp]>([
    ['no YAML', 'id: [', /:1:\d+ /],
    ['nothing', '', /:1:1 must be object/],
    ['an unknown property', `${DOCUMENT}colour: red\n`, /:7:1 colour is no known property/],
    ['a misspelt one', DOCUMENT.replace('origins', 'origin'), /origin is no known property.*origins/s],
    ['no program', DOCUMENT.replace('program: coffee-club\n', ''), /program is required/],
    [
      'an unknown program',
      DOCUMENT.replace('coffee-club', 'tea-club'),
      /:2:10 program is unknown. No program tea-club/,
    ],
    ['a star', DOCUMENT.replace('https://shop.example', '"*"'), /:3:11 origins\[0\] must be an origin/],
    [
      'an origin with a path',
      DOCUMENT.replace('.example]', '.example/]'),
      /:3:11 origins\[0\] must be an origin/,
    ],
    [
      'an origin twice',
      DOCUMENT.replace(']', ', https://shop.example]'),
      /origins\[0\] stands in the list twice/,
    ],
    [
      'a doubled id',
      DOCUMENT.replace('id: rewards', 'id: points'),
      /:6:11 components\[1\]\.id "points" stands here twice/,
    ],
    [
      'an unknown kind',
      DOCUMENT.replace('svc.balance', 'svc.balanse'),
      /:5:\d+ components\[0\]\.kind must be one of svc\.balance/,
    ],
    [
      'a property of another kind',
      DOCUMENT.replace('catalog }', 'catalog, helper: x }'),
      /:6:\d+ components\[1\]\.helper is no known property/,
    ],
    [
      'a page of none',
      DOCUMENT.replace('catalog }', 'catalog, pageSize: 0 }'),
      /:6:\d+ components\[1\]\.pageSize must be >= 1/,
    ],
    [
      'a page of 101',
      DOCUMENT.replace('catalog }', 'catalog, pageSize: 101 }'),
      /components\[1\]\.pageSize must be <= 100/,
    ],
    [
      '21 activities',
      DOCUMENT.replace('reward_catalog }', 'activity, pageSize: 21 }'),
      /components\[1\]\.pageSize must be <= 20/,
    ],
    [
      'a label of 501',
      DOCUMENT.replace('Your points', 'x'.repeat(501)),
      /:5:\d+ components\[0\]\.label must NOT have more than 500/,
    ],
    ['101 components', `${DOCUMENT}${many(99)}`, /components must NOT have more than 100 items/],
    [
      'no component',
      `${DOCUMENT.split('components:')[0]}components: []\n`,
      /components must NOT have fewer than 1 items/,
    ],
    ['no locale', `${DOCUMENT}locale: "not one"\n`, /:7:9 locale is no BCP 47 language tag/],
    [
      'another redemption',
      `${DOCUMENT}redemption: later\n`,
      /:7:13 redemption must be one of reserve, commit/,
    ],
    ['NUL', DOCUMENT.replace('Your points', '"a\\0"'), /must not hold NUL/],
    ['half of a surrogate pair', DOCUMENT.replace('Your points', '"\\ud800"'), /half of a surrogate pair/],
  ])('%s', async (_name, text, problem) => {
    const { exitCode, stderr } = await bad(text);
    expect(stderr).toMatch(problem);
    expect(exitCode).toBe(1);
  });

  test('all at once', async () => {
    const { stderr } = await bad(
      `id: x\nprogram: 1\norigins: no\ncolour: red\ncomponents:\n  - { id: a, kind: svc.balance, size: 2 }\n`,
    );
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => /yaml:(\d+):\d+ (\S+)/.exec(line)?.slice(1));
    expect(lines).toEqual([
      ['2', 'program'],
      ['3', 'origins'],
      ['4', 'colour'],
      ['6', 'components[0].size'],
    ]);
  });
});

test.each<[string, () => string[], number, string]>([
  ['no environment', () => ['widget', 'publish', 'x.yaml'], 2, '--environment'],
  [
    'no file',
    () => ['widget', 'publish', join(folder, 'none'), '-e', shop.environmentId],
    1,
    'cannot be read',
  ],
  ['an id of another kind', () => ['widget', 'show', shop.environmentId], 2, 'wdg_ and 26 characters'],
  ['an unknown one', () => ['widget', 'show', 'wdg_01h455vb4pex5vsknk084sn02q'], 1, 'no widget deployment'],
])('%s', async (_name, command, exitCode, said) => {
  expect(await runCli(url, command())).toMatchObject({ exitCode, stderr: expect.stringContaining(said) });
});
