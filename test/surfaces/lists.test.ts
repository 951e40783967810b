import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newUuid, toTypeId } from '../../src/ids.ts';
import { endOfPrefix } from '../../src/queries/member-list.ts';
import { fixture } from '../support/fixture.ts';
import { type Received, rest } from '../support/surfaces/client.ts';
import { useShop } from '../support/surfaces/use-shop.ts';
import { programId, type TestEnvironment } from '../support/surfaces/world.ts';

// The lists of members, redemptions, adjustments and programs: filters, order, pages, cursors, environments.

const { database, world, client, shop } = useShop();
const sibling = fixture('the sibling shop', () => world.environment());

beforeAll(async () => {
  for (const environment of [shop, sibling]) {
    await plantMembers(environment);
    await plantRedemptions(environment);
    await plantAdjustments(environment);
  }
});

interface PlantedMember {
  id: string;
  externalCustomerId: string;
  displayName: string | null;
  status: 'active' | 'suspended' | 'erased';
  tags: string[];
  lists: string[];
  tier: string | null;
  enrolled: boolean;
}

const NAMES = ['Ada', 'adam', 'ÉRIC', 'Éric B.', '100% Ann', '100_Ann', 'a\\b', null];

/** The same in every environment, from the oldest to the newest. */
const MEMBERS: readonly PlantedMember[] = Array.from({ length: 48 }, (_, index) => ({
  id: newUuid(),
  externalCustomerId: [`c-${index}`, `C-${index}`, `c%${index}`, `ç_${index}`, `${index}`][index % 5] ?? '',
  displayName: NAMES[index % NAMES.length] ?? null,
  status: index % 9 === 4 ? 'suspended' : index % 13 === 6 ? 'erased' : 'active',
  tags:
    index === 0
      ? ['café', 'press', 'vip']
      : index % 3 === 0
        ? ['press', 'vip']
        : index % 3 === 1
          ? ['vip']
          : [],
  lists: index % 4 === 0 ? ['autumn'] : [],
  tier: index % 6 === 5 ? null : index % 2 === 0 ? 'bronze' : 'silver',
  enrolled: index % 7 !== 0,
}));

async function plantMembers({ id }: TestEnvironment): Promise<void> {
  const rows = MEMBERS.map((member) => ({ ...member, wasIn: member.tier !== null }));
  await database.adminPool.query(
    `with wanted as (
      select * from json_to_recordset($2) as w(id uuid, "externalCustomerId" text, "displayName" text, status text,
        tags text[], lists text[], tier text, enrolled boolean)
    ), made as (
      insert into members (environment_id, id, external_customer_id, display_name, status, identity_status,
        consent_status, notice_version, consent_at, created_at, tags, lists)
      select $1, id, "externalCustomerId", "displayName", status, 'verified', 'granted', 'v1', clock_timestamp(),
        clock_timestamp(), tags, lists from wanted
    )
    insert into program_profiles (environment_id, program_id, member_id, enrolled, tier, enrolled_at, unenrolled_at)
    select $1, $3, id, enrolled, tier, clock_timestamp(), case when not enrolled then clock_timestamp() end
    from wanted where tier is not null`,
    [id, JSON.stringify(rows), programId],
  );
}

interface PlantedRedemption {
  id: string;
  member: number;
  rewardId: string;
  state: 'reserved' | 'committed' | 'released' | 'expired' | 'reversed';
  over: boolean;
  fulfillmentStatus: 'pending' | 'shipped' | 'delivered' | 'failed' | null;
  disputes: ('open' | 'resolved' | 'rejected')[];
}

const STATES = ['committed', 'reserved', 'committed', 'released', 'expired', 'reversed'] as const;
const FULFILLMENT = [null, 'pending', 'shipped', 'delivered', 'failed'] as const;

