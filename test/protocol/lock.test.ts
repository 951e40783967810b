import { beforeAll, expect, test } from '@jest/globals';
import { countLockWaits } from '../support/lock-waits.ts';
import {
  addMembers,
  answerConsent,
  choose,
  createMember,
  earn,
  engage,
  enroll,
  graphql,
  readMember,
  returnOrder,
  unenroll,
  updateMember,
} from '../support/surfaces/client.ts';
import { useShop } from '../support/surfaces/use-shop.ts';
import { programId } from '../support/surfaces/world.ts';
import { until } from '../support/until.ts';
import { type WebhookIds, webhookOperations } from '../support/webhooks/operations.ts';
import { webhookRequests } from '../support/webhooks/requests.ts';

let webhook: WebhookIds;

const hook = { url: 'https://localhost.example', eventTypes: ['points.earned'] };
const purchase = { externalCustomerId: 'ada', sourceReference: 'before', amountMinor: 1000 };
/** A return of a value that takes no points. */
const returned = { sourceReference: 'before', returnReference: 'before', returnAmountMinor: 1 };
const brewed = { type: 'brew', externalCustomerId: 'ada', attributes: { grams: 1000 } };
const chosen = { externalCustomerId: 'ada' };
const earnMutation =
  'mutation ($input: PurchaseEarnInput!) { purchaseEarn(input: $input) { id idempotent award { points } } }';
const earnInput = (change: object) => ({ input: { ...purchase, programId, channel: 'web', ...change } });

const { database, world, client, shop } = useShop({ kind: 'production', members: ['ada', 'leaver'] });

beforeAll(async () => {
  expect((await client.send(updateMember(shop, 'ada'))).status).toBe(200);
  expect((await client.send(earn(shop, purchase, 'before'))).status).toBe(201);
  expect((await client.send(returnOrder(shop, returned, 'return-before'))).status).toBe(201);
  expect((await client.send(engage(shop, brewed, 'brew-before'))).status).toBe(201);
  expect((await client.send(choose(shop, chosen, 'choice-before'))).status).toBe(201);
  const made = await client.send(webhookRequests.create(shop, hook, 'hook-before'));
  const { id: endpointId } = made.body.endpoint as { id: string };
  const tested = await client.send(webhookRequests.test(shop, endpointId, 'test-before'));
  webhook = { endpointId, deliveryId: (tested.body.delivery as { id: string }).id };
  await world.lock(shop.id, true);
});

test('while locked every mutation is refused, through both doors, and nothing happens', async () => {
  const before = await world.countRows();
  for (const sent of [
    createMember(shop, 'new'),
    updateMember(shop, 'ada', 'during'),
    updateMember(shop, 'nobody', 'during'),
    answerConsent(shop, 'ada', 'opted_out', 'during'),
    enroll(shop, 'ada', 'again'),
    enroll(shop, 'nobody'),
    earn(shop, { ...purchase, sourceReference: 'during' }, 'during'),
    returnOrder(shop, { ...returned, returnReference: 'during' }, 'return-during'),
    // The lock is checked before state: an unknown member or order is not looked up.
    returnOrder(shop, { ...returned, sourceReference: 'none' }, 'return-during'),
    earn(shop, { ...purchase, externalCustomerId: 'nobody', sourceReference: 'during' }, 'during'),
    engage(shop, { externalCustomerId: 'ada' }, 'during'),
    choose(shop, { externalCustomerId: 'ada' }, 'during'),
    ...webhookOperations(() => webhook)
      .map(({ send }) => send(shop))
      .filter(({ method }) => method !== 'GET'),
  ]) {
    const answer = await client.send(sent);
    expect([sent.path, answer.status, answer.code]).toEqual([sent.path, 409, 'production_locked']);
  }
  const viaGraphql = await client.send(
    graphql(shop, earnMutation, earnInput({ sourceReference: 'during', idempotencyKey: 'during' })),
  );
  expect(viaGraphql.status).toBe(200);
  expect(viaGraphql.body.errors).toMatchObject([
    { path: ['purchaseEarn'], extensions: { code: 'production_locked', httpStatus: 409 } },
  ]);
  expect(await world.countRows()).toEqual(before);
});

test('what violates the contract, and a key that another body has taken, are refused as ever', async () => {
  const violated = await client.send(earn(shop, { ...purchase, amountMinor: -1 }, 'during'));
  expect(violated).toMatchObject({ status: 422, code: 'invalid_event' });
  const reused = await client.send(earn(shop, { ...purchase, amountMinor: 1 }, 'before'));
  expect(reused).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
});

test('replays of stored results go on, through both doors', async () => {
  const before = await world.countRows();
  const replay = await client.send(earn(shop, purchase, 'before'));
  expect(replay).toMatchObject({ status: 200, replayed: true });
  const viaGraphql = await client.send(graphql(shop, earnMutation, earnInput({ idempotencyKey: 'before' })));
  expect(viaGraphql.body.data?.purchaseEarn).toMatchObject({ id: replay.body.id, idempotent: true });
  for (const sent of [
    createMember(shop, 'ada'),
    updateMember(shop, 'ada'),
    enroll(shop, 'ada'),
    returnOrder(shop, returned, 'return-before'),
    choose(shop, chosen, 'choice-before'),
    engage(shop, brewed, 'brew-before'),
    webhookRequests.create(shop, hook, 'hook-before'),
    webhookRequests.test(shop, webhook.endpointId, 'test-before'),
  ]) {
    const answer = await client.send(sent);
    expect(answer).toMatchObject({ status: 200, replayed: true });
  }
  expect(await world.countRows()).toEqual(before);
});

