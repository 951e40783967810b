import { expect, test } from '@jest/globals';
import { earn, graphql, rest } from '../support/surfaces/client.ts';
import { useShop } from '../support/surfaces/use-shop.ts';
import { programId } from '../support/surfaces/world.ts';

const { database, client, shop } = useShop({ members: ['ada'] });

/** The answer to a purchase that was sent before, over REST, and over GraphQL with hardly a field selected. */
async function replay(sourceReference: string): Promise<{ rest: unknown[]; graphql: unknown[] }> {
  const input = { externalCustomerId: 'ada', amountMinor: 1250, sourceReference };
  const again = await client.send(earn(shop, input, sourceReference));
  const mutation = 'mutation ($input: PurchaseEarnInput!) { purchaseEarn(input: $input) { status } }';
  const sent = { ...input, programId, channel: 'web', idempotencyKey: sourceReference };
  const overGraphql = await client.send(graphql(shop, mutation, { input: sent }));
  return {
    rest: [again.status, again.code, again.body.error?.message],
    graphql: [overGraphql.status, overGraphql.code, overGraphql.body.errors?.[0]?.message],
  };
}

const WHOLE = {
  id: 'txn_01m82vt7k2e1bs6xn0w4y8z2ab',
  status: 'committed',
  member: { id: 'mem_01m82vt7k2e1bs6xn0w4y8z2ab', externalCustomerId: 'ada', tier: 'bronze' },
  award: { points: 12, basePoints: 12, campaignPoints: 0 },
  campaigns: [],
  referral: null,
  coupon: null,
  evaluationMode: 'receipt_time_current_configuration',
  evaluationAt: '2026-11-20T10:00:00.000Z',
  configurationVersion: 1,
  loyaltyUnitPrecision: 0,
  ruleDecisions: [],
};

const PARTS = [
  ...['member', 'award', 'campaigns', 'evaluationMode', 'evaluationAt', 'configurationVersion'],
  ...['loyaltyUnitPrecision', 'ruleDecisions'],
];

test.each([
  ['nothing but the award', { award: WHOLE.award }],
  ['no id', { ...WHOLE, id: undefined }],
  ['a status that there is not', { ...WHOLE, status: 'lost' }],
  ['a member without an id', { ...WHOLE, member: { externalCustomerId: 'ada', tier: 'bronze' } }],
  ['a text for its decisions', { ...WHOLE, ruleDecisions: 'x' }],
  ['a decision without its kind', { ...WHOLE, ruleDecisions: [{ id: 'base' }] }],
  ['points that are a text', { ...WHOLE, award: { ...WHOLE.award, basePoints: 'x' } }],
  ['an instant that is none', { ...WHOLE, evaluationAt: 'yesterday' }],
  ...[...PARTS, 'referral', 'coupon'].map(
    (name) => [`lost its ${name}`, { ...WHOLE, [name]: undefined }] as const,
  ),
  ...PARTS.map((name) => [`null for its ${name}`, { ...WHOLE, [name]: null }] as const),
])(
  'a purchase whose receipt has %s is told that it was done, over REST and GraphQL',
  async (title, receipt) => {
    const what = title.replaceAll(' ', '-');
    const input = { externalCustomerId: 'ada', amountMinor: 1250, sourceReference: what };
    expect((await client.send(earn(shop, input, what))).status).toBe(201);
    const store = 'update transactions set receipt = $2 where source_reference = $1';
    await database.adminPool.query(store, [what, WHOLE]);
    expect((await replay(what)).rest).toEqual([200, null, undefined]);
    await database.adminPool.query(store, [what, receipt]);
    const told = [500, 'receipt_unreadable', expect.stringContaining('read what it did')];
    expect(await replay(what)).toEqual({ rest: told, graphql: told });
  },
);