const REDEMPTIONS: readonly PlantedRedemption[] = Array.from({ length: 60 }, (_, index) => ({
  id: newUuid(),
  member: index % 4,
  rewardId: index % 3 === 0 ? 'mug' : 'free-coffee',
  state: STATES[index % STATES.length] ?? 'committed',
  over: index % 12 === 7,
  fulfillmentStatus: FULFILLMENT[index % FULFILLMENT.length] ?? null,
  disputes: index % 7 === 0 ? ['open', 'open', 'rejected'] : index % 7 === 1 ? ['resolved'] : [],
}));

const discount = {
  amountMinor: 100,
  currency: 'USD',
  orderAmountMinor: null,
  pointsPerUnit: 1,
  unitMinor: 1,
};

/** Without what else belongs to them: foreign keys are not checked. */
async function plantRedemptions({ id }: TestEnvironment): Promise<void> {
  const rows = REDEMPTIONS.map((each) => ({ ...each, memberId: MEMBERS[each.member]?.id }));
  await replicating(
    `with wanted as (
      select * from json_to_recordset($2) as w(id uuid, "memberId" uuid, "rewardId" text, state text, over boolean,
        "fulfillmentStatus" text, disputes text[])
    ), disputed as (
      insert into redemption_disputes (environment_id, id, reservation_id, state, reason, opened_at, closed_at)
      select $1, gen_random_uuid(), id, dispute, 'why', clock_timestamp(),
        case when dispute <> 'open' then clock_timestamp() end
      from wanted cross join unnest(disputes) as dispute
    )
    insert into redemption_reservations (environment_id, id, quote_id, program_id, member_id, reward_id,
      source_reference, state, points, terms, reserve_transaction_id, commit_transaction_id, transaction_id,
      fulfillment_status, reserved_at, expires_at, changed_at)
    select $1, id, gen_random_uuid(), $3, "memberId", "rewardId", 's', state, 1, case when "rewardId" = 'mug' then $4::json else '{}' end, id,
      case when state in ('committed', 'reversed') then id end, id, "fulfillmentStatus", clock_timestamp(),
      clock_timestamp() + case when over then -1 else 1 end * interval '1 day', clock_timestamp()
    from wanted`,
    [id, JSON.stringify(rows), programId, JSON.stringify({ discount })],
  );
}

interface PlantedAdjustment {
  id: string;
  member: number;
  state: 'requested' | 'posted' | 'rejected' | 'reversed' | 'expired';
  over: boolean;
}

const ADJUSTMENT_STATES = ['posted', 'requested', 'rejected', 'reversed', 'expired'] as const;

const ADJUSTMENTS: readonly PlantedAdjustment[] = Array.from({ length: 40 }, (_, index) => ({
  id: newUuid(),
  member: index % 3,
  state: ADJUSTMENT_STATES[index % ADJUSTMENT_STATES.length] ?? 'posted',
  over: index % 10 === 6,
}));

async function plantAdjustments({ id }: TestEnvironment): Promise<void> {
  const rows = ADJUSTMENTS.map((each) => ({ ...each, memberId: MEMBERS[each.member]?.id }));
  await replicating(
    `insert into adjustments (environment_id, id, program_id, member_id, direction, points, reason, evidence, state,
       requested_by, requested_at, expires_at, decided_by, transaction_id, reversal_transaction_id)
     select $1, id, $3, "memberId", 'credit', 5, 'why', '{"ticket":"CS-1"}', state, 'one', clock_timestamp(),
       clock_timestamp() + case when over then -1 else 1 end * interval '1 day',
       case when state in ('posted', 'reversed', 'rejected') then 'two' end,
       case when state in ('posted', 'reversed') then id end, case when state = 'reversed' then id end
     from json_to_recordset($2) as w(id uuid, "memberId" uuid, state text, over boolean)`,
    [id, JSON.stringify(rows), programId],
  );
}

async function replicating(text: string, values: unknown[]): Promise<void> {
  const connection = await database.adminPool.connect();
  try {
    await connection.query('set session_replication_role = replica');
    await connection.query(text, values);
  } finally {
    await connection.query('reset session_replication_role');
    connection.release();
  }
}

type Query = Record<string, string | number>;

interface Item {
  id: string;
  externalCustomerId: string;
  [field: string]: unknown;
}

