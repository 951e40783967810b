import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  addMembers,
  choose,
  createMember,
  earn,
  engage,
  enroll,
  graphql,
  hold,
  onReservation,
  quote,
  readMember,
  reserve,
  rest,
  returnOrder,
  type Sent,
  unenroll,
  updateMember,
} from '../support/surfaces/client.ts';
import { useServer } from '../support/surfaces/use-shop.ts';
import { programId, type TestEnvironment } from '../support/surfaces/world.ts';

const RUNS = process.env.FULL === '1' ? 5_000 : 150;
/** How many requests are sent at the same time in a run. */
const TOGETHER = 12;

let shop: TestEnvironment;
let locked: TestEnvironment;
/** A quote of `shop`: altered requests may reserve it, commit it, and so on. */
let quoteId = '';
let reservationId = '';

const { database, world, client } = useServer();

beforeAll(async () => {
  [shop, locked] = [await world.environment(), await world.environment('production')];
  await addMembers(client, shop, ['ada', 'grace']);
  const order = { externalCustomerId: 'ada', sourceReference: 'to return', amountMinor: 10_000_000 };
  await client.send(earn(shop, order, 'to-return'));
  const ada = { externalCustomerId: 'ada' };
  const quoted = await client.send(quote(shop, ada, 'quote'));
  quoteId = (quoted.body.quote as { id: string }).id;
  reservationId = await hold(client, shop, ada, 'hold');
  await world.lock(locked.id, true);
});

const earnMutation =
  'mutation ($input: PurchaseEarnInput!) { purchaseEarn(input: $input) { id idempotent } }';

/** A valid request of each route, and of each root field. */
const good: ((credentials: TestEnvironment, key: string) => Sent)[] = [
  (credentials, key) => createMember(credentials, `m-${key}`, key),
  // With an answer about consent, because a name alone that is the same writes nothing but its key.
  (credentials, key) =>
    updateMember(credentials, 'ada', key, {
      displayName: key,
      consentStatus: 'opted_in',
      noticeVersion: 'v2',
      evidence,
    }),
  (credentials, key) => enroll(credentials, 'ada', key),
  (credentials, key) => unenroll(credentials, 'grace', key),
  (credentials, key) => earn(credentials, { ...everything, sourceReference: key }, key),
  (credentials, key) => returnOrder(credentials, { ...returned, returnReference: key }, key),
  (credentials, key) => engage(credentials, { ...ran, sourceReference: key }, key),
  (credentials, key) => choose(credentials, { externalCustomerId: 'ada', sourceReference: key }, key),
  (credentials, key) => quote(credentials, { externalCustomerId: 'ada', ttlSeconds: 60 }, key),
  (credentials, key) => reserve(credentials, quoteId, key),
  (credentials, key) =>
    onReservation(credentials, reservationId, 'commit', { authorizationReference: 'a' }, key),
  (credentials, key) => onReservation(credentials, reservationId, 'disputes', { reason, evidence }, key),
  (credentials, key) =>
    onReservation(credentials, reservationId, 'fulfillment', { status: 'shipped', reference: 'p' }, key),
  (credentials, key) =>
    onReservation(credentials, reservationId, 'reverse', { reason, cancellationEvidence: evidence }, key),
  (credentials, key) =>
    graphql(credentials, earnMutation, {
      input: { ...everything, programId, channel: 'web', sourceReference: key, idempotencyKey: key },
    }),
];

const reason = 'r';
const evidence = { ticket: 'T-1', seen: [1, null] };
const ran = { externalCustomerId: 'ada', occurredAt: '2026-01-31T12:00:00Z' };
const returned = { sourceReference: 'to return', returnAmountMinor: 99, items: [] };

const everything = {
  externalCustomerId: 'ada',
  amountMinor: 1250,
  currency: 'USD',
  couponCode: 'WELCOME',
  occurredAt: '2026-01-31T12:00:00Z',
  items: [{ lineReference: '1', sku: 's', category: 'beans', quantity: 2, unitPriceMinor: 625 }],
  context: {
    attributes: {
      referralCode: 'r',
      note: 'n',
      svcEvaluation: {
        mode: 'receipt_time_current_configuration',
        configurationVersion: 1,
        memberTier: 'gold',
      },
    },
  },
};

/** Values that are known to break programs, and any other JSON. */
const anyValue = fc.oneof(
  fc.constantFrom('', '\0', '\ud800', 'x'.repeat(5_000), '__proto__', '1', '2026-13-01T00:00:00Z', '💥'),
  fc.constantFrom(-1, 0.5, -0, 1e300, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 5e-324),
  fc.constantFrom(null, true, [], {}, [[]], { a: { b: [] } }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.jsonValue({ maxDepth: 4 }),
);
const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

/** Ways to make a body invalid. */
const spoil: fc.Arbitrary<(text: string) => string | Buffer> = fc.oneof(
  // Any value replaced by another.
  fc.tuple(place, anyValue).map(
    ([at, value]) =>
      (text: string) =>
        replaceValue(text, at, value),
  ),
  // Members that the contract does not have.
  fc.tuple(fc.string({ unit: 'binary', maxLength: 20 }), anyValue).map(
    ([name, value]) =>
      (text: string) =>
        text.replace(/\{/, () => `{${JSON.stringify(name)}:${JSON.stringify(value)},`),
  ),
  // Bytes removed and bytes inserted.
  fc.tuple(place, fc.nat(20), fc.uint8Array({ maxLength: 20 })).map(([at, cut, put]) => (text: string) => {
    const bytes = Buffer.from(text);
    const start = Math.floor(at * bytes.length);
    return Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(start + cut)]);
  }),
  // Entirely different JSON, and no JSON.
  anyValue.map((value) => () => JSON.stringify(value)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => () => Buffer.from(bytes)),
);

