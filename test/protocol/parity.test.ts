import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { buildSchema } from 'graphql';
import { documents } from '../../rest-adapter/generated/documents.ts';
import { routes } from '../../rest-adapter/routes.ts';
import { createPublicSchema } from '../../src/graphql/schema/public-schema.ts';
import {
  addMembers,
  earn,
  graphql,
  type Received,
  readMember,
  returnOrder,
  type Sent,
  unenroll,
} from '../support/surfaces/client.ts';
import { useServer } from '../support/surfaces/use-shop.ts';
import { programId, type TestEnvironment } from '../support/surfaces/world.ts';

/** Twins: what is sent to one through REST is sent to the other through GraphQL. */
let restShop: TestEnvironment;
let graphqlShop: TestEnvironment;

const members = ['ada', 'grace', 'alan'];

const { world, client } = useServer();

beforeAll(async () => {
  [restShop, graphqlShop] = [await makeShop(), await makeShop()];
});

/** Operations that are compared door by door in the test of their own subject. */
const comparedElsewhere: Readonly<Record<string, string>> = {
  approveAdjustment: 'adjustments.test.ts',
  rejectAdjustment: 'adjustments.test.ts',
  requestAdjustment: 'adjustments.test.ts',
  reverseAdjustment: 'adjustments.test.ts',
  ledgerClose: 'reports.test.ts',
  ledgerSummary: 'reports.test.ts',
  commitRedemption: 'redemptions.test.ts',
  quoteRedemption: 'redemptions.test.ts',
  releaseRedemption: 'redemptions.test.ts',
  reserveRedemption: 'redemptions.test.ts',
  reverseRedemption: 'redemptions.test.ts',
  transaction: 'transactions.test.ts',
  transactions: 'transactions.test.ts',
};

test('every operation that both doors have is compared here, or where it is said', () => {
  const schema = createPublicSchema(
    buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8')),
  );
  const open = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}),
  );
  const both = routes.map((route) => route.operation as string).filter((name) => open.includes(name));
  const here = both.filter((name) => !Object.hasOwn(comparedElsewhere, name));
  expect(here.toSorted()).toEqual(['member', 'purchaseEarn', 'recordReturn']);
});

