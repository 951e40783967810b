import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { MIGRATIONS_DIRECTORY } from '../../src/db/migrate.ts';
import { newUuid } from '../../src/ids.ts';
import { sealAudit } from '../../src/jobs/seal-audit.ts';
import { verifyAudit } from '../../src/queries/audit/verify-audit.ts';
import { fixture } from '../support/fixture.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { useCounter } from '../support/ledger/use-counter.ts';

const counter = useCounter();
const typed = fixture('the typed shop', () => counter.environment());
const clean = fixture('the clean shop', () => counter.environment());

async function plant({ id }: Shop, targetType: string, targetId: string, changes: object): Promise<void> {
  await counter.database.adminPool.query(
    `insert into audit_events (environment_id, id, action, target_type, target_id, actor_type, actor_id, request_id,
       changes, at)
     values ($1, $2, 'thing.changed', $3, $4, 'operator', 'eve', 'req', $5, clock_timestamp() - interval '1 hour')`,
    [id, newUuid(), targetType, targetId, changes],
  );
}

async function verified({ id }: Shop): Promise<{ checked: number; hash: string; breaks: unknown[] }> {
  const client = await counter.database.adminPool.connect();
  const { checked, head, breaks } = await verifyAudit(client, id).finally(() => client.release());
  return { checked, hash: head.hash, breaks };
}

test('the migration takes typed texts out of older audit events; chains that had some begin anew', async () => {
  const { adminPool } = counter.database;
  await plant(typed, 'transaction', 'txn_1', { programId: 'p', sourceReference: 'Joan 1', points: 7 });
  await plant(typed, 'dispute', 'dsp_1', { reservationId: 'r', reason: 'Joan', evidence: { by: 'Joan' } });
  await plant(typed, 'member', 'mem_1', { tags: ['Joan', 'vip'] });
  await plant(typed, 'list', 'Joan and others', { members: ['mem_1', 'mem_2'] });
  await plant(clean, 'member', 'mem_1', { tags: 2, members: ['mem_1'] });
  await sealAudit(adminPool);
  const before = await verified(clean);
  const migration = await readFile(`${MIGRATIONS_DIRECTORY}/20261122155000_erasure/migration.sql`, 'utf8');
  await adminPool.query(migration.slice(migration.indexOf('with cleaned as')));
  const { rows } = await adminPool.query(
    'select target_type, target_id, changes from audit_events where environment_id = $1 order by at',
    [typed.id],
  );
  expect(rows).toEqual([
    { target_type: 'transaction', target_id: 'txn_1', changes: { programId: 'p', points: 7 } },
    { target_type: 'dispute', target_id: 'dsp_1', changes: { reservationId: 'r' } },
    { target_type: 'member', target_id: 'mem_1', changes: { tags: 2 } },
    { target_type: 'environment', target_id: typed.id, changes: { members: ['mem_1', 'mem_2'] } },
  ]);
  expect((await verified(typed)).checked).toBe(0);
  await sealAudit(adminPool);
  expect(await verified(typed)).toMatchObject({ checked: 4, breaks: [] });
  expect(await verified(clean)).toEqual(before);
  expect(before).toMatchObject({ checked: 1, breaks: [] });
});
