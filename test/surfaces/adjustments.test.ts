import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Scope } from '../../src/auth/scopes.ts';
import { fromTypeId } from '../../src/ids.ts';
import { atEnd } from '../support/fixture.ts';
import {
  addMembers,
  earn,
  enroll,
  graphql,
  onReservation,
  type Received,
  redeem,
  rest,
  unenroll,
} from '../support/surfaces/client.ts';
import { useServer, useShop } from '../support/surfaces/use-shop.ts';
import { programId, type TestEnvironment } from '../support/surfaces/world.ts';

/** Keys of two principals, each with both scopes; `boss` has a second key. */
let clerk: TestEnvironment;
let boss: TestEnvironment;
let bossToo: TestEnvironment;
let keys = 0;

const BOTH: Scope[] = ['adjustments:write', 'adjustments:approve'];
const VERBS = ['approve', 'reject', 'reverse'] as const;
type Verb = (typeof VERBS)[number];

const { database, world, client, shop } = useShop({ kind: 'production', members: ['ada', 'bob', 'cyd'] });
/** Of a second server with a writer and lanes of its own, as in another process. */
const { client: secondClient } = useServer({}, { database, world });

beforeAll(async () => {
  const keyOf = async (principal: string, scopes = BOTH): Promise<TestEnvironment> => ({
    ...shop,
    ...(await world.key(shop.id, scopes, null, principal)),
  });
  [clerk, boss, bossToo] = await Promise.all([keyOf('clerk'), keyOf('boss'), keyOf('boss')]);
});

atEnd(async () => expect(await world.failedControls()).toEqual([]));
atEnd(async () => expect(await world.eventFaults()).toEqual([]));

const newKey = (): string => `key-${++keys}`;

interface Adjustment {
  id: string;
  state: string;
  transactionId: string | null;
  reversalTransactionId: string | null;
}

function adjustmentOf({ body }: Received): Adjustment {
  return body.adjustment as Adjustment;
}

function request(change: object = {}, key = newKey(), as = clerk): Promise<Received> {
  const body = {
    programId,
    externalCustomerId: 'ada',
    direction: 'credit',
    points: 50,
    reason: 'cold coffee',
    evidence: { ticket: 'CS-1' },
    ...change,
  };
  return client.send(rest(as, 'POST', '/adjustments', body, key));
}

function decide(verb: Verb, id: string, as = boss, key = newKey(), through = client): Promise<Received> {
  return through.send(rest(as, 'POST', `/adjustments/${id}/${verb}`, { reason: `${verb} it` }, key));
}

/** Sends every second request to the second server. */
function race(...decisions: [Verb, string][]): Promise<Received[]> {
  return Promise.all(
    decisions.map(([verb, id], index) =>
      decide(verb, id, boss, newKey(), index % 2 === 0 ? client : secondClient),
    ),
  );
}

async function requested(change: object = {}): Promise<string> {
  const received = await request(change);
  expect(received.status).toBe(201);
  return adjustmentOf(received).id;
}

function balance(externalCustomerId: string): Promise<number> {
  return world.count(
    `select available from program_profiles p join members m on m.id = p.member_id
     where p.environment_id = $1 and external_customer_id = $2`,
    [shop.id, externalCustomerId],
  );
}

