import { beforeAll, describe, expect, test } from '@jest/globals';
import type { MemberMergeState } from '../../src/contract/generated/types.ts';
import { LIST_READS } from '../../src/db/planner-settings.ts';
import type { Statement } from '../../src/db/statement.ts';
import { type AdjustmentCriteria, listAdjustments } from '../../src/queries/adjustments.ts';
import { listMembers, type MemberCriteria } from '../../src/queries/member-list.ts';
import { listMemberMerges } from '../../src/queries/member-merges.ts';
import { listRedemptions, type RedemptionCriteria } from '../../src/queries/redemption-list.ts';
import { atEnd, fixture } from '../support/fixture.ts';
import { programId } from '../support/surfaces/world.ts';
import { useConnection, useDatabase } from '../support/use-database.ts';

// What leads to the rows of each list, for any combination of its filters: one index, in the order of the list, with
// statistics and without, whichever values are asked for.

const ROWS = 20_000;

const { database, world } = useDatabase();
const shop = fixture('the shop', () => world.environment());
const other = fixture('the other shop', () => world.environment());
const client = useConnection(() => database.adminPool);

beforeAll(async () => {
  // The rows are in an open transaction, so that no other session can gather statistics about them.
  await client.query('begin');
  await client.query('set local session_replication_role = replica');
  for (const [name, value] of Object.entries(LIST_READS))
    await client.query(`set local ${name} = '${value}'`);
  for (const [environment, rows] of [
    [shop.id, ROWS],
    [other.id, ROWS / 4],
  ] as const) {
    for (const statement of planted(environment, rows)) await client.query(statement);
  }
});

atEnd(() => client.query('rollback'));

/** SQL of an id, by a letter for its table and the row's number. */
function idOf(prefix: string, number: string): string {
  return `(lpad(to_hex(${number}), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(ascii('${prefix}')), 12, '0'))::uuid`;
}

/** One row a table for each number: one in 100 is special in each way that filters look at. */
function planted(environment: string, rows: number): string[] {
  // In the order in which they were made, as real ids are.
  const of = (prefix: string): string => idOf(prefix, 'i');
  const all = `generate_series(1, ${rows}) i`;
  const times = 'clock_timestamp(), clock_timestamp()';
  return [
    `insert into members (environment_id, id, external_customer_id, display_name, status, identity_status,
       consent_status, notice_version, consent_at, created_at, tags)
     select '${environment}', ${of('m')}, 'customer-' || i, case when i % 2 = 0 then 'Name ' || i end,
       case when i % 100 = 0 then 'suspended' else 'active' end, 'verified', 'granted', 'v1', ${times},
       case when i % 100 = 1 then array['vip'] else '{}' end from ${all}`,
    `insert into program_profiles (environment_id, program_id, member_id, enrolled, tier, enrolled_at)
     select '${environment}', '${programId}', ${of('m')}, true, case when i % 100 = 2 then 'gold' else 'bronze' end,
       clock_timestamp() from ${all}`,
    `insert into redemption_reservations (environment_id, id, quote_id, program_id, member_id, reward_id,
       source_reference, state, points, terms, reserve_transaction_id, commit_transaction_id, transaction_id,
       fulfillment_status, reserved_at, expires_at, changed_at)
     select '${environment}', ${of('r')}, ${of('q')}, '${programId}', ${idOf('m', 'i % 1000 + 1')}, 'mug', 's',
       case i % 100 when 0 then 'reserved' when 1 then 'expired' when 2 then 'reversed' when 3 then 'released'
         else 'committed' end, 1, '{}', ${of('t')},
       case when i % 100 in (0, 1, 3) then null else ${of('c')} end, ${of('t')},
       case when i % 100 = 4 then 'pending' else 'delivered' end, ${times}, clock_timestamp() from ${all}`,
    `insert into redemption_disputes (environment_id, id, reservation_id, state, reason, opened_at, closed_at)
     select '${environment}', ${of('d')}, ${of('r')}, case when i % 100 = 0 then 'open' else 'resolved' end, 'why',
       clock_timestamp(), case when i % 100 = 0 then null else clock_timestamp() end from ${all}`,
    `insert into adjustments (environment_id, id, program_id, member_id, direction, points, reason, evidence, state,
       requested_by, requested_at, expires_at, decided_by, transaction_id)
     select '${environment}', ${of('a')}, '${programId}', ${idOf('m', 'i % 1000 + 1')}, 'credit', 1, 'why', '{}',
       case when i % 100 = 0 then 'requested' else 'posted' end, 'one', ${times},
       case when i % 100 = 0 then null else 'two' end, case when i % 100 = 0 then null else ${of('t')} end
     from ${all}`,
    `insert into member_merges (environment_id, id, source_member_id, target_member_id, reason, evidence, state,
       requested_by, requested_at, expires_at, decided_by, programs)
     select '${environment}', ${of('g')}, ${idOf('m', 'i % 1000 + 1')}, ${idOf('m', 'i % 1000 + 2')}, 'why', '{}',
       case when i % 100 = 0 then 'requested' else 'merged' end, 'one', ${times},
       case when i % 100 = 0 then null else 'two' end, '[]'
     from ${all}`,
  ];
}