interface PageBody {
  data: Item[];
  page: { nextCursor: string | null; hasMore: boolean };
}

const get = (path: string, query: Query, from: TestEnvironment = shop): Promise<Received> => {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return client.send(rest(from, 'GET', `/${path}?${text}`));
};

async function page(path: string, query: Query, from?: TestEnvironment): Promise<PageBody> {
  const { status, body, text } = await get(path, query, from);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body as unknown as PageBody;
}

/** All of a list, page by page. @param between called after each page */
async function all(
  path: string,
  query: Query,
  from?: TestEnvironment,
  between?: () => Promise<unknown>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const { data, page: at }: PageBody = await page(path, { ...query, ...(cursor ? { cursor } : {}) }, from);
    expect(at.hasMore).toBe(at.nextCursor !== null);
    items.push(...data);
    cursor = at.nextCursor;
    await between?.();
  } while (cursor !== null);
  return items;
}

const some = <T>(...values: T[]): fc.Arbitrary<T | undefined> => fc.constantFrom(undefined, ...values);
const present = (query: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined));

/** By bytes of UTF-8, as Postgres compares. */
const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));
/** As Postgres makes a text lower, for the letters of these tests. */
const lower = (text: string): string => text.toLowerCase();

describe('members', () => {
  const filters = fc.record({
    externalCustomerIdPrefix: some('c', 'C-', 'c-1', 'c%', 'ç_', '_', '%', '1'),
    displayNamePrefix: some('a', 'ADA', 'éric', '100%', '100_', 'a\\', '%'),
    tag: some('vip', 'press', 'none'),
    list: some('autumn'),
    tier: some('bronze', 'silver'),
    inProgram: fc.boolean(),
    status: some('active', 'suspended', 'erased'),
  });

  test('are filtered by everything at once, in the order that the filters say', async () => {
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 60 }), async ({ inProgram, ...given }, limit) => {
        const inOne = inProgram || given.tier !== undefined;
        const query = present({ ...given, ...(inOne ? { programId } : {}) });
        const expected = MEMBERS.filter((member) => {
          const { externalCustomerIdPrefix: idPrefix = '', displayNamePrefix: namePrefix, tag, list } = given;
          const { tier, status } = given;
          return (
            member.externalCustomerId.startsWith(idPrefix) &&
            (namePrefix === undefined || lower(member.displayName ?? '\0').startsWith(lower(namePrefix))) &&
            (tag === undefined || member.tags.includes(tag)) &&
            (list === undefined || member.lists.includes(list)) &&
            (!inOne || (member.tier !== null && member.enrolled)) &&
            (tier === undefined || member.tier === tier) &&
            (status === undefined || member.status === status)
          );
        });
        const order = (one: PlantedMember, other: PlantedMember): number => {
          if (given.externalCustomerIdPrefix)
            return byBytes(one.externalCustomerId, other.externalCustomerId);
          if (given.displayNamePrefix) {
            const byName = byBytes(lower(one.displayName ?? ''), lower(other.displayName ?? ''));
            return byName || byBytes(one.id, other.id);
          }
          return byBytes(other.id, one.id);
        };
        const ids = expected.toSorted(order).map(({ externalCustomerId }) => externalCustomerId);
        const found = await all('members', { ...query, limit });
        expect(found.map(({ externalCustomerId }) => externalCustomerId)).toEqual(ids);
      }),
      { numRuns: 80 },
    );
  });

  test('say what lists are for, and no balances', async () => {
    const { data } = await page('members', { externalCustomerIdPrefix: 'c%12' });
    expect(data).toEqual([
      {
        id: toTypeId('mem', MEMBERS[12]?.id ?? ''),
        externalCustomerId: 'c%12',
        displayName: '100% Ann',
        status: 'active',
        consentStatus: 'granted',
        identityStatus: 'verified',
        createdAt: expect.stringMatching(/Z$/),
        tags: ['press', 'vip'],
        lists: ['autumn'],
        programs: [{ programId, tier: 'bronze', status: 'enrolled' }],
      },
    ]);
  });

  test.each<[string, Query]>([
    ['a tier without its program', { tier: 'gold' }],
    ['an empty prefix', { externalCustomerIdPrefix: '' }],
    ['a long prefix', { displayNamePrefix: 'x'.repeat(201) }],
    ['NUL', { displayNamePrefix: 'a\0' }],
    ['NUL in an id', { externalCustomerIdPrefix: '\0' }],
    ['a status that there is not', { status: 'gone' }],
    ['an unknown parameter', { name: 'Ada' }],
    ['a page that is too long', { limit: 201 }],
  ])('%s is refused', async (_what, query) => {
    const refused = await get('members', query);
    expect(refused).toMatchObject({ status: 422, code: 'validation_failed' });
  });

  test.each([
    '%',
    '_',
    '\\',
    "'",
    '"',
    '%%',
    '\u{10FFFF}',
    '\uD7FF',
    '😀',
    '\u202E',
    ' ',
    'x'.repeat(200),
    '\u0001',
  ])('the prefix %j is taken as it is', async (prefix) => {
    for (const name of ['externalCustomerIdPrefix', 'displayNamePrefix']) {
      const { data } = await page('members', { [name]: prefix });
      expect(data).toEqual([]);
    }
  });

  test('half a character is refused', async () => {
    const refused = await client.send(rest(shop, 'GET', '/members?displayNamePrefix=%C3'));
    expect(refused).toMatchObject({ status: 422, code: 'validation_failed' });
  });

  test('a tag is found however its letters are composed', async () => {
    for (const tag of ['café', 'cafe\u0301', ' café ']) {
      expect((await page('members', { tag })).data.map((each) => each.externalCustomerId)).toEqual(['c-0']);
    }
  });

  test('an unknown program has none', async () => {
    expect(await page('members', { programId: 'no-club', tag: 'vip' })).toMatchObject({
      data: [],
      page: { nextCursor: null, hasMore: false },
    });
  });

  test('what ends a range of prefixes comes after all of it, and before everything else', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 5 }),
        fc.string({ unit: 'binary', maxLength: 5 }),
        (prefix, text) => {
          const end = endOfPrefix(prefix);
          const inRange = byBytes(text, prefix) >= 0 && (end === null || byBytes(text, end) < 0);
          expect(inRange).toBe(text.startsWith(prefix));
          const longer = prefix + text;
          expect(end === null || byBytes(longer, end) < 0).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
    expect(endOfPrefix('a\uD7FF')).toBe('a\uE000');
    expect(endOfPrefix('a\u{10FFFF}')).toBe('b');
    expect(endOfPrefix('\u{10FFFF}\u{10FFFF}')).toBeNull();
  });
});

