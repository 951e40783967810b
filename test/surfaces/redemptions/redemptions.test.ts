import { beforeAll, describe, expect, test } from '@jest/globals';
import { documents } from '../../../rest-adapter/generated/documents.ts';
import { atEnd, fixture } from '../../support/fixture.ts';
import {
  addMembers,
  earn,
  graphql,
  hold,
  onReservation,
  quote,
  type Received,
  readMember,
  redeem,
  reserve,
  rest,
  type Sent,
  unenroll,
} from '../../support/surfaces/client.ts';
import { useServer } from '../../support/surfaces/use-shop.ts';
import { programId, type TestEnvironment } from '../../support/surfaces/world.ts';
import { install } from '../../support/time-machine.ts';
import { useDatabase } from '../../support/use-database.ts';

let shop: TestEnvironment;
/** The same requests are sent to `shop` through REST and to this one through GraphQL. */
let twin: TestEnvironment;
let locked: TestEnvironment;

const unknown = 'rsv_01jz8n2m4nf6pr8s0t2v4w6xyz';
const authorization = { authorizationReference: 'auth-1' };
const reason = { reason: 'changed their mind' };

const used = useDatabase();
const time = fixture('the time machine', () => install(used.database.adminUrl));
const { world, client } = useServer({}, used);

beforeAll(async () => {
  [shop, twin, locked] = [
    await world.environment(),
    await world.environment(),
    await world.environment('production'),
  ];
  for (const { id } of [shop, twin, locked]) await world.publish(id, addRewards);
  for (const environment of [shop, twin, locked]) {
    await addMembers(client, environment, ['ada', 'grace', 'leaver']);
    // 1,500 points each.
    for (const customer of ['ada', 'leaver']) await buy(environment, customer, 150_000);
  }
});

atEnd(async () => expect(await world.eventFaults()).toEqual([]));

/** A reward that requires evidence, one with an inventory of 1, and one with an inventory of 0. */
function addRewards(yaml: string): string {
  return yaml.replace(
    'rewards:\n',
    `rewards:
  - { id: parcel, name: Parcel, points: 100, cancellationEvidenceRequired: true }
  - { id: last, name: The last one, points: 100, inventory: 1 }
  - { id: gone, name: Gone, points: 100, inventory: 0 }
`,
  );
}

async function buy(environment: TestEnvironment, externalCustomerId: string, amountMinor: number) {
  const sourceReference = `bought by ${externalCustomerId} for ${amountMinor}`;
  const purchase = { externalCustomerId, sourceReference, amountMinor };
  const sent = earn(environment, purchase, `buy-${externalCustomerId}-${amountMinor}`);
  const { status, text } = await client.send(sent);
  if (status !== 201) throw new Error(text);
}

async function balancesOf(externalCustomerId: string, environment = shop): Promise<object> {
  const { body } = await client.send(readMember(environment, externalCustomerId));
  const [program] = body.programs as { balances: Record<string, unknown>[] }[];
  const { available, pending, reserved } = program?.balances[0] ?? {};
  return { available, pending, reserved };
}

const read = (reservationId: string, credentials = shop): Promise<Received> =>
  client.send(rest(credentials, 'GET', `/redemptions/${reservationId}`));

