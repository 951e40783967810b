import { beforeAll, expect, test } from '@jest/globals';
import { publishProgram } from '../../../src/admin/programs/publish-program.ts';
import { newUuid } from '../../../src/ids.ts';
import { program, rule } from '../../support/rules/fixtures.ts';
import { addMembers, createMember, earn, rest } from '../../support/surfaces/client.ts';
import {
  addTestIssuer,
  customerToken,
  type IssuerKey,
  loyalty,
  makeKey,
} from '../../support/surfaces/customers.ts';
import { useShop } from '../../support/surfaces/use-shop.ts';

let key: IssuerKey;

const ofBeans = {
  match: 'all' as const,
  conditions: [{ field: 'items.category', operator: 'equals' as const, value: 'beans' }],
};

const { world, client, shop } = useShop({ twins: true, settings: { customerRateLimitPerMinute: 1_000_000 } });

beforeAll(async () => {
  const document = program({
    earn: { rules: [{ ...rule('beans', [], { rateNumerator: 2 }), lines: ofBeans }, rule('base')] },
    campaigns: [
      {
        id: 'spring',
        match: 'all',
        conditions: [],
        lines: ofBeans,
        award: { bonusPoints: 30 },
        caps: { totalPoints: 200, memberPoints: 100, memberPeriod: { points: 70, period: 'day' } },
      },
    ],
    coupons: [{ code: 'TEN', award: { bonusPoints: 10 }, limits: { total: 3, perMember: 2 } }],
    referral: { referrerPoints: 40, refereePoints: 20 },
    memberLimit: { points: 2_000, period: 'month', onExceed: 'trim' },
  });
  const outcome = await publishProgram(world.administrator, {
    environmentId: shop.id,
    document,
    effectiveFrom: null,
  });
  if ('refused' in outcome) throw new Error(JSON.stringify(outcome));
  key = makeKey('ES256', 'one');
  await addTestIssuer(world, shop.id, [key]);
  await addMembers(client, shop, ['ada', 'grace']);
  await client.send(createMember(shop, 'stranger'));
});

const body = { type: 'purchase.completed', programId: 'coffee-club', amountMinor: 5_000, channel: 'web' };
const preview = (more: object = {}) =>
  client.send(rest(shop, 'POST', '/events/preview', { ...body, ...more }));
const beans = { items: [{ lineReference: 'bag', category: 'beans', quantity: 2, unitPriceMinor: 1_500 }] };

test('a purchase earns what its preview said, until every limit is used up; previews write nothing', async () => {
  const { programs } = (await client.send(rest(shop, 'GET', '/members/ada'))).body;
  const [ada] = programs as { referralCode: string }[];
  for (const round of Array.from({ length: 12 }).keys()) {
    const said = {
      externalCustomerId: round % 3 === 0 ? 'grace' : 'ada',
      amountMinor: 5_000 + round * 7_777,
      couponCode: 'TEN',
      context: { attributes: { referralCode: ada?.referralCode } },
      ...(round % 2 === 0 ? beans : {}),
    };
    const before = await world.countRows();
    const { status, body: previewed } = await preview(said);
    expect(await world.countRows()).toEqual(before);
    expect(status).toBe(200);
    const bought = await client.send(earn(shop, { ...said, sourceReference: `o-${round}` }, newUuid()));
    expect(bought.status).toBe(201);
    const { id: _id, status: _status, member, requestId: _request, ...award } = bought.body;
    const { requestId, personalized, tier, evaluationAt, ...rest } = previewed;
    expect({ ...rest, evaluationAt: award.evaluationAt }).toEqual(award);
    expect({ personalized, tier, requestId }).toEqual({
      personalized: true,
      tier: (member as { tier: string }).tier,
      requestId: expect.any(String),
    });
    expect(Date.parse(String(evaluationAt))).toBeLessThanOrEqual(Date.parse(String(award.evaluationAt)));
  }
});

test('previews that are asked for together get each what they get alone', async () => {
  await addMembers(client, shop, ['rich', 'new-"one",{x}']);
  await client.send(earn(shop, { externalCustomerId: 'rich', amountMinor: 150_000, ...beans }, newUuid()));
  const who = [{ externalCustomerId: 'ada' }, { externalCustomerId: 'rich' }, {}];
  const asked = [
    ...who.flatMap((one) => [one, { ...one, couponCode: 'TEN' }, { ...one, ...beans }]),
    { externalCustomerId: 'new-"one",{x}', amountMinor: 180_000 },
    { externalCustomerId: 'rich', amountMinor: 180_000 },
    { externalCustomerId: 'nobody' },
    { programId: 'none' },
    { externalCustomerId: 'rich', occurredAt: '2026-01-15T12:00:00Z' },
  ];
  const withoutTime = async (more: object) => {
    const { status, body: answer } = await preview(more);
    if (status !== 200) return { status, code: answer.error?.code };
    const { requestId: _request, evaluationAt: _at, ...rest } = answer;
    return { status, ...rest };
  };
  const alone: object[] = [];
  for (const more of asked) alone.push(await withoutTime(more));
  const together = Array.from({ length: 10 }, () => asked).flat();
  const answers = await Promise.all(together.map(withoutTime));
  expect(answers).toEqual(Array.from({ length: 10 }, () => alone).flat());
  expect(new Set(alone.map((one) => JSON.stringify(one))).size).toBeGreaterThan(8);
});

