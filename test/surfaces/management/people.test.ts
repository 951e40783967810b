import type { OutgoingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addPerson } from '../../../src/admin/people/add-person.ts';
import { giveRole, takeRole } from '../../../src/admin/people/change-role.ts';
import { makeSignInLink } from '../../../src/admin/people/sign-in-link.ts';
import { setPersonStatus } from '../../../src/admin/people/suspend-person.ts';
import { hashSecret } from '../../../src/auth/api-key.ts';
import type { RoleName } from '../../../src/contract/generated/roles.ts';
import { toTypeId } from '../../../src/ids.ts';
import { isRefusal } from '../../../src/refusal.ts';
import type { RunningServer } from '../../../src/server/process/http-server.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer } from '../../support/server.ts';
import { addMembers, Client, type Received } from '../../support/surfaces/client.ts';
import { createWorld, type TestEnvironment, type World } from '../../support/surfaces/world.ts';

let database: TestDatabase;
let world: World;
let server: RunningServer;
let client: Client;
let shop: TestEnvironment;
let people = 0;
let keys = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  world = createWorld(database);
  server = await startTestServer(database);
  client = new Client(server.url);
  shop = await world.environment();
  await addMembers(client, shop, ['ada']);
});

afterAll(async () => {
  client.close();
  await server.close();
  await world.administrator.prisma.$disconnect();
  await database.drop();
});

function granted<T extends object>(outcome: T): Exclude<T, { refused: true }> {
  if (isRefusal(outcome)) throw new Error(outcome.message);
  return outcome as Exclude<T, { refused: true }>;
}

async function person(roles: RoleName[] = [], environmentId: string | null = null, tenantId = shop.tenantId) {
  const email = `person-${++people}@shop.example`;
  const { personId } = granted(await addPerson(world.administrator, { tenantId, name: 'Grace', email }));
  for (const role of roles) granted(await giveRole(world.administrator, { personId, role, environmentId }));
  return personId;
}

const port = () => new URL(server.url).port;
const origin = () => `http://127.0.0.1:${port()}`;

/** What a page of this service sends. */
const ofPage = (): OutgoingHttpHeaders => ({
  host: `127.0.0.1:${port()}`,
  origin: origin(),
  'sec-fetch-site': 'same-origin',
  'x-rewards-console': '1',
  'content-type': 'application/json',
});

function open(token: string, headers: OutgoingHttpHeaders = {}): Promise<Received> {
  const all = without({ ...ofPage(), ...headers });
  return client.send({
    method: 'POST',
    path: '/sign-in/link',
    headers: all,
    body: JSON.stringify({ token }),
  });
}

function without(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
}

async function signIn(personId: string): Promise<string> {
  const { token } = granted(await makeSignInLink(world.administrator, personId));
  const answer = await open(token);
  expect(answer.status).toBe(200);
  return cookieOf(answer);
}

function cookieOf({ headers }: Received): string {
  const [cookie = ''] = headers['set-cookie'] ?? [];
  return cookie.split(';')[0] ?? '';
}

function send(
  cookie: string,
  path: string,
  headers: OutgoingHttpHeaders = {},
  body?: object,
): Promise<Received> {
  const all = without({ ...ofPage(), cookie, 'x-environment': shop.environmentId, ...headers });
  const sent = { method: body ? 'POST' : 'GET', path: `/api/v1${path}`, headers: all };
  return client.send(body ? { ...sent, body: JSON.stringify(body) } : sent);
}

const end = (cookie: string, headers: OutgoingHttpHeaders = {}, body: object = {}) =>
  send(cookie, '/session/end', { 'idempotency-key': `end-${++keys}`, ...headers }, body);