describe('redemptions', () => {
  const filters = fc.record({
    state: some('reserved', 'committed', 'released', 'expired', 'reversed'),
    fulfillmentStatus: some('none', 'pending', 'shipped', 'delivered', 'failed'),
    disputeState: some('open', 'resolved', 'rejected'),
    externalCustomerId: some(
      ...MEMBERS.slice(0, 4).map(({ externalCustomerId }) => externalCustomerId),
      'nobody',
    ),
    programId: some<string>(programId),
    rewardId: some('mug', 'free-coffee', 'no-reward'),
  });
  const stateOf = ({ state, over }: PlantedRedemption): string =>
    state === 'reserved' && over ? 'expired' : state;

  test('are filtered by everything at once, newest first', async () => {
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 70 }), async (given, limit) => {
        const expected = REDEMPTIONS.filter(
          (each) =>
            (given.state === undefined || stateOf(each) === given.state) &&
            (given.fulfillmentStatus === undefined ||
              (given.fulfillmentStatus === 'none'
                ? each.state === 'committed' && each.fulfillmentStatus === null
                : each.fulfillmentStatus === given.fulfillmentStatus)) &&
            (given.disputeState === undefined ||
              each.disputes.some((dispute) => dispute === given.disputeState)) &&
            (given.externalCustomerId === undefined ||
              MEMBERS[each.member]?.externalCustomerId === given.externalCustomerId) &&
            (given.rewardId === undefined || each.rewardId === given.rewardId),
        );
        const found = await all('redemptions', { ...present(given), limit });
        expect(found.map(({ id, state }) => [id, state])).toEqual(
          expected.toReversed().map((each) => [toTypeId('rsv', each.id), stateOf(each)]),
        );
      }),
      { numRuns: 120 },
    );
  });

  test('are shown as the single one is', async () => {
    for (const rewardId of ['mug', 'free-coffee']) {
      const { data } = await page('redemptions', { disputeState: 'open', rewardId, limit: 1 });
      const single = await client.send(rest(shop, 'GET', `/redemptions/${data[0]?.id}`));
      expect(single.body.reservation).toEqual(data[0]);
      expect(data[0]?.discount).toEqual(
        rewardId === 'mug' ? expect.objectContaining({ amountMinor: 100 }) : null,
      );
    }
  });
});