test('REST: request, approve and reverse, each once for its key', async () => {
  const first = await request({}, 'request-1');
  expect(first).toMatchObject({ status: 201, replayed: false });
  const { id } = adjustmentOf(first);
  expect(first.body).toEqual({
    requestId: expect.any(String),
    adjustment: {
      id: expect.stringMatching(/^adj_/),
      state: 'requested',
      programId,
      externalCustomerId: 'ada',
      direction: 'credit',
      points: 50,
      reason: 'cold coffee',
      requestedAt: expect.any(String),
      expiresAt: expect.any(String),
      decidedAt: null,
      decisionReason: null,
      transactionId: null,
      reversalTransactionId: null,
    },
  });
  const replay = await request({}, 'request-1');
  expect({ status: replay.status, replayed: replay.replayed, id: adjustmentOf(replay).id }).toEqual({
    status: 200,
    replayed: true,
    id,
  });
  const approved = await decide('approve', id, boss, 'approve-1');
  expect(approved).toMatchObject({ status: 200, replayed: false });
  expect(adjustmentOf(approved)).toMatchObject({ state: 'posted', transactionId: expect.any(String) });
  const again = await decide('approve', id, boss, 'approve-1');
  expect(again).toMatchObject({ status: 200, replayed: true });
  expect(await balance('ada')).toBe(50);
  const reversed = await decide('reverse', id);
  expect(adjustmentOf(reversed)).toMatchObject({ state: 'reversed', decisionReason: 'reverse it' });
  expect(await balance('ada')).toBe(0);
});

test('GraphQL: the same commands under the same keys', async () => {
  const ask = `mutation ($input: RequestAdjustmentInput!) {
    requestAdjustment(input: $input) { idempotent adjustment { id state points } } }`;
  const input = {
    idempotencyKey: newKey(),
    programId,
    externalCustomerId: 'ada',
    direction: 'credit',
    points: 5,
    reason: 'cold coffee',
    evidence: { ticket: 'CS-1' },
  };
  const asked = await client.send(graphql(clerk, ask, { input }));
  expect(asked.body.data?.requestAdjustment).toMatchObject({
    idempotent: false,
    adjustment: { state: 'requested', points: 5 },
  });
  const answered = asked.body.data?.requestAdjustment as { adjustment: Adjustment };
  const { id } = answered.adjustment;
  const { idempotencyKey, ...body } = input;
  expect((await request(body, idempotencyKey)).replayed).toBe(true);
  for (const [verb, state] of [
    ['approve', 'posted'],
    ['reverse', 'reversed'],
  ]) {
    const text = `mutation ($input: DecideAdjustmentInput!) {
      ${verb}Adjustment(input: $input) { idempotent adjustment { id state } } }`;
    const variables = { input: { idempotencyKey: newKey(), adjustmentId: id, reason: `${verb} it` } };
    const { body: answer } = await client.send(graphql(boss, text, variables));
    expect(answer.data?.[`${verb}Adjustment`]).toEqual({ idempotent: false, adjustment: { id, state } });
    const key = variables.input.idempotencyKey;
    expect((await decide(verb as Verb, id, boss, key)).replayed).toBe(true);
  }
  const text = `mutation ($input: DecideAdjustmentInput!) { rejectAdjustment(input: $input) { requestId } }`;
  const refused = await client.send(
    graphql(boss, text, { input: { idempotencyKey: newKey(), adjustmentId: id, reason: 'no' } }),
  );
  expect(refused.status).toBe(200);
  expect(refused.body.errors).toMatchObject([
    { path: ['rejectAdjustment'], extensions: { code: 'invalid_adjustment_state', httpStatus: 409 } },
  ]);
});

