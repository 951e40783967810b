import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Scope } from '../../src/auth/scopes.ts';
import { eraseMember } from '../../src/erasure/erase-member.ts';
import { ERASURE_STEPS } from '../../src/erasure/erasure-steps.ts';
import { exportMember } from '../../src/export/member/member-export.ts';
import { findPerson } from '../../src/queries/shared/find-person.ts';
import { isRefusal } from '../../src/refusal.ts';
import type { RunningServer } from '../../src/server/process/http-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { searchDatabase } from '../support/erasure/search-database.ts';
import { Counter } from '../support/ledger/counter.ts';
import { startTestServer } from '../support/server.ts';
import {
  addMembers,
  Client,
  earn,
  onReservation,
  type Received,
  readMember,
  redeem,
  rest,
  returnOrder,
} from '../support/surfaces/client.ts';
import { addTestIssuer, customerToken, loyalty, makeKey } from '../support/surfaces/customers.ts';
import { createWorld, programId, type TestEnvironment, type World } from '../support/surfaces/world.ts';

let database: TestDatabase;
let world: World;
let server: RunningServer;
let client: Client;
let shop: TestEnvironment;
let clerk: TestEnvironment;
let boss: TestEnvironment;
let keys = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  world = createWorld(database);
  shop = await world.environment('production');
  const keyOf = async (principal: string, scope: Scope): Promise<TestEnvironment> => ({
    ...shop,
    ...(await world.key(shop.id, [scope], null, principal)),
  });
  [clerk, boss] = await Promise.all([
    keyOf('clerk', 'adjustments:write'),
    keyOf('boss', 'adjustments:approve'),
  ]);
  server = await startTestServer(database);
  client = new Client(server.url);
}, 60_000);

afterAll(async () => {
  expect(await world.eventFaults()).toEqual([]);
  expect(await world.failedControls()).toEqual([]);
  client.close();
  await server.close();
  await database.drop();
}, 60_000);

const newKey = (): string => `key-${++keys}`;

interface Merge {
  id: string;
  state: string;
  programs: object[];
}

function ask(from: string, into: string, as = clerk, reason = 'one person'): Promise<Received> {
  const body = { intoExternalCustomerId: into, reason, evidence: { ticket: 'CS-1' } };
  return client.send(rest(as, 'POST', `/members/${from}/merge`, body, newKey()));
}

function decide(
  id: string,
  verb: 'approve' | 'reject' | 'unmerge/approve' | 'unmerge/reject',
  as = boss,
  reason = 'looked into it',
): Promise<Received> {
  return client.send(rest(as, 'POST', `/member-merges/${id}/${verb}`, { reason }, newKey()));
}

async function merge(from: string, into: string): Promise<Received> {
  const asked = await ask(from, into);
  expect(asked.status).toBe(201);
  return decide((asked.body.merge as Merge).id, 'approve');
}

async function balanceOf(name: string): Promise<number> {
  const { body } = await client.send(readMember(shop, name));
  const [program] = body.programs as { balances: { available: number }[] }[];
  return program?.balances[0]?.available ?? 0;
}

/** What a read of a member answers, but for the request's id. */
async function memberOf(name: string): Promise<object> {
  const { body } = await client.send(readMember(shop, name));
  return { ...body, requestId: '' };
}

const bought = (externalCustomerId: string) => ({
  ...{ externalCustomerId, amountMinor: 20_000, sourceReference: `order of ${externalCustomerId}` },
});

test('after a merge the old name answers for the new member', async () => {
  await addMembers(client, shop, ['ann', 'bob']);
  const purchase = earn(shop, bought('ann'), 'bought-ann');
  const first = await client.send(purchase);
  await client.send(earn(shop, bought('bob'), newKey()));
  const spent = await redeem(client, shop, { externalCustomerId: 'ann' }, newKey());
  const [before, others] = [await balanceOf('ann'), await balanceOf('bob')];
  const merged = await merge('ann', 'bob');
  expect({ status: merged.status, merge: merged.body.merge }).toEqual({
    status: 200,
    merge: expect.objectContaining({
      state: 'merged',
      intoExternalCustomerId: 'bob',
      programs: [{ programId, points: before, lots: 1 }],
    }),
  });
  const read = await client.send(readMember(shop, 'ann'));
  expect(read.body.member).toMatchObject({ externalCustomerId: 'bob' });
  expect(await balanceOf('ann')).toBe(before + others);
  // The replay of an old key, byte for byte.
  const replayed = await client.send(purchase);
  expect(replayed).toMatchObject({ status: 200, replayed: true });
  expect({ ...replayed.body, requestId: '' }).toEqual({ ...first.body, requestId: '' });
  const back = { sourceReference: 'order of ann', returnReference: 'back', returnAmountMinor: 2_000 };
  const returned = await client.send(returnOrder(shop, back, newKey()));
  expect(returned.status).toBe(201);
  const { pointsClawedBack } = returned.body.return as { pointsClawedBack: number };
  expect(await balanceOf('bob')).toBe(before + others - pointsClawedBack);
  expect(spent).toBeTruthy();
}, 60_000);