describe('adjustments', () => {
  const stateOf = ({ state, over }: PlantedAdjustment): string =>
    state === 'requested' && over ? 'expired' : state;

  test('are filtered by everything at once, newest first', async () => {
    const states = [undefined, 'requested', 'posted', 'rejected', 'reversed', 'expired'];
    const customers = [
      undefined,
      'nobody',
      ...MEMBERS.slice(0, 3).map((member) => member.externalCustomerId),
    ];
    for (const state of states)
      for (const externalCustomerId of customers)
        for (const program of [undefined, programId, 'no-club']) {
          const expected = ADJUSTMENTS.filter(
            (each) =>
              (state === undefined || stateOf(each) === state) &&
              (externalCustomerId === undefined ||
                MEMBERS[each.member]?.externalCustomerId === externalCustomerId) &&
              program !== 'no-club',
          );
          const query = present({ state, externalCustomerId, programId: program });
          const found = await all('adjustments', { ...query, limit: 3 });
          expect(found.map((each) => [each.id, each.state])).toEqual(
            expected.toReversed().map((each) => [toTypeId('adj', each.id), stateOf(each)]),
          );
        }
  });

  test('the queue says who asked, and with what evidence', async () => {
    const { data } = await page('adjustments', { state: 'requested', limit: 1 });
    expect(data[0]).toMatchObject({
      state: 'requested',
      direction: 'credit',
      points: 5,
      reason: 'why',
      evidence: { ticket: 'CS-1' },
      requestedBy: 'one',
      decidedBy: null,
      transactionId: null,
    });
  });

  test('a page ends with the one that brings its evidence to a megabyte', async () => {
    const rich = await world.environment();
    await plantMembers(rich);
    await plantAdjustments(rich);
    await database.adminPool.query(
      `update adjustments set evidence = json_build_object('text', repeat('x', 300000)) where environment_id = $1`,
      [rich.id],
    );
    const first = await page('adjustments', { limit: 200 }, rich);
    expect({ data: first.data.length, hasMore: first.page.hasMore }).toEqual({ data: 4, hasMore: true });
    const found = await all('adjustments', { limit: 200 }, rich);
    expect(found.map(({ id }) => id)).toEqual(ADJUSTMENTS.toReversed().map(({ id }) => toTypeId('adj', id)));
  });
});

test('states go by the time of the environment, also where the clock of a Sandbox runs ahead', async () => {
  const ahead = await world.environment();
  await plantMembers(ahead);
  await plantRedemptions(ahead);
  await plantAdjustments(ahead);
  await database.adminPool.query('update environments set clock_ahead_ms = 172800000 where id = $1', [
    ahead.id,
  ]);
  expect(await all('redemptions', { state: 'reserved' }, ahead)).toEqual([]);
  expect(await all('adjustments', { state: 'requested' }, ahead)).toEqual([]);
  const ended = (states: readonly { state: string }[], state: string): number =>
    states.filter((each) => each.state === state || each.state === 'expired').length;
  const [redemptions, adjustments] = [
    await all('redemptions', { state: 'expired', limit: 7 }, ahead),
    await all('adjustments', { state: 'expired', limit: 7 }, ahead),
  ];
  expect({ redemptions: redemptions.length, adjustments: adjustments.length }).toEqual({
    redemptions: ended(REDEMPTIONS, 'reserved'),
    adjustments: ended(ADJUSTMENTS, 'requested'),
  });
});

