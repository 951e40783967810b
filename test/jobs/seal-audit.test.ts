import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Pool } from '../../src/db/pool.ts';
import { createPool } from '../../src/db/pool.ts';
import { newUuid } from '../../src/ids.ts';
import { sealAudit } from '../../src/jobs/seal-audit.ts';
import { type AuditVerdict, readAuditHead, verifyAudit } from '../../src/queries/audit/verify-audit.ts';
import { atEnd } from '../support/fixture.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { useCounter, useWriter } from '../support/ledger/use-counter.ts';
import { until } from '../support/until.ts';

/** Connections of two processes, with the privileges of the server. */
let pools: [Pool, Pool];

const counter = useCounter();
const writer = useWriter(counter);

beforeAll(() => {
  const open = () => createPool({ url: counter.database.serverUrl, role: 'rewards_app', size: 2 });
  pools = [open(), open()];
});

atEnd(async () => {
  for (const pool of pools) await pool.end();
});

const write = (shop: Shop, count: number) =>
  Promise.all(Array.from({ length: count }, () => writer.submit(shop.createMember(newUuid()))));

const query = (sql: string, values: unknown[] = []) => counter.database.adminPool.query(sql, values);

async function verify(shop: Shop, noted?: AuditVerdict['head']): Promise<AuditVerdict> {
  const client = await counter.database.adminPool.connect();
  return verifyAudit(client, shop.id, { noted: noted ?? null }).finally(() => client.release());
}

const problems = (verdict: AuditVerdict) =>
  verdict.breaks.map(({ position, problem }) => [position, problem]);

const CHANGED = 'The event, its place or a hash was changed after it was sealed.';

describe('sealing', () => {
  test('every event once, by two processes at once, while events are written', async () => {
    const shop = await counter.environment();
    const before = await verify(shop);
    expect(before).toEqual({
      head: { position: 0, hash: '0'.repeat(64) },
      checked: 0,
      breaks: [],
      breakCount: 0,
    });
    let writing = true;
    const sealing = pools.map(async (pool) => {
      while (writing) await sealAudit(pool);
    });
    for (let round = 0; round < 10; round++) await write(shop, 20);
    writing = false;
    await Promise.all(sealing);
    await sealAudit(pools[0]);
    const verdict = await verify(shop);
    expect(verdict).toMatchObject({ checked: 200, breakCount: 0, head: { position: 200 } });
    expect(await sealAudit(pools[1])).toBe(0);
  });

  test('in the order of the times; what commits late comes when it has committed', async () => {
    const shop = await counter.environment();
    const late = await counter.database.adminPool.connect();
    await late.query('begin');
    await late.query(
      `insert into audit_events (environment_id, id, action, target_type, target_id, actor_type, actor_id, request_id,
         changes, at)
       values ($1, $2, 'late', 'thing', 'thing', 'system', 'time', 'req', '{}', clock_timestamp())`,
      [shop.id, newUuid()],
    );
    await write(shop, 3);
    for (let run = 0; run < 3; run++) await sealAudit(pools[0]);
    expect((await verify(shop)).checked).toBe(3);
    await late.query('commit');
    late.release();
    expect(await sealAudit(pools[0])).toBe(1);
    const { rows } = await query(
      `select e.action from audit_seals s join audit_events e on e.environment_id = s.environment_id and e.id = s.event_id
       where s.environment_id = $1 order by s.chain_position`,
      [shop.id],
    );
    expect(rows.map(({ action }) => action)).toEqual([...Array(3).fill('member.created'), 'late']);
    expect((await verify(shop)).breakCount).toBe(0);
  });

  test('what is settled is not looked through again, once no transaction is open that could add to it', async () => {
    const shop = await counter.environment();
    const settledUntil = () =>
      counter.value<Date | number>('select settled_until from audit_heads where environment_id = $1', [
        shop.id,
      ]);
    await write(shop, 1);
    await sealAudit(pools[0]);
    await query(
      `with head as materialized (
         select pending_until + interval '1 hour' as later from audit_heads where environment_id = $1
       )
       update audit_heads set pending_until = later from head
       where environment_id = $1`,
      [shop.id],
    );
    // Transactions of other databases of the server count too.
    await until(async () => {
      await sealAudit(pools[0]);
      return (await settledUntil()) instanceof Date;
    }, 'the event is settled');
    expect(await settledUntil()).toBeInstanceOf(Date);
    expect((await settledUntil()) > new Date()).toBe(true);
  }, 300_000);

  test('an event may say that it was up to a minute before the transaction that writes it', async () => {
    const shop = await counter.environment();
    await write(shop, 1);
    await sealAudit(pools[0]);
    // As if that run had been 100 seconds ago. The next one settles what is a minute older than it.
    await query(
      `update audit_heads set pending_until = pending_until - interval '100 seconds' where environment_id = $1`,
      [shop.id],
    );
    await write(shop, 1);
    await until(async () => {
      await sealAudit(pools[0]);
      return counter.value('select isfinite(settled_until) from audit_heads where environment_id = $1', [
        shop.id,
      ]);
    }, 'that run is settled');
    await query(
      `insert into audit_events select environment_id, $2, action, target_type, target_id, actor_type, actor_id, request_id,
         changes, now() - interval '130 seconds'
       from audit_events where environment_id = $1 limit 1`,
      [shop.id, newUuid()],
    );
    expect(await sealAudit(pools[0])).toBe(1);
  });

  test('a quiet environment is settled up to its last event, and then not looked at any more', async () => {
    const shop = await counter.environment();
    const head = async () =>
      (
        await query(
          `select settled_until > (select max(at) from audit_events where environment_id = $1) as settled, pending_until
           from audit_heads where environment_id = $1`,
          [shop.id],
        )
      ).rows[0] as { settled: boolean; pending_until: Date };
    await write(shop, 1);
    await sealAudit(pools[0]);
    expect((await head()).settled).toBe(false);
    // As if the run had been a while after the event: what is a minute older than it can be settled. No event comes
    // after it.
    await query(
      `update audit_heads set pending_until = pending_until + interval '100 seconds' where environment_id = $1`,
      [shop.id],
    );
    await until(async () => {
      await sealAudit(pools[0]);
      return (await head()).settled;
    }, 'the last event is settled');
    const { pending_until: pending } = await head();
    await sealAudit(pools[0]);
    expect((await head()).pending_until).toEqual(pending);
  }, 300_000);

  test('waits for the transactions of its first run, however many runs come meanwhile', async () => {
    const shop = await counter.environment();
    const open = await counter.database.adminPool.connect();
    const pending = () =>
      counter.value<Date>('select pending_until from audit_heads where environment_id = $1', [shop.id]);
    try {
      await open.query('begin');
      await open.query('select pg_current_xact_id()');
      await write(shop, 1);
      await sealAudit(pools[0]);
      const first = await pending();
      await write(shop, 1);
      await sealAudit(pools[0]);
      expect(await pending()).toEqual(first);
    } finally {
      await open.query('rollback');
      open.release();
    }
    await until(async () => {
      await write(shop, 1);
      await sealAudit(pools[0]);
      return counter.value('select isfinite(settled_until) from audit_heads where environment_id = $1', [
        shop.id,
      ]);
    }, 'its first run is settled');
  });

  test('the server may neither change nor remove a seal or an event', async () => {
    for (const statement of [
      'update audit_seals set hash = hash',
      'delete from audit_seals',
      'truncate audit_seals',
      'update audit_events set action = action',
      'delete from audit_events',
      'delete from audit_heads',
    ]) {
      await expect(pools[0].query(statement)).rejects.toMatchObject({ code: '42501' });
    }
  });
});

