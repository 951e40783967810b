import { beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../rest-adapter/routes.ts';
import { codeImporter } from '../../src/admin/coupons/import-codes.ts';
import { newUuid } from '../../src/ids.ts';
import { isRefusal } from '../../src/refusal.ts';
import { fixture } from '../support/fixture.ts';
import {
  choose,
  createMember,
  earn,
  engage,
  enroll,
  onReservation,
  quote,
  type Received,
  reserve,
  rest,
  returnOrder,
  type Sent,
  unenroll,
  updateMember,
} from '../support/surfaces/client.ts';
import { useShop } from '../support/surfaces/use-shop.ts';
import { addTestWidget, openSession, redeemInWidget } from '../support/surfaces/widgets.ts';
import { createWorld, programId } from '../support/surfaces/world.ts';
import { webhookRequests } from '../support/webhooks/requests.ts';

/** Part of everything that a merchant or a customer can type about a member. */
const CANARY = 'canary';
const ADA = `ada-${CANARY}`;
const ZOE = `zoe-${CANARY}`;

const { database, world, client, shop } = useShop({ members: [ADA] });
const approver = fixture('the approver', async () => ({
  ...shop,
  ...(await world.key(shop.id, ['adjustments:approve'], null, 'approver')),
}));

beforeAll(async () => {
  await client.send(
    earn(shop, { externalCustomerId: ADA, amountMinor: 900_000, sourceReference: 'rich' }, 'rich'),
  );
  await client.send(
    engage(shop, { type: 'brew', externalCustomerId: ADA, attributes: { grams: 1000 } }, 'brew'),
  );
});

/** What requests may say without it, by its name in the body: it is not about a member. */
const NOT_ABOUT_A_MEMBER: Readonly<Record<string, string>> = {
  programId: 'names a program of the merchant',
  rewardId: "names a reward of the program's document",
  choiceSetId: "names a choice set of the program's document",
  type: 'names an event definition of a document, or the only type of POST /events',
  channel: 'one of three words',
  direction: 'credit or debit',
  status: 'one of a few words',
  consentStatus: 'opted_in or opted_out',
  noticeVersion: 'names a text that everybody is shown; it stays when a member is erased',
  quoteId: 'an id of the service',
  url: 'an address of the merchant; the trail has its origin alone',
  eventTypes: 'words of the service',
  action: 'one of a few words',
  sku: 'names an article',
};

/** The texts of a body that lack the canary, by the names under which they stand. */
function typedWithoutCanary(value: unknown, name = ''): string[] {
  if (typeof value === 'string') {
    return value.includes(CANARY) || name in NOT_ABOUT_A_MEMBER ? [] : [name];
  }
  if (Array.isArray(value)) return value.flatMap((item) => typedWithoutCanary(item, name));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => typedWithoutCanary(item, key));
}

interface Written {
  action: string;
  target_id: string;
  actor_type: string;
  actor_id: string;
  changes: object;
}

/** The audit events under the id of a response. */
async function writtenUnder({ headers }: Received): Promise<Written[]> {
  const { rows } = await database.adminPool.query<Written>(
    `select action, target_id, actor_type, actor_id, changes from audit_events
     where environment_id = $1 and request_id = $2 order by id`,
    [shop.id, headers['x-request-id']],
  );
  return rows;
}

const covered = new Set<string>();

/**
 * Sends a command, and again. The first writes the one audit event of its principal, with a target and changes, under
 * the id of the response; the second writes none.
 * @param actions of all the events of the principal
 * @returns the id that the body names first
 */
async function command(
  route: string,
  actions: readonly string[],
  sent: Sent,
  actor = 'tests',
): Promise<string> {
  covered.add(route);
  expect([route, typedWithoutCanary(JSON.parse(String(sent.body ?? '{}')))]).toEqual([route, []]);
  const answer = await client.send(sent);
  expect([route, answer.status, answer.code]).toEqual([route, expect.any(Number), null]);
  expect(answer.body.requestId).toBe(answer.headers['x-request-id']);
  const own = (await writtenUnder(answer)).filter(({ actor_type }) => actor_type === 'api_key');
  expect([route, own.map(({ action }) => action)]).toEqual([route, actions]);
  for (const event of own) {
    expect(event.actor_id).toBe(actor);
    expect(event.target_id).toMatch(/^(mem|mrg|txn|rsv|quo|dsp|adj|evt|chc|we|msg|env)_[0-9a-z]{26}$/);
    expect(Object.keys(event.changes).length).toBeGreaterThan(0);
  }
  const replay = await client.send(sent);
  expect([route, replay.replayed]).toEqual([route, true]);
  expect(await writtenUnder(replay)).toEqual([]);
  return /"id":"([a-z]+_[0-9a-z]{26})"/.exec(answer.text.replace(/"member":\{[^}]*\}/, ''))?.[1] ?? '';
}

