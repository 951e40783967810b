import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { toTypeId } from '../../src/ids.ts';
import { isChecked, normalizeCode } from '../../src/rules/shared/coupon-code.ts';
import { runCli, runJson } from '../support/cli/run-cli.ts';
import { useFolder } from '../support/fixture.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { useCounter } from '../support/ledger/use-counter.ts';
import { program } from '../support/rules/fixtures.ts';

let shop: Shop;
let url: string;
let where: string[];

const folder = useFolder('rewards-codes-');
const counter = useCounter();

beforeAll(async () => {
  url = counter.database.adminUrl;
  const document = program({
    coupons: [
      { code: 'SUMMER', pool: { usesPerCode: 3 } },
      { code: 'OLD', pool: { checkCharacter: false } },
      { code: 'PLAIN' },
    ],
  });
  shop = await counter.environment(document);
  where = ['-e', toTypeId('env', shop.id), '-p', document.id];
});

const generate = (file: string, ...more: string[]) =>
  runCli(url, [
    ...['coupon', 'generate', ...where, '--pool', 'SUMMER', '--count', '25', '--file', join(folder, file)],
    ...['--pattern', 'SUMMER-########', ...more],
  ]);

const stored = (): Promise<number> =>
  counter.value('select count(*)::int from coupon_codes where environment_id = $1', [shop.id]);

async function codesIn(file: string): Promise<string[]> {
  return (await readFile(join(folder, file), 'utf8')).trimEnd().split('\n');
}

test('generate writes the codes to a file of the owner alone, and hashes to the database', async () => {
  const made = await generate('codes.txt');
  expect(made).toMatchObject({ exitCode: 0 });
  expect(made.stdout).toContain('25 codes of pool SUMMER are in');
  expect((await stat(join(folder, 'codes.txt'))).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['codes.txt']);
  const codes = await codesIn('codes.txt');
  expect(new Set(codes).size).toBe(25);
  for (const code of codes) {
    expect(code).toMatch(/^SUMMER-[0-9A-HJKMNP-TV-Z]{8}$/);
    expect(isChecked(normalizeCode(code) ?? '')).toBe(true);
  }
  expect(await stored()).toBe(25);
  const rows = await counter.value<string>(
    `select string_agg(c::text, ' ') from coupon_codes c where environment_id = $1`,
    [shop.id],
  );
  for (const code of codes) expect(rows).not.toContain(code.slice(-7));
  const audited = await counter.value(
    `select json_agg(json_build_array(target_type, target_id, changes)) from audit_events
     where environment_id = $1 and action = 'coupon_codes.generated'`,
    [shop.id],
  );
  expect(audited).toEqual([['coupon_pool', 'SUMMER', { programId: 'coffee-club', codes: 25 }]]);
});

test('it never writes over a file, and stores nothing that it could not write', async () => {
  const before = await stored();
  const codes = await codesIn('codes.txt');
  expect(await generate('codes.txt')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('exists'),
  });
  expect(await codesIn('codes.txt')).toEqual(codes);
  expect(await generate('missing/codes.txt')).toMatchObject({ exitCode: 1 });
  expect(await stored()).toBe(before);
});

test('it refuses patterns and pools with what to do', async () => {
  for (const [options, said] of [
    [['--pattern', 'SUMMER-####', '--count', '900'], 'Add 2 more #'],
    [['--pattern', 'SUMMER'], 'ending with #'],
    [['--pool', 'PLAIN'], 'no coupon PLAIN with a pool'],
    [['--pool', 'NONE'], 'no coupon NONE with a pool'],
  ] as const) {
    const refused = await generate('refused.txt', ...options);
    expect([said, (refused.exitCode ?? 0) > 0, refused.stderr.includes(said)]).toEqual([said, true, true]);
  }
  expect(await readdir(folder)).toEqual(['codes.txt']);
});

test('import adds codes of each line, again changes nothing, and names the lines that it cannot take', async () => {
  const [known = ''] = await codesIn('codes.txt');
  const file = join(folder, 'old.txt');
  await writeFile(file, `old-1001\n\nOLD 1002\nold-l002\nshort\nold_1003\n${known}\n`);
  const run = async () => {
    const { exitCode, stdout } = await runCli(url, [
      ...['coupon', 'import', file, ...where, '--pool', 'OLD', '--json'],
    ]);
    expect(exitCode).toBe(1);
    return JSON.parse(stdout) as { imported: number; unchanged: number; rejected: { line: number }[] };
  };
  const first = await run();
  expect(first).toMatchObject({ imported: 2, unchanged: 0 });
  expect(first.rejected.map(({ line }) => line).sort()).toEqual([4, 5, 6, 7]);
  expect(await run()).toMatchObject({ imported: 0, unchanged: 2 });
});

test('list counts and finds codes by their beginning; show and disable take one', async () => {
  const [code = ''] = await codesIn('codes.txt');
  const { pools } = await runJson<{ pools: object[] }>(url, ['coupon', 'list', ...where]);
  expect(pools).toEqual([
    { poolId: 'OLD', codes: 2, used: 0, uses: 0, assigned: 0, disabled: 0 },
    { poolId: 'SUMMER', codes: 25, used: 0, uses: 0, assigned: 0, disabled: 0 },
  ]);
  const begins = code.slice(0, 8);
  const { codes } = await runJson<{ codes: { prefix: string }[] }>(url, [
    ...['coupon', 'list', ...where, '--pool', 'SUMMER', '--prefix', begins.toLowerCase()],
  ]);
  expect(codes.length).toBeGreaterThan(0);
  expect(new Set(codes.map(({ prefix }) => prefix))).toEqual(new Set([begins]));
  const show = () => runJson<object>(url, ['coupon', 'show', code.toLowerCase(), ...where]);
  expect(await show()).toMatchObject({
    poolId: 'SUMMER',
    prefix: begins,
    state: 'open',
    uses: 0,
    usesAllowed: 3,
  });
  const disable = () => runCli(url, ['coupon', 'disable', code, ...where]);
  expect((await disable()).stdout).toBe(`${begins}… of pool SUMMER is disabled.\n`);
  const disabledAt = () =>
    counter.database.adminPool.query('select disabled_at from coupon_codes where disabled_at is not null');
  const first = (await disabledAt()).rows;
  expect((await disable()).stdout).toContain('disabled already');
  // The first time counts.
  expect((await disabledAt()).rows).toEqual(first);
  expect(await show()).toMatchObject({ state: 'disabled' });
  expect(await runCli(url, ['coupon', 'show', 'SUMMER-00000000', ...where])).toMatchObject({ exitCode: 1 });
});