describe('a link', () => {
  test('signs in once, with a cookie that pages cannot read and other sites cannot send', async () => {
    const { token } = granted(await makeSignInLink(world.administrator, await person(['viewer'])));
    const answer = await open(token);
    expect({ status: answer.status, name: answer.body.name }).toEqual({ status: 200, name: 'Grace' });
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        new RegExp(`^rewards-${port()}=[\\w-]{43}; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict$`),
      ),
    ]);
    expect((await send(cookieOf(answer), '/members/ada')).status).toBe(200);
    const again = await open(token);
    expect({ status: again.status, cookie: again.headers['set-cookie'] }).toEqual({
      status: 401,
      cookie: undefined,
    });
  });

  test('is refused after 15 minutes, for a person that is suspended meanwhile, and where it was never one', async () => {
    const old = granted(await makeSignInLink(world.administrator, await person()));
    await database.adminPool.query(`update sign_in_links set expires_at = now() where token_hash = $1`, [
      hashSecret(old.token),
    ]);
    const suspended = await person();
    const late = granted(await makeSignInLink(world.administrator, suspended));
    granted(await setPersonStatus(world.administrator, suspended, 'suspended'));
    const texts = new Set<string>();
    for (const token of [old.token, late.token, 'x'.repeat(43)]) {
      const answer = await open(token);
      expect(answer).toMatchObject({ status: 401, code: 'unauthorized' });
      texts.add(String(answer.body.error?.message));
    }
    expect(texts.size).toBe(1);
    expect(await makeSignInLink(world.administrator, suspended)).toMatchObject({ code: 'person_suspended' });
  });

  test('begins one session where two browsers open it at the same moment', async () => {
    const { token } = granted(await makeSignInLink(world.administrator, await person()));
    const answers = await Promise.all(Array.from({ length: 8 }, () => open(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('ends the session that the browser had: nobody can plant one', async () => {
    const planted = await signIn(await person(['viewer']));
    const { token } = granted(await makeSignInLink(world.administrator, await person(['viewer'])));
    const fresh = cookieOf(await open(token, { cookie: planted }));
    expect(fresh).not.toBe(planted);
    expect((await send(planted, '/members/ada')).status).toBe(401);
    expect((await send(fresh, '/members/ada')).status).toBe(200);
  });

  test('that works is not refused because others at the address have failed', async () => {
    const other = await startTestServer(database);
    const own = new Client(other.url);
    const headers = { ...ofPage(), host: new URL(other.url).host, origin: other.url };
    const tries = (token: string) =>
      own.send({ method: 'POST', path: '/sign-in/link', headers, body: JSON.stringify({ token }) });
    try {
      const failed: string[] = [];
      for (let nth = 0; nth < 12; nth++) failed.push(`${(await tries(`wrong-${nth}`)).status}`);
      expect(failed).toEqual([...Array(10).fill('401'), '429', '429']);
      const { token } = granted(await makeSignInLink(world.administrator, await person()));
      expect((await tries(token)).status).toBe(200);
    } finally {
      own.close();
      await other.close();
    }
  });

  test('has a page that sends the token on a click alone, and may load nothing', async () => {
    const page = await client.send({ method: 'GET', path: '/sign-in/link', headers: {} });
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(String(page.headers['content-security-policy'])).toMatch(
      /^default-src 'none'; .*connect-src 'self'/,
    );
  });
});

describe('a session', () => {
  test('may do what the roles of its person say, in the environment that it names', async () => {
    const sibling = await world.environment('production', shop.tenantId);
    const stranger = await world.environment();
    const cookie = await signIn(await person(['support'], shop.id));
    const statuses = async (path: string, headers: OutgoingHttpHeaders) => {
      const { status, code } = await send(cookie, path, headers);
      return `${status} ${code}`;
    };
    expect(await statuses('/members/ada', {})).toBe('200 null');
    expect(await statuses('/webhook-endpoints', {})).toBe('200 null');
    expect(await statuses('/members/ada', { 'x-environment': sibling.environmentId })).toBe(
      '403 insufficient_scope',
    );
    expect(await statuses('/members/ada', { 'x-environment': stranger.environmentId })).toBe(
      '401 unauthorized',
    );
    expect(await statuses('/members/ada', { 'x-environment': 'env_x' })).toBe('401 unauthorized');
    expect(await statuses('/members/ada', { 'x-environment': undefined })).toBe('401 unauthorized');
    const tagged = await send(
      cookie,
      '/lists/vip/members',
      { 'idempotency-key': 'vip' },
      { externalCustomerIds: ['ada'] },
    );
    expect(tagged.status).toBe(200);
    const published = await client.send({
      ...{
        method: 'POST',
        path: '/api/v1/programs/coffee-club/versions?dryRun=true',
        body: 'id: coffee-club',
      },
      headers: {
        ...ofPage(),
        cookie,
        'x-environment': shop.environmentId,
        'content-type': 'application/yaml',
      },
    });
    expect(published).toMatchObject({ status: 403, code: 'insufficient_scope' });
    const { rows } = await database.adminPool.query(
      `select distinct actor_type, left(actor_id, 4) as actor from audit_events where environment_id = $1 and actor_type = 'person'`,
      [shop.id],
    );
    expect(rows).toEqual([{ actor_type: 'person', actor: 'prs_' }]);
  });

  test('has what an administrator has in Sandbox, but in Production no purchases by hand', async () => {
    const production = await world.environment('production', shop.tenantId);
    const cookie = await signIn(await person(['admin']));
    const { body } = await send(cookie, '/session', { 'x-environment': undefined });
    const { environments } = body.person as { environments: { environmentId: string; scopes: string[] }[] };
    const scopesOf = (id: string) =>
      environments.find(({ environmentId }) => environmentId === id)?.scopes ?? [];
    expect(scopesOf(shop.environmentId)).toEqual(
      expect.arrayContaining(['events:write', 'programs:publish']),
    );
    expect(scopesOf(production.environmentId)).toEqual(expect.arrayContaining(['programs:publish']));
    expect(scopesOf(production.environmentId)).not.toContain('events:write');
    expect(scopesOf(production.environmentId)).not.toContain('widgets:session');
  });

  test('loses a role, and ends with a suspension, at the next request', async () => {
    const personId = await person(['viewer'], shop.id);
    const cookie = await signIn(personId);
    const taken = { personId, role: 'viewer', environmentId: shop.id } as const;
    expect(granted(await takeRole(world.administrator, taken))).toEqual({ changed: true });
    expect((await send(cookie, '/members/ada')).code).toBe('insufficient_scope');
    expect(granted(await giveRole(world.administrator, taken))).toEqual({ changed: true });
    expect((await send(cookie, '/members/ada')).status).toBe(200);
    expect(granted(await setPersonStatus(world.administrator, personId, 'suspended'))).toMatchObject({
      sessions: 1,
    });
    expect((await send(cookie, '/members/ada')).code).toBe('unauthorized');
    granted(await setPersonStatus(world.administrator, personId, 'active'));
    expect((await send(cookie, '/members/ada')).code).toBe('unauthorized');
  });

  test.each([
    ['after 30 minutes without use', `last_used_at = now() - interval '30 minutes'`],
    ['after 12 hours', 'expires_at = now()'],
  ])('ends %s', async (_when, change) => {
    const personId = await person(['viewer']);
    const cookie = await signIn(personId);
    await database.adminPool.query(`update person_sessions set ${change} where person_id = $1`, [personId]);
    expect((await send(cookie, '/members/ada')).code).toBe('unauthorized');
    expect((await send(cookie, '/session')).code).toBe('unauthorized');
  });

  test('is kept by uses, but not by those in the background', async () => {
    const personId = await person(['viewer']);
    const cookie = await signIn(personId);
    const age = () =>
      world.count(
        `select extract(epoch from now() - last_used_at)::integer from person_sessions where person_id = $1`,
        [personId],
      );
    await database.adminPool.query(
      `update person_sessions set last_used_at = now() - interval '20 minutes' where person_id = $1`,
      [personId],
    );
    await send(cookie, '/members/ada', { 'x-rewards-background': '1' });
    expect(await age()).toBeGreaterThan(1_000);
    await send(cookie, '/members/ada');
    expect(await age()).toBeLessThan(60);
  });

  test('is listed and ended by its person alone', async () => {
    const personId = await person(['viewer']);
    const [one, two] = [await signIn(personId), await signIn(personId)];
    const stranger = await signIn(await person(['viewer']));
    const listed = (await send(one, '/sessions')).body.data as unknown as { id: string; current: boolean }[];
    expect(listed.map(({ current }) => current).sort()).toEqual([false, true]);
    const other = listed.find(({ current }) => !current)?.id;
    expect((await end(stranger, {}, { sessionId: other })).code).toBe('session_not_found');
    expect((await end(one, {}, { sessionId: 'ses_x' })).code).toBe('session_not_found');
    expect((await end(one, {}, { sessionId: other })).status).toBe(200);
    expect((await send(two, '/members/ada')).code).toBe('unauthorized');
    expect((await end(one)).status).toBe(200);
    expect((await send(one, '/members/ada')).code).toBe('unauthorized');
  });
});

describe('a request that no page of this service made', () => {
  test('changes nothing, and reads nothing from another site', async () => {
    const cookie = await signIn(await person(['admin']));
    const attacks: Record<string, OutgoingHttpHeaders> = {
      'of a form': { 'x-rewards-console': undefined },
      'of another origin': { origin: 'https://evil.example' },
      'of a sandboxed frame': { origin: 'null' },
      'without an origin': { origin: undefined },
      'of another site': { 'sec-fetch-site': 'cross-site' },
      'of a neighbouring host': { 'sec-fetch-site': 'same-site' },
      'under another name of this machine': { host: 'rebound.example' },
    };
    const before = await world.countRows();
    for (const [what, headers] of Object.entries(attacks)) {
      const body = { externalCustomerIds: ['ada'] };
      const answer = await send(
        cookie,
        '/lists/stolen/members',
        { 'idempotency-key': what.replaceAll(' ', '-'), ...headers },
        body,
      );
      expect({ what, status: answer.status, code: answer.code }).toEqual({
        what,
        status: 403,
        code: 'cross_site_request',
      });
    }
    expect(await world.countRows()).toEqual(before);
    for (const site of ['cross-site', 'same-site']) {
      expect((await send(cookie, '/members/ada', { 'sec-fetch-site': site })).code).toBe(
        'cross_site_request',
      );
    }
    expect(
      (await send(cookie, '/members/ada', { origin: undefined, 'x-rewards-console': undefined })).status,
    ).toBe(200);
    const { token } = granted(await makeSignInLink(world.administrator, await person()));
    expect((await open(token, { origin: 'https://evil.example' })).code).toBe('cross_site_request');
    expect((await open(token)).status).toBe(200);
  });

  test('has one session, and no key beside it', async () => {
    const cookie = await signIn(await person(['viewer']));
    const twice = await send(`${cookie}; ${cookie}`, '/members/ada');
    const both = await send(cookie, '/members/ada', { authorization: `Bearer ${shop.key}` });
    const forged = await send(`rewards-${port()}=${'A'.repeat(43)}`, '/members/ada');
    const foreign = await send(cookie.replace(`rewards-${port()}`, 'rewards-1'), '/members/ada');
    expect([twice, both, forged, foreign].map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });

  test('is not let in by a session where it opens sessions of widgets, or in GraphQL', async () => {
    const cookie = await signIn(await person(['admin']));
    const widget = await send(
      cookie,
      '/widgets/wdg_01jz8jt5wkejgb6x5n9q2r4s7t/sessions',
      {},
      { externalCustomerId: 'ada', origin: 'https://shop.example' },
    );
    expect(widget.status).toBe(401);
    const query = JSON.stringify({ query: '{ transactions { data { id } } }' });
    const headers = { ...ofPage(), cookie, 'x-environment': shop.environmentId };
    const graphql = await client.send({ method: 'POST', path: '/api/graphql', headers, body: query });
    expect(graphql.code).toBe('unauthorized');
  });
});

describe('the trail of a tenant', () => {
  test('says who was added, given a role, signed in and out, and names nobody', async () => {
    const tenantId = await world.tenant();
    const environment = await world.environment('sandbox', tenantId);
    const personId = await person(['viewer'], environment.id, tenantId);
    const cookie = await signIn(personId);
    await end(cookie, { 'x-environment': undefined });
    granted(await setPersonStatus(world.administrator, personId, 'suspended'));
    const { rows } = await database.adminPool.query<{ action: string; by: string; text: string }>(
      `select action, actor_type || ' ' || actor_id as by, row_to_json(e)::text as text
       from tenant_audit_events e where tenant_id = $1 order by at, id`,
      [tenantId],
    );
    const who = `person ${toTypeId('prs', personId)}`;
    expect(rows.map(({ action, by }) => `${action} by ${by}`)).toEqual([
      'person.added by operator tests',
      'role.given by operator tests',
      'sign_in_link.made by operator tests',
      `session.begun by ${who}`,
      `session.ended by ${who}`,
      'person.suspended by operator tests',
    ]);
    for (const { text } of rows) expect(text).not.toMatch(/Grace|shop\.example/);
  });
});

test('there are no sessions where the service has no origin of its own', async () => {
  const bare = await startTestServer(database, { host: '0.0.0.0' });
  const own = new Client(bare.url.replace('0.0.0.0', '127.0.0.1'));
  try {
    const headers = { ...ofPage(), host: `127.0.0.1:${new URL(bare.url).port}` };
    const page = await own.send({ method: 'GET', path: '/sign-in/link', headers });
    const post = await own.send({ method: 'POST', path: '/sign-in/link', headers, body: '{"token":"x"}' });
    expect([page.status, post.status]).toEqual([404, 404]);
  } finally {
    own.close();
    await bare.close();
  }
});