test('a redemption of before is reversed to the account that its points belong to, after each of two merges', async () => {
  await addMembers(client, shop, ['kim', 'lou', 'max']);
  for (const name of ['kim', 'lou'])
    await client.send(earn(shop, { ...bought(name), amountMinor: 90_000 }, newKey()));
  const before = await balanceOf('kim');
  const [first, second] = [
    await redeem(client, shop, { externalCustomerId: 'kim' }, newKey()),
    await redeem(client, shop, { externalCustomerId: 'kim' }, newKey()),
  ];
  const price = (before - (await balanceOf('kim'))) / 2;
  const third = await redeem(client, shop, { externalCustomerId: 'lou' }, newKey());
  const reverse = async (id: string): Promise<void> => {
    const sent = onReservation(shop, id, 'reverse', { reason: 'cancelled' }, newKey());
    expect((await client.send(sent)).status).toBe(200);
  };
  const all = (await balanceOf('kim')) + (await balanceOf('lou'));
  await merge('kim', 'lou');
  await reverse(first);
  const { id } = (await merge('lou', 'max')).body.merge as Merge;
  await reverse(second);
  expect(await balanceOf('kim')).toBe(all + 2 * price);
  await askBack(id);
  expect((await decide(id, 'unmerge/approve')).code).toBe('merged_points_used');
  await decide(id, 'unmerge/reject');
  await reverse(third);
  expect(await balanceOf('max')).toBe(all + 3 * price);
}, 60_000);

test('a customer whose token has the old name is the new member', async () => {
  await addMembers(client, shop, ['cat', 'dan']);
  await client.send(earn(shop, bought('cat'), newKey()));
  expect((await merge('cat', 'dan')).status).toBe(200);
  const key = makeKey('ES256', 'one');
  await addTestIssuer(world, shop.id, [key]);
  const token = customerToken(key, 'cat');
  const read = await client.send(loyalty(shop, token, 'GET', '/member'));
  expect(read.status).toBe(200);
  const activity = await client.send(loyalty(shop, token, 'GET', '/activity'));
  expect(activity.body.data).toEqual([expect.objectContaining({ type: 'points' })]);
}, 60_000);

test('nobody approves a merge that he asked for, and open reservations refuse it', async () => {
  await addMembers(client, shop, ['eve', 'fay']);
  await client.send(earn(shop, bought('eve'), newKey()));
  const both = {
    ...shop,
    ...(await world.key(shop.id, ['adjustments:write', 'adjustments:approve'], null, 'clerk')),
  };
  const asked = await ask('eve', 'fay');
  const { id } = asked.body.merge as Merge;
  expect((await decide(id, 'approve', both)).code).toBe('self_approval_forbidden');
  expect((await decide(id, 'reject', both)).status).toBe(200);
  expect((await decide(id, 'approve')).code).toBe('invalid_merge_state');
  expect((await decide('mrg_01jz8k4c1ve2nb7q9s0t2v4wxy', 'approve')).code).toBe('merge_not_found');
  expect((await ask('eve', 'eve')).code).toBe('validation_failed');
  expect((await ask('eve', 'nobody')).code).toBe('member_not_found');
}, 60_000);