test('a redemption through REST: quote, reserve, commit, fulfillment, dispute, reversal', async () => {
  const before = await balancesOf('ada');
  const quoted = await client.send(quote(shop, { externalCustomerId: 'ada' }, 'life'));
  expect({ status: quoted.status, quote: quoted.body.quote }).toEqual({
    status: 201,
    quote: {
      id: expect.stringMatching(/^quo_[0-9a-z]{26}$/),
      state: 'quoted',
      programId,
      externalCustomerId: 'ada',
      rewardId: 'free-coffee',
      sourceReference: 'for life',
      points: 150,
      availableBalance: 1500,
      expiresAt: expect.stringMatching(/Z$/),
      terms: {
        configurationVersion: 2,
        rewardName: 'A coffee of your choice',
        description: 'Any size, with any milk.',
        holdSeconds: 1800,
        cancellationEvidenceRequired: false,
      },
    },
  });
  expect(await balancesOf('ada')).toEqual(before);
  const { id: quoteId } = quoted.body.quote as { id: string };
  const held = await client.send(reserve(shop, quoteId, 'life'));
  const reservation = held.body.reservation as Record<string, unknown>;
  expect({ status: held.status, reservation }).toEqual({
    status: 201,
    reservation: {
      id: expect.stringMatching(/^rsv_[0-9a-z]{26}$/),
      quoteId,
      state: 'reserved',
      programId,
      externalCustomerId: 'ada',
      rewardId: 'free-coffee',
      sourceReference: 'for life',
      points: 150,
      reservedAt: expect.any(String),
      expiresAt: expect.any(String),
      changedAt: reservation.reservedAt,
      authorizationReference: null,
      reason: null,
      fulfillmentStatus: null,
      fulfillmentReference: null,
      transactionId: expect.stringMatching(/^txn_/),
      discount: null,
    },
  });
  expect(Date.parse(String(reservation.expiresAt)) - Date.parse(String(reservation.reservedAt))).toBe(
    1_800_000,
  );
  expect(await balancesOf('ada')).toEqual({ available: 1350, pending: 0, reserved: 150 });
  const id = String(reservation.id);
  const act = async (path: string, body: object, key = `life-${path}`): Promise<Received> =>
    client.send(onReservation(shop, id, path, body, key.replaceAll('/', '-')));

  const committed = await act('commit', authorization);
  expect({ status: committed.status, reservation: committed.body.reservation }).toMatchObject({
    status: 200,
    reservation: { state: 'committed', authorizationReference: 'auth-1', fulfillmentStatus: 'pending' },
  });
  expect(await balancesOf('ada')).toEqual({ available: 1350, pending: 0, reserved: 0 });
  const shipped = await act('fulfillment', { status: 'shipped', reference: 'parcel-31' });
  expect({ status: shipped.status, reservation: shipped.body.reservation }).toMatchObject({
    status: 200,
    reservation: { fulfillmentStatus: 'shipped', fulfillmentReference: 'parcel-31' },
  });
  const opened = await act('disputes', { reason: 'never came', evidence: { ticket: 'T-1' } });
  expect({ status: opened.status, dispute: opened.body.dispute }).toMatchObject({
    status: 201,
    dispute: { state: 'open', closedAt: null },
  });
  const { id: disputeId } = opened.body.dispute as { id: string };
  const resolved = await act(`disputes/${disputeId}/resolve`, { resolution: 'lost', reverse: true });
  expect(resolved).toMatchObject({
    status: 200,
    body: {
      dispute: { state: 'resolved', resolution: 'lost' },
      reservation: { state: 'reversed', reason: 'lost' },
    },
  });
  expect(await balancesOf('ada')).toEqual(before);

  const shown = await read(id);
  expect({ status: shown.status, body: shown.body }).toEqual({
    status: 200,
    body: {
      requestId: expect.any(String),
      reservation: resolved.body.reservation,
      disputes: [resolved.body.dispute],
    },
  });
  const [{ state, reversedBy }, reversal] = (await Promise.all(
    [committed, resolved].map(async ({ body }) => {
      const { transactionId } = body.reservation as { transactionId: string };
      const answer = await client.send(rest(shop, 'GET', `/transactions/${transactionId}`));
      return answer.body.transaction as Record<string, unknown>;
    }),
  )) as [Record<string, unknown>, Record<string, unknown>];
  expect({ state, reversedBy }).toEqual({ state: 'reversed', reversedBy: reversal.id });
  expect(reversal).toMatchObject({ eventType: 'redemption.reversed', state: 'committed', points: 150 });
});