const nobody: MemberCriteria = {
  externalCustomerIdPrefix: null,
  displayNamePrefix: null,
  tag: null,
  list: null,
  programId: null,
  tier: null,
  status: null,
};
const nothing: RedemptionCriteria = {
  state: null,
  fulfillmentStatus: null,
  disputeState: null,
  externalCustomerId: null,
  programId: null,
  rewardId: null,
};
const none: AdjustmentCriteria = { state: null, externalCustomerId: null, programId: null };

const ID = '00002000-0000-7000-8000-000000000000';
const gold = { programId, tier: 'gold' };

const MEMBERS: [string, Partial<MemberCriteria>, string[]][] = [
  ['members_pkey', {}, [ID]],
  ['members_pkey', { status: 'active' }, [ID]],
  ['members_pkey', { programId }, [ID]],
  ['members_external_customer_id', { externalCustomerIdPrefix: 'customer-1' }, ['customer-15']],
  [
    'members_external_customer_id',
    {
      externalCustomerIdPrefix: 'customer-1',
      displayNamePrefix: 'Na',
      tag: 'vip',
      status: 'suspended',
      ...gold,
    },
    ['customer-15'],
  ],
  ['members_by_name', { displayNamePrefix: 'nAm' }, ['name 15', ID]],
  ['members_by_name', { displayNamePrefix: 'name 1', tag: 'vip', ...gold }, ['name 15', ID]],
  ['members_inactive', { status: 'suspended' }, [ID]],
  ['members_inactive', { status: 'erased', tag: 'vip', ...gold }, [ID]],
  ['program_profiles_by_tier', gold, [ID]],
  ['program_profiles_by_tier', { ...gold, tag: 'vip', status: 'active' }, [ID]],
  ['members_labelled', { tag: 'vip' }, [ID]],
  ['members_labelled', { list: 'press', tag: 'vip', programId }, [ID]],
];

const of = { externalCustomerId: 'customer-7' };
const REDEMPTIONS: [string, Partial<RedemptionCriteria>][] = [
  ['pkey', {}],
  ['pkey', { state: 'committed' }],
  ['pkey', { rewardId: 'mug', programId }],
  ['pkey', { fulfillmentStatus: 'delivered' }],
  ['pkey', { fulfillmentStatus: 'none', state: 'committed' }],
  ['by_state', { state: 'reserved' }],
  ['by_state', { state: 'expired' }],
  ['by_state', { state: 'reversed', rewardId: 'mug' }],
  ['by_state', { state: 'released', fulfillmentStatus: 'delivered' }],
  ['to_fulfill', { fulfillmentStatus: 'pending' }],
  ['to_fulfill', { fulfillmentStatus: 'failed', state: 'committed', rewardId: 'mug' }],
  ['of_member', of],
  ['of_member', { ...of, state: 'committed', fulfillmentStatus: 'pending', disputeState: 'open' }],
  ['of_member', { ...of, state: 'expired' }],
  ['open', { ...of, state: 'reserved' }],
];