test('an export holds both accounts, and an erasure takes both names', async () => {
  await addMembers(client, shop, ['gus', 'hal']);
  await client.send(earn(shop, bought('gus'), newKey()));
  const { id } = (await merge('gus', 'hal')).body.merge as Merge;
  // What the new member is sent by the old name may have that name in it.
  const since = { ...bought('gus'), sourceReference: 'order-gus-since' };
  expect((await client.send(earn(shop, since, 'gus:since'))).status).toBe(201);
  const person = await findPerson(database.adminPool, shop.id, 'gus');
  if (!person) throw new Error('gus is gone');
  let text = '';
  await exportMember(database.adminPool, person, async (part) => {
    text += part;
  });
  const file = JSON.parse(text) as Record<string, Record<string, unknown>[]>;
  expect(file.member?.map(({ externalCustomerId }) => externalCustomerId).toSorted()).toEqual(['gus', 'hal']);
  expect(file.transactions?.map(({ eventType }) => eventType).toSorted()).toEqual([
    'member.merged',
    'member.merged',
    'purchase.completed',
    'purchase.completed',
  ]);
  const counter = new Counter(database);
  const eraser = { administrator: world.administrator, pool: database.adminPool, door: counter.writer() };
  const erased = await eraseMember(eraser, {
    ...{ environmentId: shop.id, externalCustomerId: 'gus', reason: 'asked', forfeit: true },
  });
  expect(isRefusal(erased)).toBe(false);
  const { rows } = await database.adminPool.query(
    `select count(*)::integer as left from members
     where environment_id = $1 and external_customer_id in ('gus', 'hal')`,
    [shop.id],
  );
  expect(rows).toEqual([{ left: 0 }]);
  expect(await searchDatabase(database.adminPool, ['order-gus', 'gus:since'])).toEqual([]);
  const typed = await database.adminPool.query(
    `select reason, evidence from member_merges g join members m on m.id = g.source_member_id
     where m.environment_id = $1 and m.status = 'erased'`,
    [shop.id],
  );
  expect(typed.rows).toEqual([{ reason: 'erased', evidence: {} }]);
  const refused = await askBack(id);
  expect(refused).toMatchObject({ status: 404, code: 'member_not_found' });
  expect(refused.body.error?.message).toContain('have been erased');
}, 120_000);

test('a chain that was erased after its undoing was asked for is undone no more: it is asked for, approved and rejected alike', async () => {
  await addMembers(client, shop, ['ida', 'jon', 'kay']);
  const inner = (await merge('ida', 'jon')).body.merge as Merge;
  expect((await askBack(inner.id)).status).toBe(200);
  const outer = (await merge('jon', 'kay')).body.merge as Merge;
  expect((await askBack(outer.id)).status).toBe(200);
  // The inner one waits for the outer one.
  expect((await decide(inner.id, 'unmerge/approve')).code).toBe('merged_again');
  const counter = new Counter(database);
  const eraser = { administrator: world.administrator, pool: database.adminPool, door: counter.writer() };
  const erased = await eraseMember(eraser, {
    ...{ environmentId: shop.id, externalCustomerId: 'ida', reason: 'asked', forfeit: true },
  });
  expect(isRefusal(erased)).toBe(false);
  for (const { id } of [inner, outer]) {
    for (const refused of [await askBack(id), await decide(id, 'unmerge/approve')]) {
      expect(refused).toMatchObject({ status: 404, code: 'member_not_found' });
      expect(refused.body.error?.message).toContain('have been erased');
    }
    // The request is taken out of the queue.
    const rejected = await decide(id, 'unmerge/reject');
    expect({ status: rejected.status, merge: rejected.body.merge }).toEqual({
      status: 200,
      merge: expect.objectContaining({ state: 'merged' }),
    });
    expect((await decide(id, 'unmerge/reject')).code).toBe('invalid_merge_state');
    expect((await askBack(id)).code).toBe('member_not_found');
  }
}, 120_000);

test.each([
  ['requested', []],
  ['rejected', ['reject']],
  ['merged', ['approve']],
  ['unmerged', ['approve', 'unmerge', 'unmerge/approve']],
] as const)(
  'of a merge that is %s, erasures leave no name and nothing that was typed',
  async (state, steps) => {
    const [source, target, typed] = [`source-${state}`, `target-${state}`, `typed about ${state}`];
    await addMembers(client, shop, [source, target]);
    const asked = await ask(source, target, clerk, typed);
    const { id } = asked.body.merge as Merge;
    for (const step of steps) {
      const done =
        step === 'unmerge'
          ? await client.send(
              rest(clerk, 'POST', `/member-merges/${id}/unmerge`, { reason: typed }, newKey()),
            )
          : await decide(id, step, boss, typed);
      expect(done.status).toBeLessThan(300);
    }
    expect(await searchDatabase(database.adminPool, [typed])).not.toEqual([]);
    const counter = new Counter(database);
    const eraser = { administrator: world.administrator, pool: database.adminPool, door: counter.writer() };
    const erase = (externalCustomerId: string) =>
      eraseMember(eraser, { environmentId: shop.id, externalCustomerId, reason: 'asked', forfeit: true });
    expect(isRefusal(await erase(source))).toBe(false);
    expect(await searchDatabase(database.adminPool, [typed, source])).toEqual([]);
    // Accounts that are merged are erased together.
    expect(isRefusal(await erase(target))).toBe(state === 'merged');
    expect(await searchDatabase(database.adminPool, [target])).toEqual([]);
  },
  120_000,
);

