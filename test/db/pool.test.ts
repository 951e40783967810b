import { afterEach, describe, expect, test } from '@jest/globals';
import { createPool, type Pool, type PoolOptions } from '../../src/db/pool.ts';
import { createPrisma } from '../../src/db/prisma.ts';
import { useDatabase } from '../support/use-database.ts';

let pools: Pool[] = [];

const { database } = useDatabase();
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  pools = [];
});

function open(options: Partial<PoolOptions> = {}): Pool {
  const pool = createPool({ url: database.adminUrl, size: 2, ...options });
  pools.push(pool);
  return pool;
}

describe('createPool', () => {
  test('reads bigint as a number, timestamptz as a Date, json parsed', async () => {
    const { rows } = await open().query(
      `select 9007199254740991 as most, (-9007199254740991)::bigint as least, array[1, null, 2]::bigint[] as list,
              timestamptz '2026-01-02 03:04:05.678+00' as at, '{"a":[1]}'::json as document, 1.5::numeric as exact`,
    );
    expect(rows).toEqual([
      {
        most: Number.MAX_SAFE_INTEGER,
        least: Number.MIN_SAFE_INTEGER,
        list: [1, null, 2],
        at: new Date('2026-01-02T03:04:05.678Z'),
        document: { a: [1] },
        exact: '1.5',
      },
    ]);
  });

  test.each(['9007199254740992', '(-9007199254740992)::bigint', 'array[9007199254740993]'])(
    'refuses to round %s',
    async (value) => {
      await expect(open().query(`select ${value} as value`)).rejects.toThrow(RangeError);
    },
  );

  test("has the server's timeouts, and the server speaks first", async () => {
    const pool = open({ statementTimeoutMs: 150 });
    const { rows } = await pool.query(
      `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
              current_setting('idle_in_transaction_session_timeout') as idle`,
    );
    expect(rows).toEqual([{ statement: '150ms', lock: '5s', idle: '10s' }]);
    await expect(pool.query('select pg_sleep(5)')).rejects.toMatchObject({ code: '57014' });
  });

  test('takes the role of the server, and with it only its privileges', async () => {
    const pool = open({ role: 'rewards_app' });
    const { rows } = await pool.query('select current_user::text as role');
    expect(rows).toEqual([{ role: 'rewards_app' }]);
    await expect(pool.query('delete from postings')).rejects.toMatchObject({ code: '42501' });
    await expect(pool.query('create table mine (x int)')).rejects.toMatchObject({ code: '42501' });
    expect(() => createPool({ url: database.adminUrl, size: 1, role: 'a -c fsync=off' })).toThrow(
      /plain role/,
    );
  });

  test('keeps role and search_path where the URL has options of its own, which pg would prefer', async () => {
    const url = `${database.adminUrl}${database.adminUrl.includes('?') ? '&' : '?'}`;
    const own = encodeURIComponent('-c work_mem=1234kB -c search_path=pg_temp -c role=none');
    const pool = open({ url: `${url}options=${own}`, role: 'rewards_app' });
    const { rows } = await pool.query(
      `select current_user::text as role, current_setting('search_path') as path,
         current_setting('work_mem') as memory`,
    );
    expect(rows).toEqual([{ role: 'rewards_app', path: 'public,pg_temp', memory: '1234kB' }]);
  });

  test('finds the real table where a temporary one has its name, whatever the database sets', async () => {
    await database.adminPool.query(`alter database ${database.name} set search_path = pg_temp, public`);
    try {
      const pool = open({ size: 1 });
      await pool.query('create temporary table tenants (fake integer)');
      const { rows } = await pool.query(`select 'tenants'::regclass = 'public.tenants'::regclass as real`);
      expect(rows).toEqual([{ real: true }]);
    } finally {
      await database.adminPool.query(`alter database ${database.name} reset search_path`);
    }
  });

  test("the server's own login has the same privileges, and may append but not change", async () => {
    const pool = open({ url: database.serverUrl });
    await expect(pool.query('select count(*) from postings')).resolves.toBeDefined();
    for (const sql of [
      'update postings set amount = 1',
      'delete from postings',
      'update audit_events set action = $$x$$',
      'delete from consent_records',
      'truncate postings',
      'update program_versions set version = 2',
      'update environments set locked = false',
      'alter table postings disable trigger all',
      'set session_replication_role = replica',
    ]) {
      await expect(pool.query(sql)).rejects.toMatchObject({ code: '42501' });
    }
  });

  test('outlives connections that break, idle or in the middle of a transaction', async () => {
    const errors: Error[] = [];
    const pool = open({ onError: (error) => errors.push(error) });
    const idle = await pool.connect();
    const busy = await pool.connect();
    await busy.query('begin');
    const pids = await Promise.all(
      [idle, busy].map(async (client) => (await client.query('select pg_backend_pid() as pid')).rows[0].pid),
    );
    idle.release();
    const ended = Promise.all(
      [idle, busy].map((client) => new Promise((resolve) => client.once('end', resolve))),
    );
    await database.adminPool.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [pids]);
    await ended;
    await expect(busy.query('commit')).rejects.toThrow();
    busy.release(true);
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect(errors).toHaveLength(1);
  });
});

describe('createPrisma', () => {
  test('works over the shared pool, and leaves it open', async () => {
    const pool = open();
    const prisma = createPrisma(pool);
    const id = '01936f3e-0000-7000-8000-000000000001';
    await prisma.tenant.create({ data: { id, name: 'A' } });
    const { rows } = await pool.query('select name from tenants where id = $1', [id]);
    expect(rows).toEqual([{ name: 'A' }]);
    await expect(
      prisma.$transaction(async (transaction) => {
        await transaction.tenant.update({ where: { id }, data: { name: 'B' } });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await prisma.tenant.findUniqueOrThrow({ where: { id } })).toMatchObject({ name: 'A' });
    await prisma.$disconnect();
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});
