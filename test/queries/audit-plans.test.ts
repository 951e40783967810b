import { beforeAll, expect, test } from '@jest/globals';
import type { Statement } from '../../src/db/statement.ts';
import {
  type AuditCriteria,
  lastLookedThrough,
  listAuditEvents,
} from '../../src/queries/audit/audit-event-statements.ts';
import { listOperations } from '../../src/queries/operations.ts';
import { fixture } from '../support/fixture.ts';
import { useConnection, useDatabase } from '../support/use-database.ts';

const ROWS = 60_000;

const { database, world } = useDatabase();
const shop = fixture('the shop', () => world.environment());
const client = useConnection(() => database.adminPool);

beforeAll(async () => {
  await client.query('set plan_cache_mode = force_generic_plan');
  await client.query(
    `insert into audit_events (environment_id, id, action, target_type, target_id, actor_type, actor_id, request_id,
       changes, at)
     select $1, md5('a' || i)::uuid, case when i % 1000 = 1 then 'rare' else 'purchase.completed' end, 'order',
       'target-' || i % 5000, 'api_key', 'key-' || i % 10, 'req', '{"points":12}',
       timestamptz '2026-01-01' + i * interval '1 second'
     from generate_series(1, ${ROWS}) i`,
    [shop.id],
  );
  await client.query(
    'insert into audit_seals select environment_id, row_number() over ' +
      `(order by at), at, id, sha256('x') from audit_events`,
  );
  await client.query(
    `insert into operations (environment_id, id, type, status, input, created_at)
     select $1, md5('o' || i)::uuid, case when i % 100 = 1 then 'import' else 'expiry_run' end,
       case when i % 100 = 2 then 'failed' else 'succeeded' end, '{}', timestamptz '2026-01-01' + i * interval '1 minute'
     from generate_series(1, 20000) i`,
    [shop.id],
  );
  await client.query('analyze');
});

const nothing: AuditCriteria = {
  action: null,
  targetType: null,
  targetId: null,
  actorId: null,
  from: null,
  to: null,
};
const window = { from: new Date('2026-01-01T01:00:00Z'), to: new Date('2026-01-01T12:00:00Z') };
const after = { at: '2026-01-01 11:00:00+00', id: '01900000-0000-7000-8000-000000000000' };

interface Plan {
  text: string;
  /** Rows that were read from audit_events or operations. */
  blocks: number;
}

async function planOf({ text, values }: Statement): Promise<Plan> {
  const types = values.map(() => 'unknown').join(', ');
  await client.query(`prepare asked${types ? `(${types})` : ''} as ${text}`);
  const literals = values.map((value) => `'${value}'`).join(', ');
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, buffers, costs off, timing off) execute asked${values.length > 0 ? `(${literals})` : ''}`,
  );
  await client.query('deallocate asked');
  const plan = rows.map((row) => row['QUERY PLAN']);
  const [, hit = '0', , read = '0'] = /shared hit=(\d+)( read=(\d+))?/.exec(plan.join('\n')) ?? [];
  return { text: plan.join('\n'), blocks: Number(hit) + Number(read) };
}

test.each<[string, Partial<AuditCriteria>]>([
  ['pkey', {}],
  ['pkey', { action: 'purchase.completed' }],
  ['pkey', { action: 'rare' }],
  ['pkey', { actorId: 'nobody', targetType: 'order' }],
  ['of_target', { targetId: 'target-7' }],
  ['of_target', { targetId: 'target-7', action: 'rare', actorId: 'key-1' }],
  ['of_target', { targetId: 'nothing' }],
  ['pkey', { targetId: 'txn_01jz8k2v9xe6tr8p2w4y6z8abc' }],
])('audit_events_%s finds %j', async (index, criteria) => {
  for (const more of [{}, window]) {
    for (const position of [null, after]) {
      const asked = { ...nothing, ...criteria, ...more };
      const { text, blocks } = await planOf(listAuditEvents(shop.id, asked, position, 50));
      expect(text).toMatch(new RegExp(`using audit_events_${index} on audit_events`));
      expect(text).not.toMatch(/Seq Scan on audit|Sort Key: audit_events/);
      expect(blocks).toBeLessThan(1_500);
      const end = lastLookedThrough(shop.id, asked, position);
      if (end) expect((await planOf(end)).text).toMatch(/audit_events_pkey/);
    }
  }
});

test.each<[string, Parameters<typeof listOperations>[1]]>([
  ['by_time', { type: null, status: null }],
  ['by_time', { type: null, status: 'succeeded' }],
  ['by_type', { type: 'import', status: null }],
  ['unusual', { type: null, status: 'failed' }],
  ['unusual', { type: null, status: 'running' }],
])('operations_%s finds %j', async (index, criteria) => {
  for (const position of [null, [after.at, after.id]]) {
    const { text, blocks } = await planOf(listOperations(shop.id, criteria, position, 50));
    expect(text).toMatch(new RegExp(`using operations_${index} on operations`));
    expect(text).not.toMatch(/Seq Scan|Sort Key: operations/);
    expect(blocks).toBeLessThan(200);
  }
});