describe('both doors', () => {
  /** The same through REST and GraphQL, each in a shop of its own; fields that always differ are removed. */
  async function both(
    operation: keyof typeof documents,
    path: string,
    body: object,
    key: string,
    ids: [rest: object, graphql: object] = [{}, {}],
  ): Promise<[Received, Record<string, unknown>]> {
    const viaRest = await client.send(rest(shop, 'POST', path, { ...body, ...bodyOf(ids[0], path) }, key));
    const input = { ...body, ...ids[1], idempotencyKey: key };
    const viaGraphql = await client.send(graphql(twin, documents[operation], { input }));
    const payload = viaGraphql.body.data?.[operation] ?? {};
    expect(viaGraphql.status).toBe(200);
    expect(viaGraphql.code).toBe(viaRest.code);
    expect(viaGraphql.body.errors?.[0]?.extensions.httpStatus ?? null).toBe(
      viaRest.code === null ? null : viaRest.status,
    );
    if (viaRest.code === null) {
      const { idempotent, ...rest } = payload;
      expect(idempotent).toBe(viaRest.replayed);
      expect(comparable(rest)).toEqual(comparable(viaRest.body));
    } else {
      const [error] = viaGraphql.body.errors ?? [];
      expect(error?.extensions.details).toEqual(viaRest.body.error?.details);
      // REST and GraphQL name the violated input differently.
      if (viaRest.code !== 'validation_failed') expect(error?.message).toBe(viaRest.body.error?.message);
    }
    return [viaRest, payload];
  }

  /** The body has no values that are in the path. */
  function bodyOf(ids: object, path: string): object {
    return Object.fromEntries(Object.entries(ids).filter(([, id]) => !path.includes(String(id))));
  }

  function comparable(body: object): object {
    const text = JSON.stringify(body)
      .replace(/"(txn|rsv|quo|req)_[0-9a-z]{26}"/g, '"$1"')
      .replace(/"(\w+At)":"[^"]*"/g, '"$1":"then"');
    return JSON.parse(text) as object;
  }

  test('the same redemption', async () => {
    const wanted = { programId, externalCustomerId: 'ada', rewardId: 'parcel', sourceReference: 'both' };
    const idOf = (body: Record<string, unknown>, of: string): string =>
      (body[of] as { id?: string } | undefined)?.id ?? '';
    const steps: [string | null, 'commit' | 'release' | 'reverse', object][][] = [
      [
        [null, 'commit', authorization],
        ['invalid_redemption_state', 'release', reason],
        ['cancellation_evidence_required', 'reverse', reason],
        [null, 'reverse', { ...reason, cancellationEvidence: { ticket: 'T-2' } }],
        ['invalid_redemption_state', 'reverse', { ...reason, cancellationEvidence: { ticket: 'T-2' } }],
      ],
      [
        [null, 'release', reason],
        ['invalid_redemption_state', 'commit', authorization],
      ],
    ];
    for (const [round, acts] of steps.entries()) {
      const key = `both-${round}`;
      const quoted = await both('quoteRedemption', '/redemptions/quote', wanted, key);
      const quotes: [object, object] = [
        { quoteId: idOf(quoted[0].body, 'quote') },
        { quoteId: idOf(quoted[1], 'quote') },
      ];
      const held = await both('reserveRedemption', '/redemptions/reserve', {}, key, quotes);
      const again = await both('reserveRedemption', '/redemptions/reserve', {}, key, quotes);
      expect(held[0]).toMatchObject({ status: 201 });
      expect(again[0]).toMatchObject({ status: 200, replayed: true });
      const refused = await both('reserveRedemption', '/redemptions/reserve', {}, `${key}-b`, quotes);
      expect(refused[0].code).toBe('invalid_redemption_state');
      const reservationId = idOf(held[0].body, 'reservation');
      const ids: [object, object] = [{ reservationId }, { reservationId: idOf(held[1], 'reservation') }];
      for (const [index, [code, act, body]] of acts.entries()) {
        const path = `/redemptions/${reservationId}/${act}`;
        const [answer] = await both(`${act}Redemption`, path, body, `${key}-${index}`, ids);
        expect([act, answer.code]).toEqual([act, code]);
      }
    }
    expect(await balancesOf('ada', twin)).toEqual(await balancesOf('ada'));
  });

  test.each<[string, object, string | null]>([
    ['a reward that is gone', { rewardId: 'gone' }, 'inventory_exhausted'],
    ['one for gold members', { rewardId: 'tasting-evening' }, 'reward_not_eligible'],
    ['an unknown one', { rewardId: 'tea' }, 'reward_not_found'],
    ['too dear a one', { rewardId: 'grinder' }, 'insufficient_points'],
    ['an unknown program', { programId: 'tea-club' }, 'program_not_found'],
    ['an unknown member', { externalCustomerId: 'nobody' }, 'member_not_found'],
    ['a member without points', { externalCustomerId: 'grace' }, 'insufficient_points'],
    ['a quote of a minute', { ttlSeconds: 60 }, null],
    ['a quote of less', { ttlSeconds: 59 }, 'validation_failed'],
    ['a quote of more than a day', { ttlSeconds: 86_401 }, 'validation_failed'],
  ])('the same quote: %s', async (name, change, code) => {
    const wanted = {
      programId,
      externalCustomerId: 'ada',
      rewardId: 'free-coffee',
      sourceReference: name,
      ...change,
    };
    const [answer] = await both('quoteRedemption', '/redemptions/quote', wanted, name.replaceAll(' ', '-'));
    expect(answer.code).toBe(code);
  });

  test('one namespace of keys: a hold made by REST is committed by GraphQL, and replayed by REST', async () => {
    const reservationId = await hold(client, shop, { externalCustomerId: 'ada' }, 'mixed');
    const input = { reservationId, ...authorization, idempotencyKey: 'mixed' };
    const viaGraphql = await client.send(graphql(shop, documents.commitRedemption, { input }));
    expect(viaGraphql.body.data?.commitRedemption).toMatchObject({ idempotent: false });
    const viaRest = await client.send(onReservation(shop, reservationId, 'commit', authorization, 'mixed'));
    expect(viaRest).toMatchObject({ status: 200, replayed: true });
    expect(viaRest.body.reservation).toEqual(viaGraphql.body.data?.commitRedemption?.reservation);
    const reused = await client.send(onReservation(shop, unknown, 'commit', authorization, 'mixed'));
    expect(reused).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
  });
});