async function redeemed(key: string): Promise<string> {
  const id = await held(key);
  const body = { authorizationReference: `${CANARY} ${key}` };
  const path = 'POST /redemptions/{reservationId}/commit';
  await command(path, ['redemption.committed'], onReservation(shop, id, 'commit', body, `commit-${key}`));
  return id;
}

async function held(key: string): Promise<string> {
  const ada = { externalCustomerId: ADA };
  const quoted = await command(
    'POST /redemptions/quote',
    ['redemption.quoted'],
    quote(shop, { ...ada, sourceReference: `${CANARY} ${key}` }, `quote-${key}`),
  );
  return command(
    'POST /redemptions/reserve',
    ['redemption.reserved'],
    reserve(shop, quoted, `reserve-${key}`),
  );
}

/** The request with other evidence and another reason. */
function evidenced(sent: Sent): Sent {
  const body = JSON.parse(String(sent.body));
  const reason = body.reason === undefined ? {} : { reason: CANARY };
  return { ...sent, body: JSON.stringify({ ...body, ...reason, evidence: { source: CANARY } }) };
}

test('members, purchases, returns and engagement', async () => {
  const answer = { consentStatus: 'opted_in', noticeVersion: 'v2', evidence: { source: CANARY } };
  await command('POST /members', ['member.created'], createMember(shop, ZOE));
  await command(
    'PATCH /members/{externalId}',
    ['member.updated'],
    updateMember(shop, ZOE, 'update', { displayName: CANARY, ...answer }),
  );
  const tag = `/members/${ZOE}/tags/${CANARY}`;
  await command('PUT /members/{externalId}/tags/{tag}', ['member.tagged'], rest(shop, 'PUT', tag, {}, 'tag'));
  await command(
    'DELETE /members/{externalId}/tags/{tag}',
    ['member.untagged'],
    rest(shop, 'DELETE', tag, {}, 'untag'),
  );
  for (const [way, action] of [
    ['suspend', 'member.suspended'],
    ['resume', 'member.resumed'],
  ] as const) {
    const sent = rest(shop, 'POST', `/members/${ZOE}/${way}`, {}, way);
    await command(`POST /members/{externalId}/${way}`, [action], sent);
  }
  const [list, listed] = [`/lists/${CANARY}/members`, { externalCustomerIds: [ZOE] }];
  const members = '/lists/{list}/members';
  await command(`POST ${members}`, ['list.members_added'], rest(shop, 'POST', list, listed, 'list'));
  await command(`DELETE ${members}`, ['list.members_removed'], rest(shop, 'DELETE', list, listed, 'unlist'));
  const profile = '/members/{externalCustomerId}/programs/{programId}';
  await command(`PUT ${profile}`, ['member.enrolled'], evidenced(enroll(shop, ZOE)));
  await command(`DELETE ${profile}`, ['member.unenrolled'], evidenced(unenroll(shop, ZOE)));
  const typed = {
    sourceReference: `order-1-${CANARY}`,
    couponCode: CANARY,
    items: [{ lineReference: CANARY, sku: 'house-blend', quantity: 1, unitPriceMinor: 1_000 }],
    context: { attributes: { note: CANARY, referralCode: CANARY } },
  };
  const purchase = { externalCustomerId: ADA, amountMinor: 1_000, ...typed };
  await command('POST /events', ['purchase.completed'], earn(shop, purchase, 'earn'));
  const returned = {
    sourceReference: typed.sourceReference,
    returnReference: CANARY,
    returnAmountMinor: 500,
  };
  await command('POST /returns', ['order.returned'], returnOrder(shop, returned, 'return'));
  const event = engage(
    shop,
    {
      externalCustomerId: ADA,
      sourceReference: `event ${CANARY}`,
      attributes: { sku: 'house-blend', stars: 5, text: CANARY },
    },
    'engage',
  );
  await command('POST /custom-events', ['custom_event.accepted'], event);
  const choice = choose(shop, { externalCustomerId: ADA, sourceReference: `choice ${CANARY}` }, 'choose');
  await command('POST /choice-benefits', ['choice.fulfilled'], choice);
});

