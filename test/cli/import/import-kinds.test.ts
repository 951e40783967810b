import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { runCli, runJson } from '../../support/cli/run-cli.ts';
import { atEnd, useFolder } from '../../support/fixture.ts';
import { useDatabase } from '../../support/use-database.ts';
import { validateStored } from '../../support/webhooks/validate-event.ts';

const HEADERS = {
  members: 'external_customer_id,consent_status,notice_version,display_name,tags,program_id,tier',
  balances: 'external_customer_id,points,reference,expires_at',
  exchange: 'settlement_reference,partner_id,direction,external_customer_id,points,reverses',
} as const;
type Kind = keyof typeof HEADERS;
const KINDS = Object.keys(HEADERS) as Kind[];

let tenantId: string;
let environmentId: string;

const folder = useFolder('rewards-import-');
const { database } = useDatabase();

beforeAll(async () => {
  ({ tenantId } = await runJson<{ tenantId: string }>(database.adminUrl, ['tenant', 'create', 'T']));
});

atEnd(async () => expect(await validateStored(database.adminPool)).toEqual([]));

beforeEach(async () => {
  const create = ['env', 'create', '--tenant', tenantId, '--kind', 'sandbox'];
  environmentId = (await runJson<{ environmentId: string }>(database.adminUrl, create)).environmentId;
  await runJson(database.adminUrl, ['program', 'publish', 'demo/coffee-club.yaml', '-e', environmentId]);
});

/** Arguments that import these lines, without their header; `rejected.csv` reports. */
async function importOf(kind: Kind, ...lines: string[]): Promise<string[]> {
  return importOfText(kind, [HEADERS[kind], ...lines, ''].join('\n'));
}

async function importOfText(kind: Kind, text: string | Buffer): Promise<string[]> {
  const file = join(folder, `${kind}.csv`);
  await writeFile(file, text);
  const report = ['--report', join(folder, 'rejected.csv')];
  return ['import', kind, file, '-e', environmentId, '-p', 'coffee-club', ...report];
}

interface Imported {
  exitCode: number | null;
  rows: number;
  committed: number;
  replayed: number;
  rejected: number;
  committedPoints: string;
  replayedPoints: string;
  membersCreated: number;
  kind: string;
}

async function imports(kind: Kind, ...lines: string[]): Promise<Imported> {
  const run = await runCli(database.adminUrl, [...(await importOf(kind, ...lines)), '--json']);
  return { exitCode: run.exitCode, ...(JSON.parse(run.stdout) as Omit<Imported, 'exitCode'>) };
}

/** The rejected rows of the last import: line, reference and code, and by line the messages. */
async function rejected(): Promise<{ rows: string[]; messages: Record<string, string> }> {
  const [, ...lines] = (await readFile(join(folder, 'rejected.csv'), 'utf8')).trimEnd().split('\n');
  const split = lines.map((line) => /^(\d+,[^,]*,[a-z_]+),(.*)$/.exec(line) ?? []);
  return {
    rows: split.map(([, named = '']) => named),
    messages: Object.fromEntries(split.map(([, named = '', message = '']) => [named.split(',')[0], message])),
  };
}

/** The only value of a statement, in which `$env` stands for the newest environment. */
async function value<T>(sql: string): Promise<T> {
  const uuid = `(select id from environments order by created_at desc, id desc limit 1)`;
  const { rows } = await database.adminPool.query(sql.replaceAll('$env', uuid));
  return Object.values(rows[0] ?? {})[0] as T;
}

/** Members that are enrolled, for imports of points. */
async function enroll(...customers: string[]): Promise<void> {
  const { rejected: refused } = await imports('members', ...customers.map((id) => `${id},opted_in,v1,,,,`));
  expect(refused).toBe(0);
}

async function expectCleanBooks(): Promise<void> {
  const verified = await runJson<{ passed: boolean }>(database.adminUrl, [
    'verify',
    'ledger',
    '-e',
    environmentId,
  ]);
  expect(verified).toMatchObject({ passed: true });
}

