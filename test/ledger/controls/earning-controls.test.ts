import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { purchaseEarn } from '../../../src/commands/earning/purchase-earn.ts';
import { recordReturn } from '../../../src/commands/returns/record-return.ts';
import { fromTypeId, newUuid } from '../../../src/ids.ts';
import { createQueries } from '../../../src/queries/queries.ts';
import { readRecordedAward } from '../../../src/queries/transactions/recorded-award.ts';
import { verifyAward } from '../../../src/queries/transactions/verify-award.ts';
import { receiptOf } from '../../support/commands/desk.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { storeReceiptsWhole } from '../../support/ledger/store-receipts-whole.ts';
import { useCounter, useWriter } from '../../support/ledger/use-counter.ts';
import { program } from '../../support/rules/fixtures.ts';

const counter = useCounter();
const writer = useWriter(counter);

interface Earned {
  id: string;
  award: { points: number; campaignPoints: number };
  referral: object | null;
}

/** An environment in which every counter of earning is above 0. */
async function earned({ withReferral = true } = {}): Promise<{ shop: Shop; purchases: Earned[] }> {
  const shop = await counter.environment(
    program({
      campaigns: [
        {
          id: 'spring',
          match: 'all',
          conditions: [{ field: 'history.purchaseCount', operator: 'lt', value: 5 }],
          award: { bonusPoints: 40 },
          caps: { totalPoints: 100, memberPoints: 90, memberPeriod: { points: 70, period: 'year' } },
        },
      ],
      coupons: [{ code: 'TEN', award: { bonusPoints: 10 }, limits: { total: 2, perMember: 1 } }],
      referral: { referrerPoints: 200, refereePoints: 50 },
    }),
  );
  await shop.addMembers(writer, ['ann', 'bob']);
  const code = await counter.value<string>(
    `select referral_code from program_profiles p join members m on m.id = p.member_id
     where p.environment_id = $1 and m.external_customer_id = 'ann'`,
    [shop.id],
  );
  const queries = createQueries(counter.database.adminPool);
  const earn = async (externalCustomerId: string, more: object = {}): Promise<Earned> => {
    const idempotencyKey = newUuid();
    const input = {
      idempotencyKey,
      programId: 'coffee-club',
      externalCustomerId,
      amountMinor: 10_000,
      channel: 'web' as const,
      sourceReference: `order-${idempotencyKey}`,
      couponCode: 'TEN',
      context: { attributes: { referralCode: code } },
      ...more,
    };
    const referrer = await queries.referrer(shop.id, 'coffee-club', code);
    return receiptOf(await writer.submit(purchaseEarn(input, shop.caller, referrer))) as unknown as Earned;
  };
  const sourceReference = `returned-${shop.id}`;
  const purchases = [
    await earn('bob', { sourceReference }),
    await earn('bob'),
    await earn('ann'),
    await earn('ann', { couponCode: 'NONE' }),
  ];
  const found = await queries.owner(shop.id, { kind: 'order', sourceReference });
  const owner = found && { ...found, ...(!withReferral && { referral: [] }) };
  const returned = {
    idempotencyKey: newUuid(),
    sourceReference,
    returnReference: newUuid(),
    returnAmountMinor: 2_500,
  };
  const command = recordReturn(returned, owner, shop.caller);
  if ('refused' in command) throw new Error(command.code);
  receiptOf(await writer.submit(command));
  return { shop, purchases };
}

const failed = (shop: Shop) => counter.failedControlsOf(shop.id);

test('counters, referral and history are kept in Postgres as they are in memory', async () => {
  const { shop, purchases } = await earned();
  expect(purchases.map(({ award, referral }) => [award.campaignPoints, referral !== null])).toEqual([
    // Spring and the coupon; the year's cap of the member; what is left of the total; nothing.
    [50, true],
    [30, false],
    [40, false],
    [0, false],
  ]);
  const { rows } = await counter.database.adminPool.query<{ counter: string; taken: number }>(
    `select counter_id as counter, taken from shared_counters where environment_id = $1
     union all select limit_id || ' ' || m.external_customer_id, points
     from limit_counters l join members m on m.id = l.member_id where l.environment_id = $1
     order by 1`,
    [shop.id],
  );
  expect(rows.map(({ counter: name, taken }) => [name, taken])).toEqual([
    ['campaign:spring', 100],
    ['campaign:spring ann', 30],
    ['campaign:spring bob', 70],
    ['campaign:spring.year ann', 30],
    ['campaign:spring.year bob', 70],
    ['coupon:TEN', 2],
    ['coupon:TEN ann', 1],
    ['coupon:TEN bob', 1],
  ]);
  const { member, profiles } = (await createQueries(counter.database.adminPool).member(shop.id, 'bob')) ?? {};
  expect(member?.tags).toEqual([]);
  expect(profiles?.[0]).toMatchObject({ purchaseCount: 2, purchaseAmountMinor: 17_500, referralCount: 0 });
});