test('codes of pools', async () => {
  const pool = `coupons:\n  - { code: SUMMER, pool: { checkCharacter: false } }\n  -`;
  const world = createWorld(database);
  await world.publish(shop.id, (yaml) => yaml.replace(/^coupons:\n {2}-/m, pool));
  const session = { pool: database.adminPool, administrator: world.administrator };
  const importCodes = await codeImporter(session, { environmentId: shop.id, programId, poolId: 'SUMMER' });
  if (isRefusal(importCodes)) throw new Error(importCodes.message);
  expect(await importCodes([`code-${CANARY}`])).toMatchObject({ imported: 1 });
  await command(
    'POST /coupon-codes/assign',
    ['coupon_code.assigned'],
    rest(
      shop,
      'POST',
      '/coupon-codes/assign',
      { programId, code: `code ${CANARY}`, externalCustomerId: ADA },
      'assign',
    ),
  );
});

test('redemptions', async () => {
  const act = async (id: string, path: string, actions: string[], body: object): Promise<string> => {
    const route = `POST /redemptions/{reservationId}/${path.replace(/dsp_\w+/, '{disputeId}')}`;
    return command(route, actions, onReservation(shop, id, path, body, `${path}-${id}`));
  };
  const evidence = { cancellationEvidence: { ticket: CANARY } };
  await act(await held('a'), 'release', ['redemption.released'], { reason: CANARY });
  const first = await redeemed('b');
  await act(first, 'fulfillment', ['redemption.fulfillment_updated'], {
    status: 'shipped',
    reference: CANARY,
  });
  const rejected = await act(first, 'disputes', ['redemption.dispute_opened'], {
    reason: CANARY,
    evidence: { photo: CANARY },
  });
  await act(first, `disputes/${rejected}/reject`, ['redemption.dispute_rejected'], {
    reason: CANARY,
  });
  const second = await redeemed('c');
  const opened = await act(second, 'disputes', ['redemption.dispute_opened'], {
    reason: CANARY,
    evidence: { photo: CANARY },
  });
  const resolution = { resolution: CANARY, reverse: true, ...evidence };
  await act(second, `disputes/${opened}/resolve`, ['redemption.dispute_resolved'], resolution);
  await act(await redeemed('d'), 'reverse', ['redemption.reversed'], { reason: CANARY, ...evidence });
});

test('adjustments', async () => {
  const body = {
    programId,
    externalCustomerId: ADA,
    direction: 'credit',
    points: 5,
    reason: CANARY,
    evidence: { ticket: CANARY },
  };
  const ask = (key: string) =>
    command('POST /adjustments', ['adjustment.requested'], rest(shop, 'POST', '/adjustments', body, key));
  const decide = (id: string, verb: string, action: string) =>
    command(
      `POST /adjustments/{adjustmentId}/${verb}`,
      [action],
      rest(approver, 'POST', `/adjustments/${id}/${verb}`, { reason: CANARY }, `${verb}-${id}`),
      'approver',
    );
  await decide(await ask('one'), 'reject', 'adjustment.rejected');
  const posted = await ask('two');
  await decide(posted, 'approve', 'adjustment.posted');
  await decide(posted, 'reverse', 'adjustment.reversed');
});

test('merges of two accounts', async () => {
  const [one, two, three] = ['one', 'two', 'three'].map((name) => `${CANARY}-${name}`) as [
    string,
    string,
    string,
  ];
  for (const name of [one, two, three]) {
    const body = { externalCustomerId: name, consentStatus: 'opted_in', noticeVersion: 'v1' };
    await command('POST /members', ['member.created'], rest(shop, 'POST', '/members', body, name));
  }
  const ask = (from: string, into: string) => {
    const body = { intoExternalCustomerId: into, reason: CANARY, evidence: { ticket: CANARY } };
    const path = `/members/${encodeURIComponent(from)}/merge`;
    const request = rest(shop, 'POST', path, body, `merge-${from}`);
    return command('POST /members/{externalId}/merge', ['member_merge.requested'], request);
  };
  const decide = (id: string, verb: string, action: string) =>
    command(
      `POST /member-merges/{mergeId}/${verb}`,
      [action],
      rest(approver, 'POST', `/member-merges/${id}/${verb}`, { reason: CANARY }, newUuid()),
      'approver',
    );
  const part = (id: string) => {
    const request = rest(shop, 'POST', `/member-merges/${id}/unmerge`, { reason: CANARY }, newUuid());
    return command('POST /member-merges/{mergeId}/unmerge', ['member_unmerge.requested'], request);
  };
  const merged = await ask(one, two);
  await decide(merged, 'approve', 'member.merged');
  await part(merged);
  await decide(merged, 'unmerge/reject', 'member_unmerge.rejected');
  await part(merged);
  await decide(merged, 'unmerge/approve', 'member.unmerged');
  await decide(await ask(three, two), 'reject', 'member_merge.rejected');
}, 60_000);