test('a return whose receipt has lost what was returned is told that it was done', async () => {
  const input = { externalCustomerId: 'ada', amountMinor: 1250, sourceReference: 'sent-back' };
  expect((await client.send(earn(shop, input, 'sent-back'))).status).toBe(201);
  const body = { sourceReference: 'sent-back', returnReference: 'r-1', returnAmountMinor: 100 };
  const send = () => client.send(rest(shop, 'POST', '/returns', body, 'r-1'));
  const { body: first } = await send();
  const store = `update transactions set receipt = $1 where source_reference = 'sent-back' and event_type = 'order.returned'`;
  const { id, status, return: whole } = first as { id: string; status: string; return: object };
  // As it was before referrals were part of it.
  const { referral: _referral, ...returned } = whole as { referral: null };
  expect((await database.adminPool.query(store, [{ id, status, return: returned }])).rowCount).toBe(1);
  const again = await send();
  expect({ status: again.status, return: again.body.return }).toEqual({
    status: 200,
    return: { ...returned, referral: null },
  });
  await database.adminPool.query(store, [{ id, status }]);
  expect({ status: (await send()).status, code: (await send()).code }).toEqual({
    status: 500,
    code: 'receipt_unreadable',
  });
});

test('a quote whose receipt was damaged is not made again, over REST and GraphQL', async () => {
  const purchase = { externalCustomerId: 'ada', amountMinor: 20_000, sourceReference: 'enough' };
  expect((await client.send(earn(shop, purchase, 'enough'))).status).toBe(201);
  const input = {
    ...{ externalCustomerId: 'ada', programId, rewardId: 'free-coffee', sourceReference: 'checkout' },
    ttlSeconds: 900,
  };
  expect((await client.send(rest(shop, 'POST', '/redemptions/quote', input, 'quote'))).status).toBe(201);
  await database.adminPool.query(
    `update idempotency_keys set receipt = (receipt::jsonb #- '{quote,points}')::json where key = 'quote'`,
  );
  const message =
    'This was done under this Idempotency-Key, and is not done again. Its stored receipt was ' +
    'damaged in the database and cannot be shown: read what it did, such as the transaction ' +
    'of its sourceReference, and have the receipt restored.';
  const overRest = await client.send(rest(shop, 'POST', '/redemptions/quote', input, 'quote'));
  expect({ status: overRest.status, error: overRest.body.error }).toEqual({
    status: 500,
    error: expect.objectContaining({ code: 'receipt_unreadable', message }),
  });
  const mutation =
    'mutation ($input: RedemptionQuoteInput!) { quoteRedemption(input: $input) { quote { id } } }';
  const overGraphql = await client.send(
    graphql(shop, mutation, { input: { ...input, idempotencyKey: 'quote' } }),
  );
  expect({
    status: overGraphql.status,
    data: overGraphql.body.data,
    errors: overGraphql.body.errors,
  }).toEqual({
    status: 500,
    data: { quoteRedemption: null },
    errors: [
      expect.objectContaining({
        message,
        extensions: expect.objectContaining({ code: 'receipt_unreadable' }),
      }),
    ],
  });
});

test('so is any other mutation', async () => {
  const body = { externalCustomerId: 'eve', consentStatus: 'opted_in', noticeVersion: 'v1' };
  expect((await client.send(rest(shop, 'POST', '/members', body, 'eve'))).status).toBe(201);
  await database.adminPool.query(`update idempotency_keys set receipt = '{"member": {}}' where key = 'eve'`);
  const again = await client.send(rest(shop, 'POST', '/members', body, 'eve'));
  expect(again).toMatchObject({ status: 500, code: 'receipt_unreadable' });
});

test('so is a list of members, whose receipt has places in its input', async () => {
  const body = { externalCustomerIds: ['ada', 'nobody'] };
  const add = () => client.send(rest(shop, 'POST', '/lists/vip/members', body, 'vip'));
  expect((await add()).status).toBe(200);
  await database.adminPool.query(`update idempotency_keys set receipt = '{"added": 1}' where key = 'vip'`);
  const again = await add();
  expect(again).toMatchObject({ status: 500, code: 'receipt_unreadable' });
});

test('a receipt that is null is said to be unreadable, in the list and alone', async () => {
  const input = { externalCustomerId: 'ada', amountMinor: 1250, sourceReference: 'null' };
  const { body } = await client.send(earn(shop, input, 'null'));
  await database.adminPool.query(`update transactions set receipt = 'null' where source_reference = 'null'`);
  const list = await client.send(rest(shop, 'GET', '/transactions?sourceReference=null'));
  const said = { evaluation: null, evaluationUnreadable: true };
  expect(list.body.data).toMatchObject([said]);
  const alone = await client.send(rest(shop, 'GET', `/transactions/${body.id}`));
  expect(alone.body.transaction).toMatchObject(said);
});
