import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { toTypeId } from '../../src/ids.ts';
import { runCli } from '../support/cli/run-cli.ts';
import { useFolder } from '../support/fixture.ts';
import { earn, type Received, rest } from '../support/surfaces/client.ts';
import { useShop } from '../support/surfaces/use-shop.ts';
import { until } from '../support/until.ts';

/** The mirror of docs/guide/webhooks.md. */
interface Example {
  fromExport(lines: string[], manifest: object): { position: number };
  catchUp(mirror: object, get: (path: string) => Promise<Pick<Received, 'status' | 'body'>>): Promise<void>;
  profiles(mirror: object): Map<string, { version: number; balances: object }>;
}

const MEMBERS = ['ada', 'bob', 'cyd'];

let orders = 0;

const folder = useFolder('rewards-mirror-');
const { database, client, shop } = useShop({ members: MEMBERS });

async function buy(): Promise<void> {
  orders += 1;
  const purchase = {
    externalCustomerId: MEMBERS[orders % 3] as string,
    sourceReference: `o-${orders}`,
    amountMinor: 1_000 + orders,
    items: [{ lineReference: `line-${orders}`, quantity: 1, unitPriceMinor: 1_000 + orders }],
  };
  const answer = await client.send(earn(shop, purchase, `k-${orders}`));
  expect(answer).toEqual({ ...answer, status: 201 });
}

async function exported(kind: string): Promise<{ manifest: Record<string, unknown>; lines: string[] }> {
  const out = join(folder, kind);
  const period = ['--from', '2026-01-01', '--to', '2100-01-01'];
  const outcome = await runCli(database.adminUrl, [
    ...['export', kind, '-e', shop.environmentId, ...period, '--format', 'jsonl', '--out', out],
  ]);
  expect(outcome).toMatchObject({ exitCode: 0 });
  const files = (await readdir(out)).filter((name) => name.endsWith('.jsonl'));
  const texts = await Promise.all(files.map((name) => readFile(join(out, name), 'utf8')));
  const manifest = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8'));
  return { manifest, lines: texts.flatMap((text) => text.trim().split('\n')) };
}

test('a mirror that starts after the data of events is gone is in step after an export, with events in flight', async () => {
  const page = await readFile(new URL('../../docs/guide/webhooks.md', import.meta.url), 'utf8');
  const [, code = ''] = /```js\n(\/\*\* A mirror that[\s\S]*?)```/.exec(page) ?? [];
  const file = join(folder, 'mirror.mjs');
  await writeFile(file, code);
  const example = (await import(file)) as Example;

  for (let index = 0; index < 9; index++) await buy();
  const positions = 'select last_position as last from event_positions where environment_id = $1';
  await until(
    async () => (await database.adminPool.query(positions, [shop.id])).rows[0]?.last === 16,
    'every event has a position',
  );
  // What the job does after 30 days.
  await database.adminPool.query('update events set data = null where environment_id = $1', [shop.id]);

  let buying = true;
  const purchases = (async () => {
    while (buying) await buy();
  })();
  const { manifest, lines } = await exported('members');
  for (let index = 0; index < 5; index++) await buy();
  buying = false;
  await purchases;
  const { epoch, epochAt } = (await client.send(rest(shop, 'GET', '/events-feed?limit=1'))).body;
  expect(manifest.feed).toEqual({ epoch, epochAt, position: expect.any(Number) });
  expect([epoch, typeof epochAt]).toEqual([1, 'string']);

  const mirror = example.fromExport(lines, manifest);
  expect(mirror.position).toBeGreaterThanOrEqual(16);
  const { rows } = await database.adminPool.query(
    `select member_id as id, program_id as program, version,
       json_build_object('available', available, 'pending', pending, 'reserved', reserved) as balances
     from program_profiles where environment_id = $1`,
    [shop.id],
  );
  const wanted = new Map(
    rows.map((row) => [
      `${toTypeId('mem', row.id)} ${row.program}`,
      { version: row.version, balances: row.balances },
    ]),
  );
  expect(wanted.size).toBe(3);
  await until(async () => {
    await example.catchUp(mirror, (path) => client.send(rest(shop, 'GET', path)));
    const shown = example.profiles(mirror);
    return [...wanted].every(([profile, { version }]) => (shown.get(profile)?.version ?? 0) >= version);
  }, 'the mirror in step');
  for (const [profile, state] of example.profiles(mirror)) {
    expect({ version: state.version, balances: state.balances }).toEqual(wanted.get(profile));
  }
  // As after a restore to a state in which the epoch of the export had not begun.
  const gone = { feed: { ...(manifest.feed as object), epochAt: '2026-01-01T00:00:00.000Z' } };
  await expect(
    example.catchUp(example.fromExport(lines, gone), (path) => client.send(rest(shop, 'GET', path))),
  ).rejects.toThrow('begin with a new export');
}, 120_000);

test('transactions have the amount, the currency, the channel and the line references of their order', async () => {
  await buy();
  const { lines } = await exported('transactions');
  expect(lines.length).toBe(orders);
  const found = lines.map((line) => JSON.parse(line)).find((row) => row.source_reference === `o-${orders}`);
  expect(found).toMatchObject({
    order_amount_minor: 1_000 + orders,
    order_currency: 'USD',
    order_channel: 'web',
    order_lines: [`line-${orders}`],
  });
});