describe('members', () => {
  test('are created with name, tags and tier, and enrolled', async () => {
    const args = await importOf(
      'members',
      'ada,opted_in,2026-01,Ada L.,vip; press ;vip,coffee-club,gold',
      'ben,opted_in,2026-01,,,,',
    );
    expect(await runCli(database.adminUrl, args)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('committed  2, 2 new members'),
    });
    const member = async (id: string) =>
      runJson<{ tags: string[]; programs: object[] }>(database.adminUrl, [
        'member',
        'show',
        id,
        '-e',
        environmentId,
      ]);
    expect(await member('ada')).toMatchObject({
      tags: ['press', 'vip'],
      programs: [{ programId: 'coffee-club', status: 'enrolled', tier: 'gold' }],
    });
    expect(await member('ben')).toMatchObject({ tags: [], programs: [{ tier: 'bronze' }] });
    expect(await value(`select string_agg(display_name, '') from members where environment_id = $env`)).toBe(
      'Ada L.',
    );
  });

  test('who are there already are counted, and stay as they are', async () => {
    await imports('members', 'ada,opted_in,v1,Ada,vip,,gold');
    const again = await imports(
      'members',
      'ada,opted_in,v1,Ada,vip,,gold',
      'ada,opted_in,v2,Eve,press,,silver',
    );
    expect(again).toMatchObject({ exitCode: 0, committed: 0, replayed: 2, rejected: 0, membersCreated: 0 });
    expect(await value('select tags from members where environment_id = $env')).toEqual(['vip']);
    expect(await value('select count(*)::integer from consent_records where environment_id = $env')).toBe(2);
    expect(await value('select tier from program_profiles where environment_id = $env')).toBe('gold');
  });

  test('of another import are enrolled where they never were', async () => {
    const args = await importOf('members', 'ada,opted_in,v1,,,,');
    const inNone = args.filter((arg) => arg !== '-p' && arg !== 'coffee-club');
    expect((await runCli(database.adminUrl, inNone)).exitCode).toBe(0);
    expect(await value('select count(*)::integer from program_profiles where environment_id = $env')).toBe(0);
    expect(await imports('members', 'ada,opted_in,v1,,,,')).toMatchObject({
      committed: 1,
      membersCreated: 0,
    });
  });

  test('of wrong rows are rejected, and nothing of them is written', async () => {
    const run = await imports(
      'members',
      ',opted_in,v1,,,,',
      'b,maybe,v1,,,,',
      'c,opted_in,,,,,',
      'd,opted_out,v1,,,,',
      'e,opted_in,v1,,a;;b,,',
      'f,opted_in,v1,,,tea-club,',
      'g,opted_in,v1,,,,diamond',
      'h,opted_in',
      ' i,opted_in,v1,,,,',
      `j,opted_in,v1,${'x'.repeat(201)},,,`,
      `k,opted_in,v1,,${Array.from({ length: 51 }, (_, n) => `t${n}`).join(';')},,`,
    );
    expect(run).toMatchObject({ exitCode: 1, rows: 11, committed: 0, rejected: 11 });
    const { rows, messages } = await rejected();
    expect(rows).toEqual([
      '2,,invalid_row',
      '3,b,invalid_row',
      '4,c,invalid_row',
      '5,d,invalid_row',
      '6,e,invalid_row',
      '7,f,program_not_found',
      '8,g,unknown_tier',
      '9,,invalid_row',
      '10, i,invalid_row',
      '11,j,invalid_row',
      '12,k,invalid_row',
    ]);
    expect(messages).toMatchObject({
      3: expect.stringContaining('consent_status must be one of opted_in, opted_out'),
      5: expect.stringContaining('nobody is enrolled without consent'),
      6: expect.stringContaining('tags must be at most 50 tags'),
      8: expect.stringMatching(/tier must be one of bronze, /),
    });
    expect(await value('select count(*)::integer from members where environment_id = $env')).toBe(0);
  });

  test('who have left the program are not enrolled again', async () => {
    await enroll('ada');
    await value(
      'update program_profiles set enrolled = false, unenrolled_at = now() where environment_id = $env',
    );
    await value(`delete from idempotency_keys where operation = 'enrollMember' and environment_id = $env`);
    expect(await imports('members', 'ada,opted_in,v1,,,,')).toMatchObject({ rejected: 1 });
    expect((await rejected()).rows).toEqual(['2,ada,enrollment_required']);
  });

  test.each([
    [
      'left the program',
      'update program_profiles set enrolled = false, unenrolled_at = now() where environment_id = $env',
    ],
    ['withdrawn consent', `update members set consent_status = 'withdrawn' where environment_id = $env`],
  ])(
    'whom an import enrolled and who have %s since: the same row is a replay, another one is rejected',
    async (why, sql) => {
      await imports('members', 'ada,opted_in,v1,,,,');
      await value(sql);
      const again = await imports('members', 'ada,opted_in,v1,,,,', 'ada,opted_in,v2,,,,');
      expect(again).toMatchObject({ replayed: 1, rejected: 1 });
      const { rows, messages } = await rejected();
      expect(rows).toEqual(['3,ada,enrollment_required']);
      expect(messages).toEqual({ 3: expect.stringContaining(why) });
      expect(await value('select count(*)::integer from consent_records where environment_id = $env')).toBe(
        2,
      );
    },
  );
});