test.each(['una', 'vic'])(
  'an erasure of both accounts that breaks off is finished by the same call, with the name %s',
  async (name) => {
    const own = { ...shop, ...(await world.environment('production')) };
    await addMembers(client, own, ['una', 'vic']);
    await database.adminPool.query(
      `update members m set merged_into = (select id from members t where t.environment_id = $1 and t.external_customer_id = 'vic')
      where m.environment_id = $1 and m.external_customer_id = 'una'`,
      [own.id],
    );
    await database.adminPool.query(
      `update program_profiles p set enrolled = false, unenrolled_at = now() from members m
      where m.environment_id = $1 and m.id = p.member_id and m.external_customer_id = 'una' and p.environment_id = $1`,
      [own.id],
    );
    const counter = new Counter(database);
    const writer = counter.writer();
    const erase = (steps: number) =>
      eraseMember(
        {
          ...{ administrator: world.administrator, pool: database.adminPool, door: writer },
          onProgress() {
            steps -= 1;
            if (steps === 0) throw new Error('killed');
          },
        },
        { environmentId: own.id, externalCustomerId: name, reason: 'asked', forfeit: true },
      );
    // In the first account, and in the second one.
    await expect(erase(2)).rejects.toThrow('killed');
    await expect(erase(ERASURE_STEPS.length * 2 + 2)).rejects.toThrow('killed');
    expect(await erase(Number.POSITIVE_INFINITY)).toMatchObject({ resumed: true });
    expect(
      await world.count(
        'select count(*)::integer from members where environment_id = $1 and (status ' +
          `<> 'erased' or external_customer_id in ('una', 'vic'))`,
        [own.id],
      ),
    ).toBe(0);
    expect(
      await world.count(
        'select count(*)::integer from operations where environment_id = $1 ' +
          `and input ->> 'externalCustomerId' is not null`,
        [own.id],
      ),
    ).toBe(0);
    expect(await erase(0)).toMatchObject({ code: 'member_not_found' });
    await database.adminPool.query(`update members set merged_into = null where environment_id = $1`, [
      own.id,
    ]);
  },
  120_000,
);

