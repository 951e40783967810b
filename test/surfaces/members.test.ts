import { describe, expect, test } from '@jest/globals';
import { atEnd } from '../support/fixture.ts';
import {
  addMembers,
  answerConsent,
  earn,
  graphql,
  readMember,
  rest,
  updateMember,
} from '../support/surfaces/client.ts';
import { useShop } from '../support/surfaces/use-shop.ts';

const { database, world, server, client, shop } = useShop({ members: ['ada', 'ben', 'cyd'] });

atEnd(async () => expect(await world.eventFaults()).toEqual([]));

const bought = (externalCustomerId: string, sourceReference: string) => ({
  externalCustomerId,
  sourceReference,
  amountMinor: 1000,
});

test('a changed name is read back through REST and GraphQL, and a replay says so', async () => {
  const sent = updateMember(shop, 'ada', 'name', { displayName: 'Ada L.' });
  const first = await client.send(sent);
  expect(first).toMatchObject({ status: 200, replayed: false });
  const again = await client.send(sent);
  expect({ status: again.status, replayed: again.replayed, member: again.body.member }).toEqual({
    status: 200,
    replayed: true,
    member: first.body.member,
  });
  const read = await client.send(readMember(shop, 'ada'));
  expect(read.body.member).toEqual(first.body.member);
  expect(read.body.member).toMatchObject({ displayName: 'Ada L.', consentStatus: 'granted' });
  const query = '{ member(externalCustomerId: "ada") { member { displayName status consentStatus } } }';
  expect((await client.send(graphql(shop, query))).body.data?.member).toEqual({
    member: { displayName: 'Ada L.', status: 'active', consentStatus: 'granted' },
  });
});

test('GraphQL does not serve it', async () => {
  const mutation = 'mutation ($input: UpdateMemberInput!) { updateMember(input: $input) { requestId } }';
  const answer = await client.send(graphql(shop, mutation, { input: {} }));
  expect(answer).toMatchObject({ status: 400, code: 'graphql_validation_failed' });
});

// A client's URL library takes such an id out of a path: docs/guide/members.md.
test.each(['.', '..'])('the id %s is addressed by a path as it is, by GraphQL, and in bodies', async (id) => {
  await addMembers(client, shop, [id]);
  for (const spelling of [id, id.replaceAll('.', '%2E')]) {
    const path = `/members/${spelling}`;
    expect(new URL(`/api/v1${path}`, server.url).pathname).not.toContain(path);
    const { status, body } = await client.send(rest(shop, 'GET', path));
    expect({ status, member: body.member }).toMatchObject({
      status: 200,
      member: { externalCustomerId: id },
    });
  }
  const query = 'query ($id: String!) { member(externalCustomerId: $id) { member { externalCustomerId } } }';
  const { body } = await client.send(graphql(shop, query, { id }));
  expect(body.data?.member).toEqual({ member: { externalCustomerId: id } });
  expect((await client.send(earn(shop, bought(id, `order of ${id}`), `order-of-${id}`))).status).toBe(201);
});

test('a withdrawn identity earns nothing, like one that is unknown; it keeps its points and earns again later', async () => {
  expect((await client.send(earn(shop, bought('ben', 'b-1'), 'b-1'))).status).toBe(201);
  const withdrawn = await client.send(answerConsent(shop, 'ben', 'opted_out'));
  expect(withdrawn.body.member).toMatchObject({
    consentStatus: 'withdrawn',
    consent: { status: 'withdrawn', noticeVersion: 'v2', at: expect.any(String) },
  });
  const trace = { 'x-request-id': 'trace-1' };
  const sendTraced = (customer: string) => {
    const sent = earn(shop, bought(customer, 'b-2'), 'b-2');
    return client.send({ ...sent, headers: { ...sent.headers, ...trace } });
  };
  const [refused, unknown] = [await sendTraced('ben'), await sendTraced('nobody')];
  expect(refused).toMatchObject({ status: 404, code: 'member_not_found' });
  expect(refused.text).toBe(unknown.text);
  const read = await client.send(readMember(shop, 'ben'));
  expect(read.body).toMatchObject({
    member: withdrawn.body.member,
    programs: [{ status: 'enrolled', balances: [{ available: 10 }] }],
  });
  expect((await client.send(answerConsent(shop, 'ben', 'opted_in'))).status).toBe(200);
  // A refusal stores nothing: the same key succeeds now.
  expect((await sendTraced('ben')).status).toBe(201);
  expect(await world.failedControls()).toEqual([]);
});