describe('programs', () => {
  test('are listed by their ids, with the version in effect', async () => {
    for (const name of ['a-club', 'zebra-club', 'B-club']) {
      await world.publish(shop.id, (yaml) => yaml.replace('id: coffee-club', `id: ${name}`));
    }
    const found = (await all('programs', { limit: 3 })) as unknown as { programId: string }[];
    expect(found.map((program) => program.programId)).toEqual(['B-club', 'a-club', programId, 'zebra-club']);
    expect(found[0]).toMatchObject({
      name: 'Coffee Club',
      currency: 'USD',
      loyaltyUnitPrecision: 0,
      tiers: expect.arrayContaining([{ id: 'bronze', name: expect.any(String) }]),
      configurationVersion: 1,
      newestVersion: 1,
    });
    expect((await all('programs', {}, sibling)).length).toBe(1);
  });

  test('have their versions, newest first', async () => {
    await world.publish(shop.id, (yaml) => yaml.replace('name: Coffee Club', 'name: Coffee Society'));
    const path = `programs/${programId}/versions`;
    const found = (await all(path, { limit: 1 })) as unknown as Record<string, unknown>[];
    expect(found).toEqual(
      [2, 1].map((configurationVersion) => ({
        configurationVersion,
        effectiveFrom: expect.stringMatching(/Z$/),
        publishedAt: expect.stringMatching(/Z$/),
        publishedBy: 'tests',
        documentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        note: null,
      })),
    );
    expect(found[0]?.documentHash).not.toBe(found[1]?.documentHash);
    expect((await all(path, {}, sibling)).length).toBe(1);
    for (const unknown of ['no-club', '%20', 'x'.repeat(200)]) {
      const { status } = await client.send(rest(shop, 'GET', `/programs/${unknown}/versions`));
      expect([404, 422]).toContain(status);
    }
  });
});

describe('cursors', () => {
  const refusedWith = async (path: string, query: Query, cursor: string, from?: TestEnvironment) => {
    const { status, code } = await get(path, { ...query, cursor }, from);
    expect([path, query, status, code]).toEqual([path, query, 422, 'invalid_cursor']);
  };
  const cursorOf = async (path: string, query: Query): Promise<string> =>
    (await page(path, { ...query, limit: 1 })).page.nextCursor ?? '';

  test('are good in their own list alone: not in another one, environment or filter', async () => {
    const lists: [string, Query, Query][] = [
      ['members', {}, { tag: 'vip' }],
      ['members', { externalCustomerIdPrefix: 'c' }, { externalCustomerIdPrefix: 'C' }],
      ['members', { displayNamePrefix: 'a' }, { displayNamePrefix: 'A' }],
      ['members', { status: 'active' }, { status: 'suspended' }],
      ['redemptions', {}, { rewardId: 'mug' }],
      ['redemptions', { disputeState: 'open' }, { disputeState: 'resolved' }],
      ['adjustments', {}, { state: 'requested' }],
      ['adjustments', { state: 'requested' }, { state: 'expired' }],
      ['programs', {}, {}],
      [`programs/${programId}/versions`, {}, {}],
    ];
    const cursors = await Promise.all(lists.map(([path, query]) => cursorOf(path, query)));
    for (const [index, [path, query, otherwise]] of lists.entries()) {
      const own = cursors[index] ?? '';
      expect((await get(path, { ...query, cursor: own })).status).toBe(200);
      await refusedWith(path, query, own, sibling);
      if (Object.keys(otherwise).length > 0) await refusedWith(path, otherwise, own);
      for (const [other, foreign] of cursors.entries()) {
        if (other !== index) await refusedWith(path, query, foreign);
      }
      for (const forged of ['x', `${own}A`, own.slice(0, -2), own.toUpperCase()]) {
        if (forged !== own) await refusedWith(path, query, forged);
      }
    }
  });

  test('of names do not show them', async () => {
    const cursor = await cursorOf('members', { displayNamePrefix: '100' });
    expect(Buffer.from(cursor, 'base64url').toString('latin1').toLowerCase()).not.toContain('ann');
  });
});