describe('two principals', () => {
  test('a key with both scopes does not approve what its own principal asked for, nor does another key of it', async () => {
    const mine = adjustmentOf(await request({}, newKey(), boss)).id;
    expect((await decide('approve', mine, boss)).code).toBe('self_approval_forbidden');
    const byOther = await decide('approve', mine, bossToo);
    expect(byOther).toMatchObject({ status: 409, code: 'self_approval_forbidden' });
    expect((await decide('approve', mine, clerk)).status).toBe(200);
    for (const self of [boss, bossToo]) {
      expect((await decide('reverse', mine, self)).code).toBe('self_approval_forbidden');
    }
    expect((await decide('reverse', mine, clerk)).status).toBe(200);
  });

  test('who asked may withdraw', async () => {
    const id = await requested();
    expect(adjustmentOf(await decide('reject', id, clerk))).toMatchObject({ state: 'rejected' });
    expect((await decide('approve', id)).code).toBe('invalid_adjustment_state');
  });

  test('the database itself refuses what no command would write', async () => {
    const id = fromTypeId('adj', await requested());
    const postedId = await requested();
    await decide('approve', postedId);
    const uuid = fromTypeId('adj', postedId);
    const { adminPool } = database;
    const forbidden: [string, string | null, string][] = [
      ['two_persons_approve', uuid, 'decided_by = requested_by'],
      ['two_persons_reverse', uuid, 'reversed_by = requested_by'],
      ['adjustments_check', id, `state = 'posted', decided_by = 'boss'`],
      ['adjustments_check', uuid, 'transaction_id = null'],
      ['adjustments_check', uuid, `state = 'reversed', reversed_by = 'boss'`],
      ['adjustments_check', uuid, 'decided_by = null'],
      ['adjustments_points_check', id, 'points = 0'],
      ['adjustments_state_check', id, `state = 'approved'`],
    ];
    for (const [constraint, target, change] of forbidden) {
      const attempt = adminPool.query(`update adjustments set ${change} where id = $1`, [target]);
      await expect(attempt).rejects.toMatchObject({
        code: '23514',
        constraint: expect.stringMatching(constraint),
      });
    }
    await decide('reverse', postedId);
  });
});

test('ten approvals at once, through two servers under ten keys: one posts', async () => {
  const id = await requested({ externalCustomerId: 'bob' });
  const approve: [Verb, string] = ['approve', id];
  const answers = await race(...Array<typeof approve>(10).fill(approve));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  expect(await balance('bob')).toBe(50);
  const reverse: [Verb, string] = ['reverse', id];
  const decisions = await race(...Array<typeof reverse>(6).fill(reverse), ['reject', id], ['approve', id]);
  expect(decisions.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await balance('bob')).toBe(0);
});

test('an approval against a rejection: one of them decides', async () => {
  for (let round = 0; round < 20; round++) {
    const id = await requested({ externalCustomerId: 'bob', points: 1 });
    const before = await balance('bob');
    const answers = await race(['approve', id], ['reject', id]);
    const [done] = answers.filter(({ status }) => status === 200);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const posted = done !== undefined && adjustmentOf(done).state === 'posted';
    expect(await balance('bob')).toBe(before + (posted ? 1 : 0));
    if (posted) await decide('reverse', id);
  }
});

test('two debits for the last points: one posts', async () => {
  await decide('approve', await requested({ externalCustomerId: 'bob', points: 10 }));
  const debit = { externalCustomerId: 'bob', direction: 'debit', points: 10 };
  const answers = await race(['approve', await requested(debit)], ['approve', await requested(debit)]);
  expect(answers.map(({ code }) => code).sort()).toEqual(['insufficient_points', null]);
  expect(await balance('bob')).toBe(0);
});

test.each(['ARV', 'AVR', 'RAV', 'RVA', 'VAR', 'VRA'])(
  'a spent credit reversed, an order returned and the redemption reversed (%s) leave nothing to spend',
  async (order) => {
    const customer = `guest-${order}`;
    await addMembers(client, shop, [customer]);
    const credit = await requested({ externalCustomerId: customer, points: 150 });
    await decide('approve', credit);
    const reservation = await redeem(client, shop, { externalCustomerId: customer }, newKey());
    const sourceReference = `order-${order}`;
    const bought = { externalCustomerId: customer, sourceReference, amountMinor: 15_000 };
    expect((await client.send(earn(shop, bought, newKey()))).status).toBe(201);
    expect(await balance(customer)).toBeGreaterThanOrEqual(150);
    const back = { sourceReference, returnReference: `return-${order}`, returnAmountMinor: 15_000 };
    const undo: Record<string, () => Promise<Received>> = {
      A: () => decide('reverse', credit),
      R: () => client.send(rest(shop, 'POST', '/returns', back, newKey())),
      V: () => client.send(onReservation(shop, reservation, 'reverse', { reason: 'closed' }, newKey())),
    };
    let left = [...order];
    while (left.length > 0) {
      const refused: string[] = [];
      for (const step of left) if (((await undo[step]?.())?.status ?? 0) >= 400) refused.push(step);
      expect(refused.length).toBeLessThan(left.length);
      left = refused;
    }
    expect(await balance(customer)).toBe(0);
  },
);