describe('balances', () => {
  test('become lots with dates of their own, once', async () => {
    await enroll('ada', 'ben');
    const lines = [
      'ada,500,old-1,2099-06-30',
      'ada,20,old-2,never',
      'ben,7,old-3,',
      'ben,1,old-4,2099-01-01T10:00:00+02:00',
    ];
    const first = await imports('balances', ...lines);
    expect(first).toMatchObject({ exitCode: 0, kind: 'balances', committed: 4, committedPoints: '528' });
    const again = await imports('balances', ...lines);
    expect(again).toMatchObject({ exitCode: 0, committed: 0, replayed: 4, replayedPoints: '528' });
    expect(
      await value(
        `select array_agg(granted || ' ' || coalesce((expires_at at time zone 'UTC')::text, 'never') order by granted)
         from lots where granted <> 7 and environment_id = $env`,
      ),
    ).toEqual(['1 2099-01-01 08:00:00', '20 never', '500 2099-06-30 00:00:00']);
    // No award: the imports alone are reported, each with its kind.
    expect(
      await value(
        `select array_agg(type || ' ' || (data ->> 'kind') order by written_at) from events
         where type not in ('member.created', 'member.enrolled', 'program.published', 'adjustment.posted') and environment_id = $env`,
      ),
    ).toEqual(['members', 'balances', 'balances'].map((kind) => `import.completed ${kind}`));
    await expectCleanBooks();
  });

  test('of wrong rows are rejected, and nothing of them is written', async () => {
    await enroll('ada');
    const run = await imports(
      'balances',
      'ada,0,r-1,',
      'ada,1.5,r-2,',
      'ada,-3,r-3,',
      'ada,9007199254740992,r-4,',
      'ada,99999999999999999999,r-5,',
      'ada,,r-6,',
      'ada,5,,',
      'ada,5,r-8,2020-01-01',
      'ada,5,r-9,31.12.2030',
      'ada,5,r-10,2030-02-30',
      'eve,5,r-11,',
      ',5,r-12,',
      'ada,5',
      'ada,9007199254740991,r-14,',
      'ada,1,r-15,',
      'ada,2,r-14,',
    );
    expect(run).toMatchObject({ exitCode: 1, rows: 16, committed: 1, rejected: 15 });
    const { rows, messages } = await rejected();
    expect(rows).toEqual([
      ...[1, 2, 3, 4, 5, 6].map((n) => `${n + 1},r-${n},invalid_row`),
      '8,,invalid_row',
      '9,r-8,validation_failed',
      '10,r-9,invalid_row',
      '11,r-10,invalid_row',
      '12,r-11,member_not_found',
      '13,r-12,invalid_row',
      '14,,invalid_row',
      '16,r-15,balance_limit_exceeded',
      '17,r-14,idempotency_key_reused',
    ]);
    expect(messages).toMatchObject({
      5: expect.stringContaining('points must be an integer of points'),
      9: expect.stringContaining('expires_at must be in the future (found ""2020-01-01"")'),
      17: expect.stringContaining('reference was used by an earlier row'),
    });
    expect(await value('select sum(granted)::text from lots where environment_id = $env')).toBe(
      '9007199254740991',
    );
  });
});