describe('every path', () => {
  const paths: [path: string, body: object][] = [
    [
      '/redemptions/quote',
      { programId, externalCustomerId: 'ada', rewardId: 'free-coffee', sourceReference: 's' },
    ],
    ['/redemptions/reserve', { quoteId: 'quo_01jz8n1a2be5cr7d9e1f3g5hjk' }],
    [`/redemptions/${unknown}/commit`, authorization],
    [`/redemptions/${unknown}/release`, reason],
    [`/redemptions/${unknown}/reverse`, reason],
    [`/redemptions/${unknown}/fulfillment`, { status: 'shipped' }],
    [`/redemptions/${unknown}/disputes`, reason],
    [`/redemptions/${unknown}/disputes/dsp_1/resolve`, { resolution: 'sent again' }],
    [`/redemptions/${unknown}/disputes/dsp_1/reject`, reason],
  ];
  const reverses = (path: string): boolean => /reverse|resolve|reject/.test(path);

  test.each(paths)('%s: what is checked first is answered first', async (path, body) => {
    const { 'idempotency-key': _key, ...noKey } = rest(shop, 'POST', path, body, 'k').headers ?? {};
    const scopes = reverses(path) ? (['redemptions:write'] as const) : (['redemptions:reverse'] as const);
    const otherScope = { ...shop, ...(await world.key(shop.id, scopes)) };
    const key = path.replaceAll('/', '-');
    const sent = (change: Partial<Sent>, credentials = shop): Sent => ({
      ...rest(credentials, 'POST', path, body, key),
      ...change,
    });
    const expected: [number, string, Sent][] = [
      [401, 'unauthorized', sent({}, { ...shop, key: twin.key })],
      [403, 'insufficient_scope', sent({}, otherScope)],
      [400, 'invalid_json', sent({ body: '{' })],
      [400, 'idempotency_key_required', sent({ headers: noKey })],
      [413, 'payload_too_large', sent({ body: JSON.stringify(body).padEnd(131_073) })],
      [
        415,
        'unsupported_media_type',
        sent({ headers: { ...sent({}).headers, 'content-type': 'text/plain' } }),
      ],
      [422, 'validation_failed', sent({ body: JSON.stringify({ ...body, colour: 'red' }) })],
      [422, 'validation_failed', sent({ body: '{}' })],
    ];
    for (const [status, code, request] of expected) {
      const answer = await client.send(request);
      expect(answer).toMatchObject({ status, code });
    }
  });

  test.each(paths.slice(1))(
    '%s: what there is not, and what is of another environment',
    async (path, body) => {
      const answer = await client.send(rest(shop, 'POST', path, body, `none-${path.replaceAll('/', '-')}`));
      const code = path.endsWith('reserve') ? 'quote_not_found' : 'reservation_not_found';
      expect(answer).toMatchObject({ status: 404, code });
      if (path.endsWith('reserve')) return;
      const theirs = await hold(
        client,
        twin,
        { externalCustomerId: 'ada' },
        `theirs-${path.replaceAll('/', '-')}`,
      );
      const foreign = rest(shop, 'POST', path.replace(unknown, theirs), body, 'foreign');
      expect((await client.send(foreign)).code).toBe(code);
      expect((await read(theirs)).code).toBe(code);
      const own = await client.send(onReservation(twin, theirs, 'release', reason, theirs));
      expect(own.status).toBe(200);
    },
  );

  test('GET takes either scope', async () => {
    const id = await hold(client, shop, { externalCustomerId: 'ada' }, 'read');
    for (const scope of ['redemptions:write', 'transactions:read'] as const) {
      const reader = { ...shop, ...(await world.key(shop.id, [scope])) };
      expect((await read(id, reader)).status).toBe(200);
    }
    const other = { ...shop, ...(await world.key(shop.id, ['redemptions:reverse', 'members:read'])) };
    expect((await read(id, other)).status).toBe(403);
    for (const nonsense of ['rsv_1', 'txn_01jz8n2m4nf6pr8s0t2v4w6xyz', unknown]) {
      expect({ status: (await read(nonsense)).status, code: (await read(nonsense)).code }).toEqual({
        status: 404,
        code: 'reservation_not_found',
      });
    }
    await client.send(onReservation(shop, id, 'release', reason, 'read'));
  });
});