/** The characters that a header may have: Node's client sends no others. */
const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
});
const changedHeaders = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.dictionary(
      fc.constantFrom(
        'idempotency-key',
        'content-type',
        'x-request-id',
        'x-environment',
        'accept',
        'content-encoding',
      ),
      headerText,
      { maxKeys: 2 },
    ),
  },
);
const spoilt = fc.record({ which: fc.nat(good.length - 1), spoil, headers: changedHeaders });

test('whatever is sent, nothing breaks, and each answer says truly whether something was written', async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(spoilt, { minLength: 1, maxLength: TOGETHER }), async (requests) => {
      runs += 1;
      const before = await written();
      const answers = await Promise.all(
        requests.map(({ which, spoil: change, headers }, index) => {
          const sent = good[which]?.(shop, `r${runs}-${index}`) as Sent;
          return client.send({
            ...sent,
            body: change(String(sent.body)),
            headers: { ...sent.headers, ...headers },
          });
        }),
      );
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      const fresh = answers.filter(({ status, code, replayed, body }) => {
        const graphqlReplay = body.data?.purchaseEarn?.idempotent === true;
        return status < 300 && code === null && !replayed && !graphqlReplay;
      });
      // A return that was recorded under another key: only this key was written.
      const again = answers.filter(({ replayed, body }) => replayed && body.return);
      const after = await written();
      expect(after.keys - before.keys).toBe(fresh.length + again.length);
      expect(after.audits - before.audits).toBe(fresh.length);
    }),
    { numRuns: RUNS },
  );
  expect(await world.failedControls()).toEqual([]);
});

test('to an environment that takes no changes: nothing breaks and nothing is written', async () => {
  const before = await world.countRows();
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(spoilt, { minLength: 1, maxLength: TOGETHER }), async (requests) => {
      runs += 1;
      for (const { which, spoil: change, headers } of requests) {
        const sent = good[which]?.(locked, `l${runs}`) as Sent;
        const answer = await client.send({
          ...sent,
          body: change(String(sent.body)),
          headers: { ...sent.headers, ...headers },
        });
        expect(answer.status).toBeLessThan(500);
        expect(answer.status >= 400 || answer.code !== null || answer.body.data?.__typename).toBeTruthy();
      }
    }),
    { numRuns: Math.ceil(RUNS / 3) },
  );
  expect(await world.countRows()).toEqual(before);
});

test('any path: nothing breaks', async () => {
  const raw = fc.string({
    unit: fc.constantFrom('%', '0', 'f', 'E', '/', '.', ';', '?', '=', 'a', ' '),
    maxLength: 12,
  });
  const segment = fc.oneof(
    fc.string({ unit: 'binary' }).map(encodeURIComponent),
    raw.map((text) => text.replaceAll(' ', '%20')),
  );
  const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS');
  // An environment without members: those of the tests above have whatever ids came up, such as `__proto__`.
  const empty = await world.environment();
  const before = await world.countRows();
  await fc.assert(
    fc.asyncProperty(method, fc.array(segment, { maxLength: 4 }), async (verb, segments) => {
      const paths = [`/members/${segments.join('/')}`, `/${segments.join('/')}`];
      for (const path of paths) {
        const { status } = await client.send({
          ...rest(empty, verb, path),
          ...(verb === 'GET' ? {} : { body: '{}' }),
        });
        expect(status).toBeLessThan(500);
        expect(status).toBeGreaterThanOrEqual(400);
      }
    }),
    { numRuns: RUNS },
  );
  expect((await client.send(readMember(shop, 'ada'))).status).toBe(200);
  expect(await world.countRows()).toEqual(before);
});

async function written(): Promise<{ keys: number; audits: number }> {
  const { rows } = await database.adminPool.query<{ keys: number; audits: number }>(
    'select (select count(*) from idempotency_keys) as keys, (select count(*) from audit_events) as audits',
  );
  return rows[0] ?? { keys: -1, audits: -1 };
}

/** Replaces one value of a JSON text. @param at which one, as a fraction of all its values, from 0 to below 1 */
function replaceValue(text: string, at: number, value: unknown): string {
  let count = 0;
  JSON.parse(text, () => {
    count += 1;
  });
  const chosen = Math.floor(at * count);
  let index = 0;
  const replaced: unknown = JSON.parse(text, (_key, present: unknown) =>
    index++ === chosen ? value : present,
  );
  return JSON.stringify(replaced);
}