test('every award is computed again from its evidence, and said in words', async () => {
  const { shop, purchases } = await earned();
  const verdicts = [];
  for (const { id } of purchases) {
    const award = await readRecordedAward(counter.database.adminPool, fromTypeId('txn', id) ?? '', shop.id);
    if (!award || 'eventType' in award) throw new Error(`no purchase ${id}`);
    verdicts.push(verifyAward(award));
  }
  expect(verdicts.map(({ differences }) => differences)).toEqual([[], [], [], []]);
  expect(verdicts[0]?.steps.slice(2)).toEqual([
    'Campaign spring applies: 40 bonus points.',
    'Cap spring.total: all of the points fit in what is left.',
    'Cap spring.member: all of the points fit in what is left.',
    'Cap spring.member_year: all of the points fit in what is left.',
    'Coupon TEN applies: 10 bonus points.',
    '150 points in all: 100 base and 50 of campaigns.',
    expect.stringMatching(
      /^Referral [0-9A-Z]{10}: Gives 200 points to the referrer and 50 to the member, beside the award\.$/,
    ),
  ]);
  expect(verdicts[1]?.steps.slice(2)).toEqual([
    'Campaign spring applies: 40 bonus points.',
    'Cap spring.total: all of the points fit in what is left.',
    'Cap spring.member: all of the points fit in what is left.',
    'Cap spring.member_year cuts off 10 points. 40 of 70 points of the member a year were given: 40 became 30.',
    'Coupon TEN gives nothing. The member has used it once already.',
    '130 points in all: 100 base and 30 of campaigns.',
    expect.stringMatching(/^Referral [0-9A-Z]{10}: gives nothing\. It is not the member's first purchase\.$/),
  ]);
});

test.each<[what: string, sql: string, differs: string[]]>([
  ['a campaign’s points', `{campaigns,0,points}', '39'`, ['campaigns']],
  ['a coupon that was redeemed', `{coupon,redeemed}', 'false'`, ['coupon']],
  ['a referral’s points', `{referral,refereePoints}', '51'`, ['referral']],
  [
    'what was used of a cap',
    `{evidence,capsUsed}', '[{"campaignId":"spring","total":90,"member":0,"memberPeriod":0}]'`,
    [
      'award.points',
      'award.campaignPoints',
      'ruleDecisions',
      'campaigns',
      'transaction',
      'postings',
      'lots',
      'order',
    ],
  ],
])('an award differs after a change of %s', async (_what, change, differs) => {
  const { shop, purchases } = await earned();
  const id = fromTypeId('txn', purchases[0]?.id ?? '') ?? '';
  await storeReceiptsWhole(counter.database.adminPool, shop.id);
  await counter.database.adminPool.query(
    `update transactions set receipt = jsonb_set(receipt::jsonb, '${change})::json
     where environment_id = $1 and id = $2`,
    [shop.id, id],
  );
  const award = await readRecordedAward(counter.database.adminPool, id, shop.id);
  if (!award || 'eventType' in award) throw new Error('no purchase');
  expect(verifyAward(award).differences.map(({ what }) => what)).toEqual(differs);
});

test.each<[what: string, sql: string, controls: string[]]>([
  ['nothing', 'select $1::uuid', []],
  [
    'a campaign’s total too low',
    "update shared_counters set taken = 99 where environment_id = $1 and counter_id = 'campaign:spring'",
    ['shared-counters-equal-purchases'],
  ],
  [
    'a lost counter of a coupon',
    "delete from shared_counters where environment_id = $1 and counter_id = 'coupon:TEN'",
    ['shared-counters-equal-purchases'],
  ],
  [
    'a counter of a campaign that gave nothing',
    "insert into shared_counters values ($1, 'coffee-club', 'campaign:none', 1)",
    ['shared-counters-equal-purchases'],
  ],
  [
    'a lost record of what a campaign gave',
    "delete from campaign_awards where environment_id = $1 and campaign_id = 'spring'",
    ['campaign-awards-equal-purchases'],
  ],
  [
    'a record of what was given as of what was withheld',
    "update campaign_awards set held_out = true, points = 0 where environment_id = $1 and campaign_id = 'spring'",
    ['campaign-awards-equal-purchases'],
  ],
  [
    'another amount in the record of what a campaign gave',
    "update campaign_awards set amount_minor = amount_minor + 1 where environment_id = $1 and campaign_id = 'spring'",
    ['campaign-awards-equal-purchases'],
  ],
  [
    'a member’s points in a campaign too high',
    "update limit_counters set points = 71 where environment_id = $1 and limit_id = 'campaign:spring' and points = 70",
    ['member-counters-equal-purchases'],
  ],
  [
    'a counter of another period',
    "update limit_counters set period_start = '2020-01-01Z' where environment_id = $1 and limit_id = 'campaign:spring.year'",
    ['member-counters-equal-purchases'],
  ],
  [
    'a member’s use of a coupon that is lost',
    "delete from limit_counters where environment_id = $1 and limit_id = 'coupon:TEN'",
    ['member-counters-equal-purchases'],
  ],
  [
    'a referral that is said to have given more',
    `update transactions set receipt = jsonb_set(receipt::jsonb, '{referral,referrerPoints}', '201')::json
     where environment_id = $1 and receipt #>> '{referral,code}' is not null and event_type = 'purchase.completed'`,
    ['referrals-equal-purchases'],
  ],
  [
    'a referral that nobody was told of',
    `update transactions set receipt = jsonb_set(receipt::jsonb, '{referral}', 'null')::json
     where environment_id = $1 and event_type = 'purchase.completed'`,
    ['parts-of-receipts', 'referrals-equal-purchases'],
  ],
  [
    'a return that is said to have taken more of a referral',
    `update transactions set receipt = jsonb_set(receipt::jsonb, '{return,referral,refereePointsClawedBack}', '14')::json
     where environment_id = $1 and receipt -> 'return' is not null`,
    ['referral-clawbacks-equal-receipts'],
  ],
  [
    'a claim on the points of a referral',
    `update lots set claimed = 1 where environment_id = $1 and granted = 200`,
    ['returned-referrals-add-up'],
  ],
  [
    'a referral that was to be kept',
    `update transactions set receipt = jsonb_set(receipt::jsonb, '{referral,onReturn}', '"keep"')::json
     where environment_id = $1 and event_type = 'referral.awarded'`,
    ['returned-referrals-add-up'],
  ],
  [
    'referral points that were taken back for another return',
    `update transactions set receipt = jsonb_set(receipt::jsonb, '{referral,returnReference}', '"none"')::json
     where environment_id = $1 and event_type = 'order.returned' and receipt -> 'referral' is not null`,
    ['referral-clawbacks-equal-receipts'],
  ],
  [
    'a count of referrals too high',
    'update program_profiles set referral_count = referral_count + 1 where environment_id = $1',
    ['referral-counts-equal-referees'],
  ],
  [
    'a referee without a referrer',
    'update program_profiles set referred_by = null where environment_id = $1',
    ['referral-counts-equal-referees'],
  ],
  [
    'a purchase too many in a history',
    'update program_profiles set purchase_count = purchase_count + 1 where environment_id = $1',
    ['history-equals-orders'],
  ],
  [
    'an amount that a return did not lower',
    'update program_profiles set purchase_amount_minor = 20000 where environment_id = $1',
    ['history-equals-orders'],
  ],
])('%s is found by its control', async (_what, sql, controls) => {
  const { shop } = await earned();
  await counter.database.adminPool.query(sql, [shop.id]);
  expect(await failed(shop)).toEqual(controls);
});

test('a return takes the points of a referral back from both, and says how many', async () => {
  const { shop } = await earned();
  const { adminPool } = counter.database;
  const { rows } = await adminPool.query<{ receipt: { return: { referral: object } } }>(
    `select receipt from transactions where environment_id = $1 and receipt -> 'return' is not null`,
    [shop.id],
  );
  // A quarter of the order: of 200 points, and of 50.
  expect(rows.map(({ receipt }) => receipt.return.referral)).toEqual([
    { referrerPointsClawedBack: 50, referrerShortfall: 0, refereePointsClawedBack: 13, refereeShortfall: 0 },
  ]);
});

test('what was returned before returns took referral points back stays the members’', async () => {
  const { shop } = await earned({ withReferral: false });
  const { adminPool } = counter.database;
  await adminPool.query(
    `update transactions set receipt = (receipt::jsonb #- '{return,referral}')::json
     where environment_id = $1 and event_type = 'order.returned'`,
    [shop.id],
  );
  expect(await failed(shop)).toEqual([]);
  const sourceReference = `returned-${shop.id}`;
  const owner = await createQueries(adminPool).owner(shop.id, { kind: 'order', sourceReference });
  const keys = { idempotencyKey: newUuid(), sourceReference, returnReference: newUuid() };
  const command = recordReturn({ ...keys, returnAmountMinor: 7_500 }, owner, shop.caller);
  if ('refused' in command) throw new Error(command.code);
  const receipt = receiptOf(await writer.submit(command)) as { return: { referral: object } };
  expect(receipt.return.referral).toMatchObject({
    referrerPointsClawedBack: 150,
    refereePointsClawedBack: 37,
  });
  expect(await failed(shop)).toEqual([]);
});

test('the migration counts the history of those who had bought before it', async () => {
  const { shop } = await earned();
  const { adminPool } = counter.database;
  const history = `select purchase_count, purchase_amount_minor, first_purchase_at, last_purchase_at
    from program_profiles where environment_id = $1 order by member_id`;
  const before = (await adminPool.query(history, [shop.id])).rows;
  await adminPool.query(
    `update program_profiles set purchase_count = 0, purchase_amount_minor = 0, first_purchase_at = null,
       last_purchase_at = null where environment_id = $1`,
    [shop.id],
  );
  expect(await failed(shop)).toEqual(['history-equals-orders']);
  const file = new URL(
    '../../../prisma/migrations/20261121193000_program_engine/migration.sql',
    import.meta.url,
  );
  const [, statement = ''] =
    (await readFile(file, 'utf8')).match(/-- The history of those who have bought before\.\n([^;]+);/) ?? [];
  await adminPool.query(statement);
  expect((await adminPool.query(history, [shop.id])).rows).toEqual(before);
  expect(await failed(shop)).toEqual([]);
});