test('merges are listed by state, newest first and page by page; a request whose time is over is expired', async () => {
  const other = await world.environment('production');
  const keyOf = async (principal: string, scope: Scope): Promise<TestEnvironment> => ({
    ...other,
    ...(await world.key(other.id, [scope], null, principal)),
  });
  const [asking, deciding] = await Promise.all([
    keyOf('clerk', 'adjustments:write'),
    keyOf('boss', 'adjustments:approve'),
  ]);
  const names = ['ida', 'jon', 'kim', 'lea', 'max'];
  await addMembers(client, other, names);
  await client.send(earn(other, bought('ida'), newKey()));
  const ids: string[] = [];
  for (const from of names.slice(0, 4)) {
    ids.push(((await ask(from, 'max', asking)).body.merge as Merge).id);
  }
  const [merged = '', rejected = '', expired = '', requested = ''] = ids;
  const moved = (await decide(merged, 'approve', deciding)).body.merge as Merge;
  await decide(rejected, 'reject', deciding);
  await database.adminPool.query(
    `update member_merges g set expires_at = now() from members m
     where m.environment_id = g.environment_id and m.id = g.source_member_id and m.external_customer_id = 'kim'`,
  );
  const read = (path: string, as = deciding) => client.send(rest(as, 'GET', `/member-merges${path}`));
  const listed = async (query: string) => (await read(query)).body.data as unknown as Merge[];
  const states = { merged, rejected, expired, requested };
  expect((await listed('')).map(({ id }) => id)).toEqual(ids.toReversed());
  for (const [state, id] of Object.entries(states)) {
    expect(await listed(`?state=${state}`)).toEqual([expect.objectContaining({ id, state })]);
    expect((await read(`/${id}`, asking)).body.merge).toMatchObject({ id, state });
  }
  expect((await read(`/${merged}`)).body.merge).toMatchObject({
    externalCustomerId: 'ida',
    intoExternalCustomerId: 'max',
    evidence: { ticket: 'CS-1' },
    requestedBy: 'clerk',
    decidedBy: 'boss',
    decisionReason: 'looked into it',
    programs: moved.programs,
  });
  expect(moved.programs).toHaveLength(1);
  const found: string[] = [];
  let cursor: string | null = '';
  for (let pages = 0; cursor !== null && pages < 9; pages += 1) {
    const { body } = await read(`?limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    found.push(...(body.data as unknown as Merge[]).map(({ id }) => id));
    cursor = (body.page as { nextCursor: string | null }).nextCursor;
  }
  expect(found).toEqual(ids.toReversed());
  expect((await read('?cursor=x')).code).toBe('invalid_cursor');
  expect((await read('/mrg_01jz8k4c1ve2nb7q9s0t2v4wxy')).code).toBe('merge_not_found');
  expect((await read(`/${merged}`, clerk)).code).toBe('merge_not_found');
  expect(await client.send(rest(clerk, 'GET', '/member-merges?state=merged'))).toMatchObject({ status: 200 });
}, 60_000);

/** Asks to undo a merge. */
function askBack(id: string, as = clerk): Promise<Received> {
  return client.send(rest(as, 'POST', `/member-merges/${id}/unmerge`, { reason: 'two persons' }, newKey()));
}

function raisedVersion(name: string, value: unknown): unknown {
  return name === 'profileVersion' ? Number(value) + 2 : value;
}

test('a merge is undone by two persons: both names answer for themselves, in reads and commands', async () => {
  await addMembers(client, shop, ['uma', 'vic']);
  for (const name of ['uma', 'vic']) await client.send(earn(shop, bought(name), newKey()));
  const readBoth = () => Promise.all(['uma', 'vic'].map(memberOf));
  const before = await readBoth();
  const { id } = (await merge('uma', 'vic')).body.merge as Merge;
  expect(await memberOf('uma')).toEqual(await memberOf('vic'));
  expect((await askBack(id)).body.merge).toMatchObject({
    state: 'unmerge_requested',
    unmergeReason: 'two persons',
    unmergedAt: null,
  });
  const queue = await client.send(rest(boss, 'GET', '/member-merges?state=unmerge_requested'));
  expect(queue.body.data).toEqual([
    expect.objectContaining({ id, unmergeRequestedBy: 'clerk', unmergedBy: null }),
  ]);
  expect((await decide(id, 'unmerge/reject')).body.merge).toMatchObject({ state: 'merged' });
  expect((await decide(id, 'unmerge/approve')).code).toBe('invalid_merge_state');
  await askBack(id);
  const undone = await decide(id, 'unmerge/approve');
  expect({ status: undone.status, merge: undone.body.merge }).toEqual({
    status: 200,
    merge: expect.objectContaining({ state: 'unmerged', unmergeDecisionReason: 'looked into it' }),
  });
  // Two changes more, and otherwise as they were.
  expect(await readBoth()).toEqual(JSON.parse(JSON.stringify(before, raisedVersion)));
  const earned = await client.send(earn(shop, { ...bought('uma'), sourceReference: 'after it' }, newKey()));
  expect(earned.body.member).toMatchObject({ externalCustomerId: 'uma' });
  const person = await findPerson(database.adminPool, shop.id, 'uma');
  expect(person?.externalCustomerId).toBe('uma');
}, 60_000);

test('a merge whose points were spent stays', async () => {
  await addMembers(client, shop, ['wes', 'xia']);
  await client.send(earn(shop, bought('wes'), newKey()));
  const { id } = (await merge('wes', 'xia')).body.merge as Merge;
  await redeem(client, shop, { externalCustomerId: 'xia' }, newKey());
  await askBack(id);
  const refused = await decide(id, 'unmerge/approve');
  expect(refused).toMatchObject({ status: 409, code: 'merged_points_used' });
  expect(await memberOf('wes')).toEqual(await memberOf('xia'));
}, 60_000);