const ADJUSTMENTS: [string, Partial<AdjustmentCriteria>][] = [
  ['pkey', {}],
  ['pkey', { programId }],
  ['by_state', { state: 'requested' }],
  ['by_state', { state: 'expired', programId }],
  ['pkey', { state: 'posted' }],
  ['of_member', of],
  ['of_member', { ...of, state: 'requested', programId }],
];

const MERGES: [string, MemberMergeState | null][] = [
  ['pkey', null],
  ['pkey', 'merged'],
  ['by_state', 'requested'],
  ['by_state', 'expired'],
  ['by_state', 'rejected'],
  ['by_state', 'unmerge_requested'],
  ['by_state', 'unmerged'],
];

describe.each(['without statistics', 'with statistics'])('%s', (statistics) => {
  beforeAll(async () => {
    if (statistics === 'with statistics') await client.query('analyze');
  });

  describe.each(['force_generic_plan', 'force_custom_plan'])('%s', (mode) => {
    beforeAll(() => client.query(`set local plan_cache_mode = ${mode}`));

    test.each(MEMBERS)('%s finds members by %j', async (index, criteria, position) => {
      for (const after of [null, position]) {
        await expectIndex(listMembers(shop.id, { ...nobody, ...criteria }, after, 50), index);
      }
    });

    test.each(REDEMPTIONS)('redemption_reservations_%s finds redemptions by %j', async (index, criteria) => {
      for (const after of [null, [ID]]) {
        const statement = listRedemptions(shop.id, { ...nothing, ...criteria }, after, 50);
        await expectIndex(statement, `redemption_reservations_${index}`);
      }
    });

    test.each([{ state: 'expired' }, { state: 'expired', rewardId: 'mug' }] as const)(
      'redemptions of two states are merged, and not read whole and sorted, by %j',
      async (criteria) => {
        const plan = await planOf(listRedemptions(shop.id, { ...nothing, ...criteria }, null, 50));
        expect(plan).toMatch(/Merge Append .*actual rows=51\b/);
      },
    );

    test('redemption_disputes_by_state finds redemptions by their disputes', async () => {
      for (const more of [{}, { state: 'committed', rewardId: 'mug' }] as const) {
        for (const after of [null, [ID]]) {
          const statement = listRedemptions(
            shop.id,
            { ...nothing, ...more, disputeState: 'open' },
            after,
            50,
          );
          await expectIndex(statement, 'redemption_disputes_by_state');
        }
      }
    });

    test.each(ADJUSTMENTS)('adjustments_%s finds adjustments by %j', async (index, criteria) => {
      for (const after of [null, [ID]]) {
        await expectIndex(
          listAdjustments(shop.id, { ...none, ...criteria }, after, 50),
          `adjustments_${index}`,
        );
      }
    });

    test.each(MERGES)('member_merges_%s finds merges in the state %j', async (index, state) => {
      for (const after of [null, [ID]]) {
        await expectIndex(listMemberMerges(shop.id, { state }, after, 50), `member_merges_${index}`);
      }
    });
  });
});

test('ids are compared by bytes, whatever the locale of the database', async () => {
  const { rows } = await client.query<{ name: string }>(
    `select o.collname::text as name from pg_attribute a join pg_collation o on o.oid = a.attcollation
     where a.attrelid = 'members'::regclass and a.attname = 'external_customer_id'`,
  );
  expect(rows).toEqual([{ name: 'C' }]);
});

/** That the index leads to the page, that few rows are read for it, and that only few are sorted. */
async function expectIndex(statement: Statement, index: string): Promise<void> {
  const plan = await planOf(statement);
  expect(plan).toMatch(new RegExp(`using ${index}`));
  expect(plan).not.toMatch(/Seq Scan on (member|program_profiles|redemption|adjustments)/);
  const [, hit = '0', , read = '0'] = /shared hit=(\d+)( read=(\d+))?/.exec(plan) ?? [];
  expect([plan, Number(hit) + Number(read) < 25_000]).toEqual([plan, true]);
}

async function planOf({ text, values }: Statement): Promise<string> {
  await client.query(`prepare asked as ${text}`);
  const literals = values.map((value) => client.escapeLiteral(String(value)));
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, buffers, costs off, timing off) execute asked(${literals.join()})`,
  );
  await client.query('deallocate asked');
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