describe('while much changes', () => {
  test('nothing comes twice, and nothing is left out that was there throughout', async () => {
    const busy = await world.environment();
    await plantMembers(busy);
    await plantRedemptions(busy);
    let made = 0;
    const change = async (): Promise<void> => {
      made += 1;
      await database.adminPool.query(
        `insert into members (environment_id, id, external_customer_id, display_name, status, identity_status,
          consent_status, notice_version, consent_at, created_at, tags)
        select $1, id, prefix || 'new-' || $2::text, 'Ada', 'active', 'verified', 'granted', 'v1', clock_timestamp(),
          clock_timestamp(), '{vip}'
        from unnest($3::uuid[], array['c-', 'a', 'z']) as new(id, prefix)`,
        [busy.id, String(made), [newUuid(), newUuid(), newUuid()]],
      );
      // Redemptions end, one after the other.
      await replicating(
        `update redemption_reservations set state = 'released', changed_at = clock_timestamp()
         where environment_id = $1 and id = $2 and state = 'reserved'`,
        [busy.id, REDEMPTIONS[made]?.id],
      );
    };
    const stood = new Set(MEMBERS.map(({ externalCustomerId }) => externalCustomerId));
    for (const query of [{}, { tag: 'vip' }, { externalCustomerIdPrefix: 'c' }, { displayNamePrefix: 'a' }]) {
      const before = await all('members', query, busy);
      const found = await all('members', { ...query, limit: 4 }, busy, change);
      const ids = found.map(({ externalCustomerId }) => externalCustomerId);
      expect(new Set(ids).size).toBe(ids.length);
      const expected = before.map((each) => each.externalCustomerId).filter((id) => stood.has(id));
      expect(expected.filter((id) => !ids.includes(id))).toEqual([]);
    }
    for (const query of [{}, { externalCustomerId: MEMBERS[1]?.externalCustomerId ?? '' }]) {
      const found = await all('redemptions', { ...query, limit: 4 }, busy, change);
      const ids = found.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      const owned = REDEMPTIONS.filter(({ member }) => !('externalCustomerId' in query) || member === 1);
      expect(ids).toEqual(owned.toReversed().map(({ id }) => toTypeId('rsv', id)));
    }
  });

  test('a filter that few match ends a page early, and goes on where it ended', async () => {
    const large = await world.environment();
    // By their rank in the list: beside the ends of the first two looks.
    const rare = [5_000, 5_001, 5_006, 10_000, 10_001, 12_000];
    await replicating(
      `insert into members (environment_id, id, external_customer_id, status, identity_status, consent_status,
         notice_version, consent_at, created_at, tags)
       select $1, (lpad(to_hex(20000 - i), 8, '0') || '-0000-7000-8000-000000000000')::uuid, 'customer-' || i, 'active', 'verified', 'granted', 'v1', clock_timestamp(),
         clock_timestamp(), case when i = any ($2) then '{rare}'::text[] else '{common}' end
       from generate_series(1, 12000) i`,
      [large.id, rare],
    );
    const pages: number[] = [];
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const { data, page: at }: PageBody = await page(
        'members',
        { tag: 'rare', ...(cursor ? { cursor } : {}) },
        large,
      );
      pages.push(data.length);
      ids.push(...data.map(({ externalCustomerId }) => externalCustomerId));
      cursor = at.nextCursor;
    } while (cursor !== null);
    expect(pages).toEqual([1, 3, 2]);
    expect(ids).toEqual(rare.map((rank) => `customer-${rank}`));
  });
});