describe('verifying says where a chain breaks', () => {
  let shop: Shop;
  async function sealed(): Promise<Shop> {
    shop = await counter.environment();
    await write(shop, 6);
    await sealAudit(pools[0]);
    expect((await verify(shop)).breakCount).toBe(0);
    return shop;
  }
  const eventAt =
    'environment_id = $1 and id = (select event_id from audit_seals where environment_id = $1 and chain_position = $2)';

  test.each<[string, string, unknown[], [number | null, string][]]>([
    [
      'an event that was altered',
      `update audit_events set actor_id = 'somebody' where ${eventAt}`,
      [3],
      [[3, CHANGED]],
    ],
    [
      'changes that were altered',
      `update audit_events set changes = '{"consentStatus":"withdrawn"}' where ${eventAt}`,
      [6],
      [[6, CHANGED]],
    ],
    [
      'an event that was removed',
      `delete from audit_events where ${eventAt}`,
      [2],
      [[2, 'The event is missing.']],
    ],
    [
      'a hash that was changed',
      `update audit_seals set hash = sha256('x') where environment_id = $1 and chain_position = $2`,
      [4],
      [
        [4, CHANGED],
        [5, CHANGED],
      ],
    ],
    [
      'two events that changed places',
      `update audit_seals s set event_id = o.event_id, event_at = o.event_at
       from audit_seals o where s.environment_id = $1 and o.environment_id = $1 and s.chain_position in ($2::int, $2::int + 1)
         and o.chain_position = $2::int + $2::int + 1 - s.chain_position`,
      [3],
      [
        [3, CHANGED],
        [4, CHANGED],
      ],
    ],
    [
      'seals that were removed from the middle',
      'delete from audit_seals where environment_id = $1 and chain_position = $2',
      [3],
      [[3, 'The seals up to 3 are missing.']],
    ],
    [
      'seals that were removed from the end',
      'delete from audit_seals where environment_id = $1 and chain_position > $2',
      [4],
      [[6, 'The chain ends at position 4, which is not the stored head.']],
    ],
  ])('%s', async (_what, tamper, values, expected) => {
    await sealed();
    // Two places are swapped by one statement, which the unique index would refuse half-way.
    await query('drop index if exists audit_seals_of_event');
    await query(tamper, [shop.id, ...values]);
    expect(problems(await verify(shop))).toEqual(expected);
  });

  test('an event that was added to a time that is settled', async () => {
    await sealed();
    await query(
      `update audit_heads set settled_until = statement_timestamp() + interval '1 minute' where environment_id = $1`,
      [shop.id],
    );
    await write(shop, 1);
    expect(problems(await verify(shop))).toEqual([
      [null, 'The event has no seal, though all events of its time are sealed: it was added later.'],
    ]);
  });

  test('a chain that was cut, and one that was computed anew, where a head was noted down', async () => {
    await sealed();
    const client = await counter.database.adminPool.connect();
    const noted = await readAuditHead(client, shop.id);
    client.release();
    expect(problems(await verify(shop, noted))).toEqual([]);
    await query('delete from audit_seals where environment_id = $1', [shop.id]);
    await query(`delete from audit_heads where environment_id = $1`, [shop.id]);
    await query(`update audit_events set actor_id = 'somebody' where environment_id = $1`, [shop.id]);
    expect(problems(await verify(shop, noted))).toEqual([
      [6, 'The chain ends at 0, before the position noted down.'],
    ]);
    await sealAudit(pools[0]);
    expect(problems(await verify(shop))).toEqual([]);
    expect(problems(await verify(shop, noted))).toEqual([
      [6, 'The hash is not the one that was noted down.'],
    ]);
  });
});