test('while Production is locked nothing but a release and replays go on', async () => {
  const [held, committed] = [
    await hold(client, locked, { externalCustomerId: 'ada' }, 'held'),
    await redeem(client, locked, { externalCustomerId: 'ada' }, 'committed'),
  ];
  const dispute = await client.send(onReservation(locked, committed, 'disputes', reason, 'dispute'));
  const { id: disputeId } = dispute.body.dispute as { id: string };
  await world.lock(locked.id, true);
  for (const sent of [
    quote(locked, { externalCustomerId: 'ada' }, 'q'),
    reserve(locked, 'quo_unknown', 'r'),
    onReservation(locked, held, 'commit', authorization, 'c'),
    onReservation(locked, committed, 'reverse', reason, 'c'),
    onReservation(locked, committed, 'fulfillment', { status: 'shipped' }, 'f'),
    onReservation(locked, committed, 'disputes', reason, 'd'),
    onReservation(locked, committed, `disputes/${disputeId}/resolve`, { resolution: 'r' }, 'e'),
    onReservation(locked, committed, `disputes/${disputeId}/reject`, reason, 'e'),
  ]) {
    const answer = await client.send(sent);
    expect([sent.path, answer.status, answer.code]).toEqual([sent.path, 409, 'production_locked']);
  }
  expect((await read(held, locked)).status).toBe(200);
  expect((await client.send(onReservation(locked, held, 'release', reason, 'l'))).status).toBe(200);
  const replay = await client.send(onReservation(locked, committed, 'commit', authorization, 'committed'));
  expect(replay).toMatchObject({ status: 200, replayed: true });
  await world.lock(locked.id, false);
});

test('the last one is taken once, and is there again after a release', async () => {
  await client.send(quote(shop, { externalCustomerId: 'leaver', rewardId: 'last' }, 'last-other'));
  const id = await hold(client, shop, { externalCustomerId: 'ada', rewardId: 'last' }, 'last');
  const refused = await client.send(
    quote(shop, { externalCustomerId: 'leaver', rewardId: 'last' }, 'last-2'),
  );
  expect(refused).toMatchObject({ status: 409, code: 'inventory_exhausted' });
  await client.send(onReservation(shop, id, 'release', reason, 'last'));
  const again = await client.send(quote(shop, { externalCustomerId: 'leaver', rewardId: 'last' }, 'last-2'));
  expect(again.status).toBe(201);
});