test('webhooks', async () => {
  const { create, patch, rotate, test: ask, replay, retry, remove } = webhookRequests;
  const path = '/webhook-endpoints';
  const one = `${path}/{endpointId}`;
  const asked = { url: 'https://example.com/hook', eventTypes: ['points.earned'] };
  const id = await command(`POST ${path}`, ['webhook_endpoint.created'], create(shop, asked, 'create'));
  await command(
    `PATCH ${one}`,
    ['webhook_endpoint.updated'],
    patch(shop, id, { description: CANARY }, 'patch'),
  );
  await command(
    `POST ${one}/rotate-secret`,
    ['webhook_endpoint.secret_rotated'],
    rotate(shop, id, {}, 'rotate'),
  );
  const sent = await command(`POST ${one}/test`, ['webhook_endpoint.tested'], ask(shop, id, 'test'));
  await database.adminPool.query(
    `update webhook_deliveries set status = 'failed', next_attempt_at = now() + interval '1 day'
     where environment_id = $1`,
    [shop.id],
  );
  await database.adminPool.query(
    `update webhook_endpoints set status = 'active', activated_at = now(), disabled_reason = null
     where environment_id = $1`,
    [shop.id],
  );
  const again = 'POST /webhook-deliveries/{deliveryId}/retry';
  await command(again, ['webhook_delivery.retried'], retry(shop, sent, 'retry'));
  await command(
    `POST ${one}/replay`,
    ['webhook_endpoint.replayed'],
    replay(shop, id, { sinceSequence: 0 }, 'replay'),
  );
  await command(`DELETE ${one}`, ['webhook_endpoint.deleted'], remove(shop, id, 'delete'));
});

test('the clock of a Sandbox', async () => {
  const body = { action: 'advance', seconds: 1 };
  const path = 'POST /sandbox/clock';
  await command(path, ['environment.clock_moved'], rest(shop, 'POST', '/sandbox/clock', body, 'advance'));
});

/** What is sent with a body and changes nothing. */
const READS: readonly string[] = [
  '/coupon-codes/lookup',
  '/offers/evaluate',
  '/events/preview',
  '/widgets/{deploymentId}/sessions',
];

test('a redemption in a widget, whose actor is the widget', async () => {
  const deploymentId = await addTestWidget(createWorld(database), shop.id);
  const token = await openSession(client, shop, deploymentId, ADA);
  const body = { rewardId: 'free-coffee', idempotencyKey: 'redeem-in-widget' };
  const sent = redeemInWidget(deploymentId, token, body);
  covered.add('POST /widgets/{deploymentId}/actions/redeem');
  const answer = await client.send(sent);
  expect(answer).toMatchObject({ status: 201, code: null });
  expect(await writtenUnder(answer)).toMatchObject([
    { action: 'redemption.reserved', actor_type: 'customer', actor_id: deploymentId },
  ]);
  const replay = await client.send(sent);
  expect(replay).toMatchObject({ status: 200, replayed: true });
  expect(await writtenUnder(replay)).toEqual([]);
});

// What changes how an environment is set up, or is about whoever has signed in: test/surfaces/management.
const OF_MANAGEMENT =
  /^\/(?:issuers|environment|session)\b|^\/widgets$|^\/programs\/\{programId\}\/(?:versions|code-pools)\b/;

test('these were all commands that REST has', () => {
  const commands = routes.filter(
    ({ method, path }) => method !== 'GET' && !READS.includes(path) && !OF_MANAGEMENT.test(path),
  );
  expect([...covered].toSorted()).toEqual(commands.map(({ method, path }) => `${method} ${path}`).toSorted());
});

test('no audit event has what a merchant or a customer typed about a member', async () => {
  const { rows } = await database.adminPool.query<{ event: string }>(
    `select row_to_json(e)::text as event from audit_events e where environment_id = $1`,
    [shop.id],
  );
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter(({ event }) => event.includes(CANARY))).toEqual([]);
});
