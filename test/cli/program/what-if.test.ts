import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { toTypeId } from '../../../src/ids.ts';
import type { SimulationReport } from '../../../src/what-if/report.ts';
import type { TriedPurchase } from '../../../src/what-if/try-purchase.ts';
import { runCli, runJson } from '../../support/cli/run-cli.ts';
import { useFolder } from '../../support/fixture.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { useCounter } from '../../support/ledger/use-counter.ts';
import { program, rule, tier } from '../../support/rules/fixtures.ts';

let shop: Shop;
let url: string;
let environment: string[];

const published = program({ memberLimit: { points: 10_000, period: 'lifetime', onExceed: 'trim' } });

const folder = useFolder('what-if-');
const counter = useCounter({ twins: true });

beforeAll(async () => {
  url = counter.database.adminUrl;
  shop = await counter.environment(published);
  environment = ['-e', toTypeId('env', shop.id)];
  const writer = counter.writer();
  await shop.addMembers(writer, ['ann', 'ben']);
  for (const [customer, amountMinor] of [
    ['ann', 150_000],
    ['ann', 20_000],
    ['ben', 5_000],
  ] as const) {
    await writer.submit(shop.earn(customer, { amountMinor }));
  }
});

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const draftFile = (overrides: Parameters<typeof program>[0] = {}) =>
  file('draft.yaml', stringify(program(overrides)));

describe('program simulate', () => {
  const double = () => draftFile({ earn: { rules: [rule('twice', [], { rateNumerator: 2 })] } });

  test('says what would change, as tables', async () => {
    const { exitCode, stdout } = await runCli(url, [
      'program',
      'simulate',
      await double(),
      ...environment,
      '--top',
      '1',
    ]);
    expect(exitCode).toBe(0);
    // 1,500, then 200 as silver (×5/4), then 50; under the draft 3,000, 400 as silver, 100.
    expect(stdout).toMatch(
      /^The draft would have issued 100\.0 % more points \(\+1,800\): 2 members better off, none worse\.\n\nCoffee Club \(coffee-club\): 3 purchases, up to .*\nThe draft \S+draft\.yaml compared with what is published \(version 1\)\.\n/,
    );
    expect(stdout).toMatch(/^awarded\s+1,800\s+3,600\s+\+1,800\s+\+100\.0 %$/m);
    expect(stdout).toMatch(/^rule base\s+1,750\s+0\s+-1,750\s+-100\.0 %$/m);
    expect(stdout).toMatch(/^rule twice\s+0\s+3,500\s+\+3,500\s+new$/m);
    expect(stdout).toMatch(/^tier multiplier silver\s+50\s+100\s+\+50\s+\+100\.0 %$/m);
    expect(stdout).toContain('Members: 2. Better off: 2 (+1,800). Worse off: 0 (0). The same: 0.');
    expect(stdout).toMatch(/^ann\s+1,750\s+3,500\s+\+1,750$/m);
    expect(stdout).not.toMatch(/^ben/m);
  });

  test('as JSON and as a page', async () => {
    const html = join(folder, 'page.html');
    const report = await runJson<SimulationReport>(url, [
      'program',
      'simulate',
      await double(),
      ...environment,
      '--html',
      html,
    ]);
    expect(report.points.total).toEqual({ now: '1800', draft: '3600', difference: '1800' });
    expect(report.environmentId).toBe(environment[1]);
    const page = await readFile(html, 'utf8');
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toContain('+1,800 points');
    expect(page).toMatch(/The draft \S+draft\.yaml compared with what is published \(version 1\)\./);
  });

  test('hints where the period holds nothing, or is none', async () => {
    const past = ['program', 'simulate', await double(), ...environment, '--to', '2001-01-01'];
    const { exitCode, stderr } = await runCli(url, past);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining('No event of the program lies in this period'),
    });
    expect((await runCli(url, [...past, '--from', '2002-01-01'])).exitCode).toBe(2);
  });

  test('names what is wrong with the draft, by line and path', async () => {
    const broken = await draftFile({ tiers: [tier('bronze', 5, 1)] });
    for (const command of [
      ['simulate', broken, ...environment],
      ['try', broken, '--purchase', broken],
    ]) {
      const { exitCode, stderr } = await runCli(url, ['program', ...command]);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/draft\.yaml:\d+:\d+ tiers\[0\]\.threshold /);
    }
  });

  test('compares only what can be compared', async () => {
    const other = await draftFile({ id: 'tea-club' });
    const { exitCode, stderr } = await runCli(url, ['program', 'simulate', other, ...environment]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr:
        'No version of program tea-club is published there. What is published: rewards program list. First publish ' +
        'a version (rewards program publish), or import a history (rewards import purchases) under one.\n',
    });
  });
});