test('anyone gets what a new member gets, and a stranger to the program is refused as its purchase would be', async () => {
  const { status, body: anyone } = await preview({ amountMinor: 1_250 });
  expect(status).toBe(200);
  expect(anyone).toMatchObject({ personalized: false, tier: 'bronze', award: { points: 12 } });
  const refused = async (more: object) => {
    const { status: code, body: answer } = await preview(more);
    return [code, answer.error?.code];
  };
  expect(await refused({ externalCustomerId: 'stranger' })).toEqual([409, 'enrollment_required']);
  expect(await refused({ externalCustomerId: 'nobody' })).toEqual([404, 'member_not_found']);
  expect(await refused({ programId: 'none' })).toEqual([404, 'program_not_found']);
  expect(await refused({ currency: 'EUR' })).toEqual([422, 'currency_mismatch']);
  expect(await refused({ sourceReference: 'order-1' })).toEqual([422, 'invalid_event']);
  expect(await refused({ type: 'purchase' })).toEqual([422, 'invalid_event']);
});

test('a customer previews its own purchases, and is told of no rules', async () => {
  const own = async (externalCustomerId: string) => {
    const { type: _type, ...said } = body;
    const token = customerToken(key, externalCustomerId);
    return client.send(loyalty(shop, token, 'POST', '/purchases/preview', { ...said, ...beans }));
  };
  const { status, body: of } = await own('grace');
  expect(status).toBe(200);
  expect(of).toEqual({
    requestId: expect.any(String),
    personalized: true,
    tier: expect.any(String),
    award: expect.any(Object),
    coupon: null,
    loyaltyUnitPrecision: 0,
    lines: expect.any(Array),
  });
  for (const who of ['stranger', 'nobody']) {
    expect((await own(who)).body).toMatchObject({ personalized: false, tier: 'bronze' });
  }
});

test('of a later moment is what the configuration, the schedules and the limits of then give', async () => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000);
  const later = await world.environment();
  const publish = (rateNumerator: number, effectiveFrom: Date | null) =>
    publishProgram(world.administrator, {
      environmentId: later.id,
      document: program({
        earn: { rules: [rule('base', [], { rateNumerator })] },
        campaigns: [
          {
            ...{ id: 'friday', match: 'all', conditions: [], award: { bonusPoints: 30 } },
            schedule: { from: day(10).toISOString(), until: day(20).toISOString() },
          },
        ],
        memberLimit: { points: 120, period: 'day', onExceed: 'trim' },
      }),
      effectiveFrom,
    });
  expect(await publish(1, null)).toMatchObject({ published: true });
  expect(await publish(3, day(15))).toMatchObject({ published: true });
  await addMembers(client, later, ['ada']);
  const bought = { externalCustomerId: 'ada', amountMinor: 10_000, sourceReference: 'today' };
  expect((await client.send(earn(later, bought, 'today'))).status).toBe(201);
  const preview = async (at?: Date) => {
    const said = { ...body, externalCustomerId: 'ada', ...(at && { at: at.toISOString() }) };
    const { status, code, body: answer } = await client.send(rest(later, 'POST', '/events/preview', said));
    return status === 200 ? (answer.award as { points: number }).points : [status, code];
  };
  // 20 of today's 120 are left.
  expect(await preview()).toBe(20);
  expect(await preview(day(5))).toBe(50);
  expect(await preview(day(12))).toBe(80);
  expect(await preview(day(16))).toBe(120);
  expect(await preview(day(30))).toBe(120);
  expect(await preview(day(-1))).toEqual([422, 'invalid_event']);
  const asCustomer = { programId: 'coffee-club', channel: 'web', amountMinor: 100, at: day(5).toISOString() };
  const refused = await client.send(
    loyalty(shop, customerToken(key, 'ada'), 'POST', '/purchases/preview', asCustomer),
  );
  expect({ status: refused.status, path: refused.body.error?.details?.[0]?.path }).toEqual({
    status: 422,
    path: 'at',
  });
});