test('what time has ended is ended, whether a sweep has run or not', async () => {
  const id = await hold(client, shop, { externalCustomerId: 'ada' }, 'lapse');
  const quoted = await client.send(quote(shop, { externalCustomerId: 'ada' }, 'lapsing'));
  const { id: quoteId } = quoted.body.quote as { id: string };
  const held = await balancesOf('ada');
  expect(held).toMatchObject({ reserved: 150 });
  await time.travel(1_800_000);
  const { reservation } = (await read(id)).body as { reservation: Record<string, unknown> };
  expect(reservation).toMatchObject({ state: 'expired', changedAt: reservation.expiresAt });
  expect(await balancesOf('ada')).toMatchObject({ reserved: 0 });
  for (const [act, body] of [
    ['commit', authorization],
    ['release', reason],
    ['disputes', reason],
  ] as const) {
    const answer = await client.send(onReservation(shop, id, act, body, `lapse-${act}`));
    expect([act, answer.status, answer.code]).toEqual([act, 409, 'invalid_redemption_state']);
  }
  const late = await client.send(reserve(shop, quoteId, 'late'));
  expect(late).toMatchObject({ status: 409, code: 'invalid_redemption_state' });
  // The next command settles it.
  await redeem(client, shop, { externalCustomerId: 'ada' }, 'after-lapse');
  expect((await read(id)).body.reservation).toMatchObject({ state: 'expired' });
  expect(await world.count(`select count(*) from transactions where event_type = 'redemption.expired'`)).toBe(
    1,
  );
});

test('who leaves takes nothing along: a hold is in the way, a quote is cancelled', async () => {
  await buy(twin, 'grace', 15_000);
  const quoted = await client.send(quote(twin, { externalCustomerId: 'grace' }, 'leave-quote'));
  const { id: quoteId } = quoted.body.quote as { id: string };
  const id = await hold(client, twin, { externalCustomerId: 'grace' }, 'leave');
  const held = await client.send(unenroll(twin, 'grace'));
  expect(held).toMatchObject({ status: 409, code: 'reservation_open' });
  await client.send(onReservation(twin, id, 'commit', authorization, 'leave'));
  expect((await client.send(unenroll(twin, 'grace'))).status).toBe(200);
  const state = `select (state = 'cancelled')::integer from redemption_quotes where source_reference = $1`;
  expect(await world.count(state, ['for leave-quote'])).toBe(1);
  for (const sent of [
    reserve(twin, quoteId, 'left'),
    onReservation(twin, id, 'reverse', reason, 'left'),
    quote(twin, { externalCustomerId: 'grace' }, 'left'),
  ]) {
    const answer = await client.send(sent);
    expect(answer).toMatchObject({ status: 409, code: 'enrollment_required' });
  }
});

test('a quote has the fields that the specification lists, selected as it lists them', async () => {
  const query = `mutation ($input: RedemptionQuoteInput!) {
    quoteRedemption(input: $input) {
      requestId idempotent quote { id state points availableBalance expiresAt terms }
    }
  }`;
  const wanted = { programId, externalCustomerId: 'ada', rewardId: 'free-coffee', sourceReference: 'listed' };
  const input = { ...wanted, idempotencyKey: 'listed', ttlSeconds: 60 };
  for (const idempotent of [false, true]) {
    const answer = await client.send(graphql(shop, query, { input }));
    expect({ status: answer.status, errors: answer.body.errors }).toEqual({ status: 200, errors: undefined });
    expect(answer.body.data).toMatchObject({
      quoteRedemption: { idempotent, quote: { state: 'quoted', points: 150, terms: { holdSeconds: 1800 } } },
    });
  }
});

test('of many disputes opened at once a reservation gets 20', async () => {
  const id = await redeem(client, shop, { externalCustomerId: 'ada' }, 'disputed');
  const open = (number: number) => client.send(onReservation(shop, id, 'disputes', reason, `many-${number}`));
  const answers = await Promise.all(Array.from({ length: 25 }, (_, number) => open(number)));
  const codes = answers.map(({ status, code }) => code ?? status).sort();
  expect(codes).toEqual([...Array(20).fill(201), ...Array(5).fill('dispute_limit_reached')]);
  const disputes = async () =>
    (await read(id)).body.disputes as { id: string; state: string; openedAt: string }[];
  const opened = await disputes();
  expect(opened).toHaveLength(20);
  expect(opened.map(({ openedAt }) => openedAt)).toEqual(opened.map(({ openedAt }) => openedAt).sort());
  // They stay in the order in which they were opened, whatever becomes of them.
  const [first] = opened;
  await client.send(onReservation(shop, id, `disputes/${first?.id}/reject`, reason, 'reject-first'));
  const later = await disputes();
  expect(later.map((dispute) => dispute.id)).toEqual(opened.map((dispute) => dispute.id));
  expect(later.map(({ state }) => state)).toEqual(['rejected', ...Array(19).fill('open')]);
});

test('after all of this the books agree', async () => {
  expect(await world.failedControls()).toEqual([]);
});