test('a reference that was answered before is a replay under a new key too, through both doors', async () => {
  const event = {
    type: 'brew',
    externalCustomerId: 'ada',
    sourceReference: 'event brew-before',
    attributes: { grams: 1000 },
  };
  const claim = {
    choiceSetId: 'gifts',
    rewardId: 'filters',
    sourceReference: 'choice choice-before',
    ...chosen,
  };
  const first = await client.send(engage(shop, brewed, 'brew-before'));
  const fulfilled = await client.send(choose(shop, chosen, 'choice-before'));
  const { id: eventId, awards } = first.body;
  const again = await client.send(engage(shop, event, 'brew-again'));
  expect(again).toMatchObject({ status: 200, replayed: true });
  expect(again.body).toMatchObject({ id: eventId, awards });
  const claimed = await client.send(choose(shop, claim, 'choice-again'));
  expect({ status: claimed.status, replayed: claimed.replayed, id: claimed.body.id }).toEqual({
    status: 200,
    replayed: true,
    id: fulfilled.body.id,
  });
  const same = { ...returned, returnAmountMinor: 2 };
  const taken = await client.send(returnOrder(shop, returned, 'return-before'));
  const back = await client.send(returnOrder(shop, same, 'return-again'));
  expect({ status: back.status, replayed: back.replayed, id: back.body.id }).toEqual({
    status: 200,
    replayed: true,
    id: taken.body.id,
  });
  const mutation = `mutation ($input: RecordReturnInput!) { recordReturn(input: $input) { id idempotent } }`;
  const viaGraphql = await client.send(
    graphql(shop, mutation, { input: { ...same, idempotencyKey: 'return-via-graphql' } }),
  );
  expect(viaGraphql.body.data?.recordReturn).toEqual({ id: taken.body.id, idempotent: true });
  // A key stays bound to the input that it was answered for.
  const reused = await client.send(engage(shop, { ...event, sourceReference: 'other' }, 'brew-again'));
  expect(reused.code).toBe('idempotency_key_reused');
});

test('a reference that names something else is refused by the lock', async () => {
  const before = await world.countRows();
  for (const sent of [
    engage(shop, { type: 'other', externalCustomerId: 'ada', sourceReference: 'event brew-before' }, 'else'),
    choose(shop, { ...chosen, rewardId: 'tour', sourceReference: 'choice choice-before' }, 'else'),
    returnOrder(shop, { ...returned, sourceReference: 'none' }, 'else'),
  ]) {
    expect((await client.send(sent)).code).toBe('production_locked');
  }
  expect(await world.countRows()).toEqual(before);
});

test('reads go on, through both doors', async () => {
  expect((await client.send(readMember(shop, 'ada'))).status).toBe(200);
  const query = `{ member(externalCustomerId: "ada") { programs { balances { available } } } }`;
  const { body } = await client.send(graphql(shop, query));
  expect(body.data?.member).toEqual({ programs: [{ balances: [{ available: 10 }] }] });
  for (const { send } of webhookOperations(() => webhook).filter(({ name }) => name.startsWith('GET '))) {
    expect((await client.send(send(shop))).status).toBe(200);
  }
});

test('unenrollment goes on, and points still hold a member back', async () => {
  const left = await client.send(unenroll(shop, 'leaver'));
  expect({ status: left.status, program: left.body.program }).toEqual({
    status: 200,
    program: { programId, status: 'unenrolled' },
  });
  const kept = await client.send(unenroll(shop, 'ada'));
  expect(kept).toMatchObject({ status: 409, code: 'balance_not_zero' });
});

test('another environment of the same tenant knows nothing of the lock', async () => {
  const sandbox = await world.environment('sandbox', shop.tenantId);
  await addMembers(client, sandbox, ['ada']);
  expect((await client.send(earn(sandbox, purchase, 'k'))).status).toBe(201);
});

test('a refused command happens once it is unlocked, under the key that was refused', async () => {
  await world.lock(shop.id, false);
  const sent = earn(shop, { ...purchase, sourceReference: 'during' }, 'during');
  expect((await client.send(sent)).status).toBe(201);
  await world.lock(shop.id, true);
  expect((await client.send(sent)).status).toBe(200);
  expect((await client.send(createMember(shop, 'new'))).code).toBe('production_locked');
});

test('once the lock is set, nothing that was under way commits any more', async () => {
  const open = await world.environment('production');
  await addMembers(client, open, ['ada']);
  const holder = await database.adminPool.connect();
  const answered: string[] = [];
  const waiting = () => countLockWaits(database.adminPool);
  try {
    await holder.query('begin');
    await holder.query('lock table idempotency_keys in share mode');
    const underWay = client
      .send(earn(open, { ...purchase, sourceReference: 'under-way' }, 'under-way'))
      .then(({ status }) => answered.push(`purchase ${status}`));
    await until(async () => (await waiting()) === 1, 'the purchase is under way');
    const locking = world.lock(open.id, true).then(() => answered.push('locked'));
    await until(async () => (await waiting()) === 2, 'the lock waits for it');
    expect(answered).toEqual([]);
    await holder.query('commit');
    await Promise.all([underWay, locking]);
    expect(answered.toSorted()).toEqual(['locked', 'purchase 201']);
  } finally {
    holder.release(true);
  }
});