describe('statuses', () => {
  const missing = 'adj_01h455vb4pex5vsknk084sn02q';

  test('of a request', async () => {
    const cases: [number, string, Promise<Received>][] = [
      [404, 'program_not_found', request({ programId: 'nowhere' })],
      [404, 'member_not_found', request({ externalCustomerId: 'nobody' })],
      [422, 'validation_failed', request({ points: 0 })],
      [422, 'validation_failed', request({ points: 1_000_000_000_001 })],
      [422, 'validation_failed', request({ direction: 'sideways' })],
      [422, 'validation_failed', request({ evidence: {} })],
      [422, 'validation_failed', request({ reason: '' })],
      [422, 'validation_failed', request({ approvedBy: 'boss' })],
      [400, 'idempotency_key_required', client.send(rest(clerk, 'POST', '/adjustments', {}))],
    ];
    for (const [status, code, answer] of cases) {
      expect([code, (await answer).status, (await answer).code]).toEqual([code, status, code]);
    }
  });

  test('of a member that is not enrolled', async () => {
    await client.send(unenroll(shop, 'cyd', newKey()));
    expect((await request({ externalCustomerId: 'cyd' })).code).toBe('enrollment_required');
    const debit = await requested({ externalCustomerId: 'cyd', direction: 'debit' });
    await client.send(enroll(shop, 'cyd', newKey()));
    const credit = await requested({ externalCustomerId: 'cyd' });
    await client.send(unenroll(shop, 'cyd', newKey()));
    const answers = [await decide('approve', debit), await decide('approve', credit)];
    expect(answers.map(({ status, code }) => [status, code])).toEqual([
      [409, 'insufficient_points'],
      [409, 'enrollment_required'],
    ]);
  });

  test.each(VERBS)('of %s, where there is no such adjustment', async (verb) => {
    for (const id of [missing, 'adj_1', 'nonsense', missing.replace('adj', 'txn')]) {
      expect([id, (await decide(verb, id)).code]).toEqual([id, 'adjustment_not_found']);
    }
    const other = await world.environment();
    const elsewhere = await client.send(
      rest(other, 'POST', `/adjustments/${await requested()}/${verb}`, { reason: 'mine' }, newKey()),
    );
    expect(elsewhere).toMatchObject({ status: 404, code: 'adjustment_not_found' });
  });

  test('each scope opens its own commands alone', async () => {
    const id = await requested();
    const writes = { ...shop, ...(await world.key(shop.id, ['adjustments:write'], null, 'writer')) };
    const approves = { ...shop, ...(await world.key(shop.id, ['adjustments:approve'], null, 'approver')) };
    expect((await request({}, newKey(), approves)).status).toBe(403);
    for (const verb of VERBS) expect((await decide(verb, id, writes)).status).toBe(403);
    expect((await decide('reject', id, approves)).status).toBe(200);
  });

  test('while Production is locked a rejection goes on, and so does a replay; nothing else', async () => {
    const [open, other] = [await requested(), await requested()];
    const approval = await decide('approve', other, boss, 'before-lock');
    expect(approval.status).toBe(200);
    await world.lock(shop.id, true);
    try {
      expect((await request()).code).toBe('production_locked');
      expect((await decide('approve', open)).code).toBe('production_locked');
      expect((await decide('reverse', other)).code).toBe('production_locked');
      expect((await decide('approve', missing)).code).toBe('production_locked');
      expect((await decide('approve', other, boss, 'before-lock')).replayed).toBe(true);
      expect((await decide('reject', open)).status).toBe(200);
      expect((await decide('reject', missing)).code).toBe('adjustment_not_found');
    } finally {
      await world.lock(shop.id, false);
    }
  });
});