describe('program try', () => {
  const purchase = () => file('purchase.json', { amountMinor: 1_250, channel: 'web' });
  const attempt = async (...more: string[]) =>
    runCli(url, ['program', 'try', await draftFile(), '--purchase', await purchase(), ...more]);

  test('explains one purchase', async () => {
    const { exitCode, stdout } = await attempt();
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Evaluated at \S+ under the draft \S+draft\.yaml of coffee-club\.$/m);
    expect(stdout).not.toContain('version');
    expect(stdout).toContain(
      ' 1. Rule base applies: 1250 × 1 ÷ (1 × 10^2) = 12.5, rounded (floor) to 12 points.',
    );
    expect(stdout).toMatch(/^earn rule\s+base\s+yes\s+12$/m);
    expect(stdout).toContain('After the purchase the member is in tier bronze.');
  });

  test('by a member of a file, and by a customer of an environment', async () => {
    const member = await file('member.json', { tier: 'gold' });
    expect((await attempt('--member', member)).stdout).toMatch(/^tier\s+gold\s+yes\s+6\s/m);
    const known = await runJson<TriedPurchase>(url, [
      'program',
      'try',
      await file('limited.yaml', stringify(published)),
      '--purchase',
      await file('large.json', { amountMinor: 1_000_000, channel: 'app' }),
      ...environment,
      '--customer',
      'ann',
    ]);
    // Silver by 1,700 points: 12,500, of which what is left of the limit after 1,750.
    expect(known.award.points).toBe(8_250);
    expect(known.tier).toBe('gold');
    expect(
      await counter.value('select count(*)::integer from orders where environment_id = $1', [shop.id]),
    ).toBe(3);
  });

  test('at another time: on the clock of the program, or at an instant', async () => {
    const evaluated = async (at: string, timeZone: string): Promise<string | undefined> => {
      const draft = await file('zoned.yaml', stringify(program({ timeZone })));
      const run = await runCli(url, [
        ...['program', 'try', draft],
        '--purchase',
        await purchase(),
        '--at',
        at,
      ]);
      expect(run).toMatchObject({ exitCode: 0, stderr: '' });
      return /^Evaluated at (\S+)/m.exec(run.stdout)?.[1];
    };
    expect(await evaluated('2027-05-04T10:00', 'America/New_York')).toBe('2027-05-04T14:00:00.000Z');
    expect(await evaluated('2027-12-04T10:00:30', 'America/New_York')).toBe('2027-12-04T15:00:30.000Z');
    expect(await evaluated('2027-03-14T03:00', 'America/New_York')).toBe('2027-03-14T07:00:00.000Z');
    expect(await evaluated('2027-05-04T10:00:00Z', 'America/New_York')).toBe('2027-05-04T10:00:00.000Z');
    expect(await evaluated('2027-05-04', 'Pacific/Auckland')).toBe('2027-05-03T12:00:00.000Z');
    expect(await evaluated('2027-05-04', 'America/New_York')).toBe('2027-05-04T04:00:00.000Z');
    // Clocks go forward at midnight there: the day begins at 01:00. Elsewhere they go back to it: the first one counts.
    expect(await evaluated('2023-03-26', 'Asia/Beirut')).toBe('2023-03-25T22:00:00.000Z');
    expect(await evaluated('2021-10-29', 'Asia/Amman')).toBe('2021-10-28T21:00:00.000Z');
    const skipped = await file('skipped.yaml', stringify(program({ timeZone: 'America/New_York' })));
    const gap = await runCli(url, [
      ...['program', 'try', skipped, '--purchase', await purchase(), '--at', '2027-03-14T02:30'],
    ]);
    expect(gap).toMatchObject({
      exitCode: 2,
      stderr: 'The clock of America/New_York skips that time of day.\n',
    });
    for (const none of ['2027-05-04T25:00', '2027-02-30T10:00', '2027-13-01T10:00:00']) {
      const wrong = await attempt('--at', none);
      expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no such day or time') });
    }
  });

  test('says what is wrong with what it is given', async () => {
    const wrong: [string, RegExp][] = [
      [
        await file('a.json', '{"amountMinor": -1, "channel": "web"}'),
        /refused: invalid_event: .* amountMinor must be at least 0\.\n.*a\.json: amountMinor /,
      ],
      [
        await file('b.json', '{"amountMinor": 1}'),
        /refused: invalid_event: .*\n.*b\.json: channel is required/,
      ],
      [
        await file('g.json', '{"type": "purchase.begun", "amountMinor": 1.5, "channel": "web"}'),
        /refused: invalid_event: .* type must be purchase\.completed\.\n.*: type .*\n.*: amountMinor must be /,
      ],
      [await file('c.json', '[]'), /refused: invalid_json: .*c\.json: The body is not a JSON object/],
      [
        await file('h.json', '{\n  "amountMinor": 1,\n  "channel" "web"\n}'),
        /refused: invalid_json: .*h\.json:3:13: The body is not JSON: "\\"" does not fit, at line 3, column 13\.\n/,
      ],
      [
        await file('i.json', '{\n  "amountMinor": 1,\n'),
        /refused: invalid_json: .*i\.json:3:1: The body is not JSON: it ends too early, /,
      ],
      [
        await file('j.json', '{\n  "amountMinor":\n'),
        /j\.json:\d:\d+: The body is not JSON: it ends too early, /,
      ],
      [
        await file('k.json', '{"amountMinor": one}'),
        /k\.json:1:17: The body is not JSON: "o" does not fit, /,
      ],
      [
        await file('d.json', '{"amountMinor": 1, "amountMinor": 2}'),
        /refused: invalid_json: .*d\.json:1:20: The body has a key twice/,
      ],
      [join(folder, 'e.json'), /e\.json cannot be read/],
      [
        await file('f.json', { programId: 'tea-club', amountMinor: 1, channel: 'web' }),
        /purchase of tea-club/,
      ],
    ];
    for (const [path, message] of wrong) {
      const { exitCode, stderr } = await runCli(url, [
        'program',
        'try',
        await draftFile(),
        '--purchase',
        path,
      ]);
      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringMatching(message) });
    }
    const member = await file('typo.json', { tier: 'platinum' });
    expect((await attempt('--member', member)).stderr).toContain('tier is none of the draft');
    const cut = await file('cut.json', '{"tier" "gold"}');
    expect((await attempt('--member', cut)).stderr).toMatch(
      /cut\.json:1:9: It is not JSON: "\\"" does not fit, /,
    );
    const unknown = await file('unknown.json', { level: 'gold' });
    expect((await attempt('--member', unknown)).stderr).toMatch(/unknown\.json: .*level/);
    expect((await attempt(...environment)).exitCode).toBe(2);
    expect((await attempt(...environment, '--customer', 'zoe')).stderr).toContain('There is no member "zoe"');
  });

  test('ends with 1 where the purchase would be refused', async () => {
    const euros = await file('euros.json', { amountMinor: 100, channel: 'web', currency: 'EUR' });
    const args = ['program', 'try', await draftFile(), '--purchase', euros];
    const { exitCode, stderr } = await runCli(url, args);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining('It would be refused: currency_mismatch'),
    });
    const broken = await file('broken.json', { amountMinor: -1, channel: 'web' });
    const malformed = ['program', 'try', await draftFile(), '--purchase', broken, '--json'];
    const told = await runCli(url, malformed);
    expect(told.exitCode).toBe(1);
    expect(JSON.parse(told.stdout)).toMatchObject({
      refused: {
        code: 'invalid_event',
        details: [{ path: 'amountMinor', message: 'must be at least 0' }],
      },
    });
    const asJson = await runCli(url, [...args, '--json']);
    expect(asJson.exitCode).toBe(1);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ refused: { code: 'currency_mismatch' } });
  });
});