describe('the same purchase through both doors', () => {
  const base = { externalCustomerId: 'ada', amountMinor: 1250 };
  const inTheApp = [{ sku: 'sku-1', category: 'beans', quantity: 2, unitPriceMinor: 900 }];
  const pinned = (svcEvaluation: object) => ({
    // After the publication that is still to come, and no further ahead than clocks may differ.
    occurredAt: new Date(Date.now() + 120_000).toISOString(),
    context: { attributes: { svcEvaluation: { mode: 'event_time_pinned_configuration', ...svcEvaluation } } },
  });

  test.each<[string, object, string | null]>([
    ['a plain one', {}, null],
    ['another rule', { channel: 'app', items: inTheApp }, null],
    ['no points at all', { items: [{ category: 'gift-card' }] }, null],
    ['an amount of zero', { amountMinor: 0 }, null],
    [
      'a coupon and a referral',
      { couponCode: 'WELCOME', context: { attributes: { referralCode: 'X' } } },
      null,
    ],
    ...['', ' ', 'C5 ', '\u0007\n', '🎁', 'x'.repeat(200)].map((typed, nth): [string, object, null] => [
      `codes that are nothing, ${nth}`,
      { couponCode: typed, context: { attributes: { referralCode: typed } } },
      null,
    ]),
    ['every field', { currency: 'USD', occurredAt: '2026-01-31T12:00:00+02:00', items: inTheApp }, null],
    ['an amount beyond 32 bits', { externalCustomerId: 'grace', amountMinor: 400_000_000_000 }, null],
    ['after which the tier is another', { externalCustomerId: 'grace' }, null],
    ['a pinned version', pinned({ configurationVersion: 1, memberTier: 'gold' }), null],
    [
      'a version that was never published',
      pinned({ configurationVersion: 9, memberTier: 'gold' }),
      'configuration_not_effective',
    ],
    [
      'a tier that the version does not have',
      pinned({ configurationVersion: 1, memberTier: 'lead' }),
      'unknown_tier',
    ],
    ['an unknown program', { programId: 'tea-club' }, 'program_not_found'],
    ['an unknown member', { externalCustomerId: 'nobody' }, 'member_not_found'],
    ['a member that is not enrolled', { externalCustomerId: 'stranger' }, 'enrollment_required'],
    ['another currency', { currency: 'EUR' }, 'currency_mismatch'],
    ['a purchase of the future', { occurredAt: '2999-01-01T00:00:00Z' }, 'invalid_event'],
  ])('%s', async (name, change, code) => {
    const purchase = { ...base, sourceReference: `order ${name}`, ...change };
    const [viaRest, viaGraphql] = await sendBoth(purchase, `key-${slug(name)}`);
    expect(viaRest.code).toBe(code);
    expect(comparable(viaGraphql)).toEqual(comparable(viaRest));
    expect(viaRest.status).toBe(code ? viaGraphql.httpStatus : 201);
    // And a second time: a replay, or the same refusal.
    const again = await sendBoth(purchase, `key-${slug(name)}`);
    expect(comparable(again[1])).toEqual(comparable(again[0]));
    expect(again.map(({ replayed }) => replayed)).toEqual(code ? [false, false] : [true, true]);
  });

  test('a code of 201 characters is refused, whichever it is', async () => {
    const long = 'x'.repeat(201);
    for (const [path, change] of [
      ['couponCode', { couponCode: long }],
      ['context.attributes.referralCode', { context: { attributes: { referralCode: long } } }],
    ] as const) {
      const both = await sendBoth({ ...base, sourceReference: 'long', ...change }, `key-long-${path}`);
      const details = [{ path, message: 'must have at most 200 characters' }];
      expect(both.map(comparable)).toMatchObject([{ details }, { details }]);
      expect(both.map(({ code }) => code)).toEqual(['invalid_event', 'validation_failed']);
    }
  });

  test('an order reference that another key has taken, and a key that another body has taken', async () => {
    const purchase = { ...base, sourceReference: 'taken' };
    await sendBoth(purchase, 'first');
    const otherKey = await sendBoth(purchase, 'second');
    const otherBody = await sendBoth({ ...purchase, amountMinor: 1 }, 'first');
    expect(otherKey.map(({ code }) => code)).toEqual(Array(2).fill('source_reference_conflict'));
    expect(otherBody.map(({ code }) => code)).toEqual(Array(2).fill('idempotency_key_reused'));
    expect(comparable(otherKey[1])).toEqual(comparable(otherKey[0]));
    expect(comparable(otherBody[1])).toEqual(comparable(otherBody[0]));
  });

  test('a violation: the same paths and messages; REST calls what is wrong with an event by its own code', async () => {
    const purchase = {
      ...base,
      sourceReference: ' ',
      amountMinor: -1,
      currency: 'usd',
      items: [{ quantity: 0 }],
    };
    const [viaRest, viaGraphql] = await sendBoth(purchase, 'violation');
    expect(viaRest).toMatchObject({ status: 422, code: 'invalid_event' });
    expect(viaGraphql).toMatchObject({ httpStatus: 422, code: 'validation_failed' });
    expect(viaGraphql.details).toEqual(viaRest.details);
    expect(viaRest.details).toHaveLength(4);
  });
});