test('consent records have notice and evidence, and the audit trail has neither name nor evidence', async () => {
  await client.send(
    updateMember(shop, 'cyd', 'both', {
      displayName: 'Cyd Secret',
      consentStatus: 'opted_out',
      noticeVersion: 'v3',
      evidence: { source: 'hidden page' },
    }),
  );
  const { rows } = await database.adminPool.query(
    `select c.status, c.notice_version, c.evidence, a.action, a.actor_type, a.actor_id, a.changes, a.at = c.at as same_time
     from consent_records c join audit_events a on (a.environment_id, a.request_id) = (c.environment_id, c.request_id)
     where c.environment_id = $1 and c.notice_version = 'v3'`,
    [shop.id],
  );
  expect(rows).toEqual([
    {
      status: 'withdrawn',
      notice_version: 'v3',
      evidence: { source: 'hidden page' },
      action: 'member.updated',
      actor_type: 'api_key',
      actor_id: 'tests',
      changes: { renamed: true, consentStatus: 'withdrawn', noticeVersion: 'v3' },
      same_time: true,
    },
  ]);
  const trail = await database.adminPool.query(
    `select a::text from audit_events a union all select e::text from events e`,
  );
  expect(JSON.stringify(trail.rows)).not.toMatch(/Cyd Secret|hidden page/);
});

describe('refused, with nothing written', () => {
  const answer = { consentStatus: 'opted_out', noticeVersion: 'v2', evidence: { source: 'x' } };
  test.each<[string, object, string[]]>([
    ['nothing', {}, []],
    ['an unknown field', { nickname: 'A' }, ['nickname']],
    ['the id in the body', { displayName: 'A', externalCustomerId: 'ben' }, ['externalCustomerId']],
    ['a status', { status: 'suspended' }, ['status']],
    ['null', { displayName: null }, ['displayName']],
    ['an empty name', { displayName: '' }, ['displayName']],
    ['a name too long', { displayName: 'x'.repeat(201) }, ['displayName']],
    ['a name that is no text', { displayName: 7 }, ['displayName']],
    ['an answer that is none', { ...answer, consentStatus: 'granted' }, ['consentStatus']],
    ['an answer without evidence', { ...answer, evidence: undefined }, ['evidence']],
    ['empty evidence', { ...answer, evidence: {} }, ['evidence']],
    ['evidence without a value', { ...answer, evidence: { source: null } }, ['evidence']],
    ['evidence that is a list', { ...answer, evidence: ['x'] }, ['evidence']],
    ['evidence without an answer', { evidence: { source: 'x' } }, ['consentStatus', 'noticeVersion']],
    ['a notice too long', { ...answer, noticeVersion: 'v'.repeat(201) }, ['noticeVersion']],
  ])('%s: 422', async (name, changes, paths) => {
    const before = { counts: await world.countRows(), ada: await row('ada') };
    const refused = await client.send(
      updateMember(shop, 'ada', `refused-${name.replaceAll(' ', '-')}`, changes),
    );
    expect(refused).toMatchObject({ status: 422, code: 'validation_failed' });
    const details = (refused.body.error as { details?: { path: string }[] }).details ?? [];
    expect(details.map(({ path }) => path)).toEqual(paths);
    expect({ counts: await world.countRows(), ada: await row('ada') }).toEqual(before);
  });

  test('no key, no scope, nobody, and another environment', async () => {
    const foreign = await world.environment();
    const reading = { ...shop, ...(await world.key(shop.id, ['members:read', 'events:write'])) };
    const before = { counts: await world.countRows(), ada: await row('ada') };
    const changes = { displayName: 'Never' };
    const noKey = await client.send(rest(shop, 'PATCH', '/members/ada', changes));
    expect(noKey).toMatchObject({ status: 400, code: 'idempotency_key_required' });
    const noScope = await client.send(updateMember(reading, 'ada', 'k', changes));
    expect(noScope).toMatchObject({ status: 403, code: 'insufficient_scope' });
    for (const sent of [updateMember(shop, 'nobody', 'k'), updateMember(foreign, 'ada', 'k')]) {
      const answered = await client.send(sent);
      expect(answered).toMatchObject({ status: 404, code: 'member_not_found' });
    }
    expect({ counts: await world.countRows(), ada: await row('ada') }).toEqual(before);
  });

  test('the name that it has: 200, and only the key is kept', async () => {
    await client.send(updateMember(shop, 'ada', 'given', { displayName: 'Ada' }));
    const before = [await world.countRows(), await row('ada')] as const;
    const same = await client.send(updateMember(shop, 'ada', 'given-again', { displayName: 'Ada' }));
    expect(same).toMatchObject({ status: 200, replayed: false });
    const { idempotency_keys: keys = 0, ...others } = before[0];
    expect({ countRows: await world.countRows(), row: await row('ada') }).toEqual({
      countRows: { ...others, idempotency_keys: keys + 1 },
      row: before[1],
    });
  });

  const row = async (customer: string): Promise<unknown> =>
    (
      await database.adminPool.query(
        'select m, m.xmin from members m where environment_id = $1 and external_customer_id = $2',
        [shop.id, customer],
      )
    ).rows;
});
