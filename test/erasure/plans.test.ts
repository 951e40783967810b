import { beforeAll, expect, test } from '@jest/globals';
import type { Statement } from '../../src/db/statement.ts';
import { pageOfKeys, renameKey } from '../../src/erasure/key-statements.ts';
import { newUuid } from '../../src/ids.ts';
import { fixture } from '../support/fixture.ts';
import { useCounter } from '../support/ledger/use-counter.ts';

// An erasure looks through all keys of an environment, page by page. What each page asks of the audit trail, which has
// more rows than there are keys, it must find by an index.

const counter = useCounter();
const shop = fixture('the shop', () => counter.environment());

beforeAll(async () => {
  await counter.database.adminPool.query(
    `insert into audit_events (environment_id, id, action, target_type, target_id, actor_type, actor_id, request_id,
       changes, at)
     select $1, gen_random_uuid(), 'points.earned', 'transaction', 'txn_' || i, 'api_key', 'key', 'req', '{}',
       clock_timestamp() - i * interval '1 second'
     from generate_series(1, 5000) i`,
    [shop.id],
  );
  await counter.database.adminPool.query('analyze audit_events');
});

/** The lines of a statement's plan about the audit trail. */
async function scansOfTrail({ text, values }: Statement): Promise<string[]> {
  const { rows } = await counter.database.adminPool.query<{ 'QUERY PLAN': string }>({
    text: `explain (costs off) ${text}`,
    values: [...values],
  });
  return rows.map((row) => row['QUERY PLAN']).filter((line) => /Scan.* on audit_events/.test(line));
}

test('the moment of an erasure is found by the member, not in the whole audit trail', async () => {
  const member = { environmentId: shop.id, memberId: newUuid(), externalCustomerId: 'joan' };
  const page = await scansOfTrail(pageOfKeys(member, { operation: '', key: '' }, []));
  const rename = await scansOfTrail(renameKey(member, 'createMember', { old: 'one', new: 'other' }));
  expect({ page: page.length, rename: rename.length }).toEqual({ page: 2, rename: 1 });
  for (const scan of [...page, ...rename]) expect(scan).toContain('using audit_events_of_target');
});