describe('the same return through both doors', () => {
  const lines = [
    { lineReference: 'beans', quantity: 3, unitPriceMinor: 300 },
    { lineReference: 'mug', quantity: 1, unitPriceMinor: 351 },
  ];

  beforeAll(async () => {
    const purchase = {
      externalCustomerId: 'alan',
      sourceReference: 'to return',
      amountMinor: 1250,
      items: lines,
    };
    const bought = await sendBoth(purchase, 'to-return');
    expect(bought.map(({ code }) => code)).toEqual([null, null]);
  });

  test.each<[string, object, string | null]>([
    ['an amount', { returnAmountMinor: 99 }, null],
    ['lines', { items: [{ lineReference: 'beans', quantity: 1 }] }, null],
    ['a line named twice', { items: Array(2).fill({ lineReference: 'beans', quantity: 1 }) }, null],
    ['an amount, and no lines', { returnAmountMinor: 1, items: [] }, null],
    ['more than remains', { returnAmountMinor: 5000 }, 'return_exceeds_remaining'],
    [
      'more than remains of a line',
      { items: [{ lineReference: 'mug', quantity: 2 }] },
      'return_exceeds_remaining',
    ],
    ['an unknown line', { items: [{ lineReference: 'tea', quantity: 1 }] }, 'unknown_line'],
    ['an unknown order', { sourceReference: 'none', returnAmountMinor: 1 }, 'order_not_found'],
    [
      'both forms',
      { returnAmountMinor: 1, items: [{ lineReference: 'mug', quantity: 1 }] },
      'return_form_invalid',
    ],
    ['neither form', {}, 'return_form_invalid'],
  ])('%s', async (name, form, code) => {
    const body = { sourceReference: 'to return', returnReference: `return ${name}`, ...form };
    for (const [key, replayed] of [
      [`return-${slug(name)}`, false],
      [`return-${slug(name)}`, true],
      [`return-${slug(name)}-again`, true],
    ] as const) {
      const [viaRest, viaGraphql] = await returnBoth(body, key);
      expect(viaRest.code).toBe(code);
      expect(comparable(viaGraphql)).toEqual(comparable(viaRest));
      const toldAgain = replayed && code === null;
      const told = { viaRest: viaRest.replayed, viaGraphql: viaGraphql.replayed };
      expect(told).toEqual({ viaRest: toldAgain, viaGraphql: toldAgain });
      if (code) expect(viaRest.status).toBe(viaGraphql.httpStatus);
      else expect(viaRest.status).toBe(replayed ? 200 : 201);
    }
  });

  test('a violation: the same paths and messages', async () => {
    const items = [{ lineReference: ' ', quantity: 0 }];
    const body = { sourceReference: 'to return', returnReference: '', returnAmountMinor: 0, items };
    const [viaRest, viaGraphql] = await returnBoth(body, 'return-violation');
    expect(viaRest).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(viaGraphql).toMatchObject({ httpStatus: 422, code: 'validation_failed' });
    expect(viaGraphql.details).toEqual(viaRest.details);
    expect(viaRest.details).toHaveLength(4);
  });
});

test('the same member through both doors, and the same refusal', async () => {
  for (const id of [...members, 'stranger', 'nobody', 'x'.repeat(200)]) {
    const [viaRest, viaGraphql] = await readBoth(id);
    expect(comparable(viaGraphql)).toEqual(comparable(viaRest));
  }
  const [, violated] = await readBoth(' ');
  expect(violated).toMatchObject({ httpStatus: 422, code: 'validation_failed' });
});

test('sequences of purchases: whatever comes, both doors answer alike and leave the same books', async () => {
  const step = fc.record({
    externalCustomerId: fc.constantFrom(...members, 'stranger', 'nobody'),
    sourceReference: fc.constantFrom('s-1', 's-2', 's-3', 's-4'),
    amountMinor: fc.constantFrom(0, 99, 100, 1250, 99_999),
    channel: fc.constantFrom('web', 'app'),
    items: fc.option(fc.constantFrom([{ category: 'beans' }], [{ category: 'gift-card' }]), {
      nil: undefined,
    }),
    key: fc.constantFrom('k-1', 'k-2', 'k-3', 'k-4', 'k-5'),
  });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      run += 1;
      for (const { key, sourceReference, ...purchase } of steps) {
        const sent = { ...purchase, sourceReference: `${run} ${sourceReference}` };
        const [viaRest, viaGraphql] = await sendBoth(sent, `${run}-${key}`);
        expect(comparable(viaGraphql)).toEqual(comparable(viaRest));
        expect(viaGraphql.replayed).toBe(viaRest.replayed);
      }
      for (const id of members) {
        const [viaRest, viaGraphql] = await readBoth(id);
        expect(comparable(viaGraphql)).toEqual(comparable(viaRest));
      }
    }),
    { numRuns: process.env.FULL === '1' ? 500 : 40 },
  );
  expect(await world.failedControls()).toEqual([]);
});

test('one namespace of keys: what REST has done GraphQL replays, and the other way', async () => {
  const purchase = { externalCustomerId: 'alan', amountMinor: 500 };
  const fresh = await client.send(earn(restShop, { ...purchase, sourceReference: 'n-1' }, 'shared-1'));
  const replay = await client.send(
    earnMutation(restShop, { ...purchase, sourceReference: 'n-1' }, 'shared-1'),
  );
  expect({ fresh: fresh.status, replay: replay.status }).toEqual({ fresh: 201, replay: 200 });
  expect(replay.body.data?.purchaseEarn).toMatchObject({ id: fresh.body.id, idempotent: true });
  expect(comparable(viewOf(replay, 'purchaseEarn'))).toEqual(comparable(viewOf(fresh, null)));

  const made = await client.send(earnMutation(restShop, { ...purchase, sourceReference: 'n-2' }, 'shared-2'));
  expect(made.body.data?.purchaseEarn).toMatchObject({ idempotent: false });
  const repeated = await client.send(earn(restShop, { ...purchase, sourceReference: 'n-2' }, 'shared-2'));
  expect({ status: repeated.status, 'idempotent-replayed': repeated.headers['idempotent-replayed'] }).toEqual(
    { status: 200, 'idempotent-replayed': 'true' },
  );
  expect(repeated.body.id).toBe(made.body.data?.purchaseEarn?.id);

  const reused = [
    await client.send(earn(restShop, { ...purchase, sourceReference: 'n-3' }, 'shared-2')),
    await client.send(earnMutation(restShop, { ...purchase, sourceReference: 'n-3' }, 'shared-1')),
  ];
  expect(reused.map(({ status, code }) => [status, code])).toEqual([
    [409, 'idempotency_key_reused'],
    [200, 'idempotency_key_reused'],
  ]);
  // Of another operation it is another key.
  expect((await client.send(unenroll(restShop, 'stranger', 'shared-1'))).code).toBe('profile_not_found');
});