describe('exchange', () => {
  test('settles and reverses, in the order of the file, once', async () => {
    await enroll('ada');
    const lines = [
      's-1,airline,in,ada,500,',
      's-2,airline,out,ada,200,',
      's-3,hotel,in,ada,50,',
      'r-2,airline,out,ada,200,s-2',
      'r-3,,,ada,,s-3',
    ];
    const first = await imports('exchange', ...lines);
    expect(first).toMatchObject({ exitCode: 0, kind: 'exchange', committed: 5, committedPoints: '1000' });
    const again = await imports('exchange', ...lines);
    expect(again).toMatchObject({ exitCode: 0, committed: 0, replayed: 5, replayedPoints: '1000' });
    expect(await value('select available::integer from program_profiles where environment_id = $env')).toBe(
      500,
    );
    const types = await value(
      `select array_agg(type order by written_at, id) from events where environment_id = $env
       and (type like 'exchange.%' or type = 'points.earned')`,
    );
    expect([...(types as string[])].sort()).toEqual([
      'exchange.reversed',
      'exchange.reversed',
      'exchange.settled',
      'exchange.settled',
      'exchange.settled',
      'points.earned',
      'points.earned',
    ]);
    await expectCleanBooks();
    const saved = join(folder, 'close.json');
    const close = ['close', '-e', environmentId, '-p', 'coffee-club', '--out', saved];
    expect((await runCli(database.adminUrl, close)).exitCode).toBe(0);
    const { rollForward } = JSON.parse(await readFile(saved, 'utf8')) as { rollForward: object[] };
    expect(rollForward).toEqual(
      expect.arrayContaining([
        { line: 'exchanged_in', points: '550' },
        { line: 'exchanged_out', points: '-200' },
        { line: 'exchanges_in_reversed', points: '-50' },
        { line: 'exchanges_out_reversed', points: '200' },
        { line: 'closing', points: '500' },
      ]),
    );
  });

  test('of wrong rows is rejected, and nothing of them is written', async () => {
    await enroll('ada', 'ben');
    await imports(
      'exchange',
      's-1,airline,in,ada,500,',
      's-2,airline,in,ada,10,',
      'r-2,airline,in,ada,10,s-2',
    );
    const run = await imports(
      'exchange',
      's-1,airline,in,ada,501,',
      's-3,airline,sideways,ada,5,',
      's-4,,in,ada,5,',
      's-5,airline,in,ada,9007199254740992,',
      's-6,airline,in,ada,0,',
      's-7,airline,out,ada,501,',
      's-8,airline,in,eve,5,',
      ',airline,in,ada,5,',
      's-10,airline,in,,5,',
      'r-1,airline,in,ada,500,s-9',
      'r-2b,airline,in,ada,10,s-2',
      'r-3,airline,in,ada,10,r-2',
      'r-4,airline,in,ben,500,s-1',
      'r-5,hotel,in,ada,500,s-1',
      'r-6,airline,in,ada,499,s-1',
      's-1,airline,in,ada,500,s-2',
      's-11,airline,in,ada,5,s-11',
      's-12,airline,in,ada',
    );
    expect(run).toMatchObject({ exitCode: 1, rows: 18, committed: 0, rejected: 18 });
    const { rows, messages } = await rejected();
    expect(rows).toEqual([
      '2,s-1,idempotency_key_reused',
      '3,s-3,invalid_row',
      '4,s-4,invalid_row',
      '5,s-5,invalid_row',
      '6,s-6,invalid_row',
      '7,s-7,insufficient_points',
      '8,s-8,member_not_found',
      '9,,invalid_row',
      '10,s-10,invalid_row',
      '11,r-1,settlement_not_found',
      '12,r-2b,invalid_settlement_state',
      '13,r-3,invalid_settlement_state',
      '14,r-4,settlement_not_found',
      '15,r-5,validation_failed',
      '16,r-6,validation_failed',
      '17,s-1,source_reference_conflict',
      '18,s-11,invalid_row',
      '19,,invalid_row',
    ]);
    expect(messages).toMatchObject({
      3: expect.stringContaining('direction must be in (the member gets points) or out'),
      15: expect.stringContaining('partner_id must be airline, as in the settlement (found ""hotel"")'),
      16: expect.stringContaining('points must be 500, as in the settlement'),
    });
    expect(
      await value('select count(*)::integer from exchange_settlements where environment_id = $env'),
    ).toBe(3);
    await expectCleanBooks();
  });
});

describe.each(KINDS)('a file of %s', (kind) => {
  const [first] = HEADERS[kind].split(',') as [string];
  test.each<[string, string | Buffer, RegExp]>([
    ['that is empty', '', /The file is empty/],
    ['with an unknown column', `${HEADERS[kind]},email\n`, /unknown column "email"/],
    ['with a doubled column', `${HEADERS[kind]},${first}\n`, /stands twice/],
    ['without a required column', `${HEADERS[kind].slice(first.length + 1)}\n`, /is missing/],
    ['with semicolons', `${HEADERS[kind].replaceAll(',', ';')}\n`, /separated by semicolons/],
    ['with a quote that is never closed', `${HEADERS[kind]}\n"a,b\n`, /[Qq]uote/],
    ['in Latin-1', Buffer.from(`${HEADERS[kind]}\nJos\u00e9\n`, 'latin1'), /Line 2 is not UTF-8/],
  ])('%s is refused before anything is written', async (_what, text, message) => {
    const run = await runCli(database.adminUrl, await importOfText(kind, text));
    expect(run).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringMatching(message) });
    expect(await value('select count(*)::integer from operations where environment_id = $env')).toBe(0);
  });

  test('for an unknown program is refused before anything is written', async () => {
    const args = (await importOf(kind)).map((arg) => (arg === 'coffee-club' ? 'tea-club' : arg));
    const run = await runCli(database.adminUrl, args);
    expect(run).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('No program tea-club is published'),
    });
    expect(await value('select count(*)::integer from operations where environment_id = $env')).toBe(0);
  });
});