/** An answer with what surrounds it taken off, so that both doors can be compared. */
interface View {
  status: number;
  /** Of the refusal, wherever it stands. */
  httpStatus: number | null;
  code: string | null;
  message: string | undefined;
  details: unknown;
  payload: Record<string, unknown> | null;
  replayed: boolean;
}

function viewOf(answer: Received, field: string | null): View {
  const { status, code, body } = answer;
  const [error] = body.errors ?? [];
  const refusal = body.error ?? error?.extensions;
  const { idempotent, ...payload } = (field ? body.data?.[field] : body) ?? {};
  return {
    status,
    httpStatus: error?.extensions.httpStatus ?? null,
    code,
    message: body.error?.message ?? error?.message,
    details: refusal?.details,
    payload: code ? null : payload,
    replayed: answer.replayed || idempotent === true,
  };
}

/** What must be equal: not the ids and codes that each environment makes for itself, nor the time of evaluation. */
function comparable({ code, message, details, payload }: View): object {
  const text = JSON.stringify({ code, message, details, payload });
  return JSON.parse(
    text
      .replace(/\b(txn|mem|req)_[0-9a-z]{26}/g, '$1')
      .replace(/"(evaluationAt|at)":"[^"]*"/g, '"$1":"now"')
      .replace(/"referralCode":"[0-9A-Z]+"/g, '"referralCode":"code"'),
  ) as object;
}

async function sendBoth(purchase: object, key: string): Promise<[View, View]> {
  const answers = await Promise.all([
    client.send(earn(restShop, purchase, key)),
    client.send(earnMutation(graphqlShop, purchase, key)),
  ]);
  return [viewOf(answers[0], null), viewOf(answers[1], 'purchaseEarn')];
}

async function returnBoth(body: object, idempotencyKey: string): Promise<[View, View]> {
  const input = { ...body, idempotencyKey };
  const answers = await Promise.all([
    client.send(returnOrder(restShop, body, idempotencyKey)),
    client.send(graphql(graphqlShop, printed('recordReturn'), { input })),
  ]);
  return [viewOf(answers[0], null), viewOf(answers[1], 'recordReturn')];
}

async function readBoth(externalCustomerId: string): Promise<[View, View]> {
  const answers = await Promise.all([
    client.send(readMember(restShop, externalCustomerId)),
    client.send(graphql(graphqlShop, printed('member'), { externalCustomerId })),
  ]);
  return [viewOf(answers[0], null), viewOf(answers[1], 'member')];
}

function earnMutation(shop: TestEnvironment, purchase: object, idempotencyKey: string): Sent {
  const input = { programId, channel: 'web', ...purchase, idempotencyKey };
  return graphql(shop, printed('purchaseEarn'), { input });
}

/** The REST adapter's own document: so that GraphQL is asked for exactly what REST shows. */
function printed(operation: keyof typeof documents): string {
  return documents[operation];
}

function slug(name: string): string {
  return name.replaceAll(' ', '-');
}

async function makeShop(): Promise<TestEnvironment> {
  const shop = await world.environment();
  await addMembers(client, shop, members);
  const stranger = { externalCustomerId: 'stranger', consentStatus: 'opted_in', noticeVersion: 'v1' };
  await client.send({
    method: 'POST',
    path: '/api/v1/members',
    headers: {
      authorization: `Bearer ${shop.key}`,
      'x-environment': shop.environmentId,
      'content-type': 'application/json',
      'idempotency-key': 'stranger',
    },
    body: JSON.stringify(stranger),
  });
  return shop;
}
