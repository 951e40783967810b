import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Scope } from '../../../src/auth/scopes.ts';
import type { RunningServer } from '../../../src/server/process/http-server.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer } from '../../support/server.ts';
import { Client, type Received, rest } from '../../support/surfaces/client.ts';
import { createWorld, programId, type TestEnvironment, type World } from '../../support/surfaces/world.ts';

let database: TestDatabase;
let world: World;
let server: RunningServer;
let client: Client;
let keys = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  world = createWorld(database);
  server = await startTestServer(database);
  client = new Client(server.url);
});

afterAll(async () => {
  client.close();
  await server.close();
  await world.administrator.prisma.$disconnect();
  await database.drop();
});

const POOL = '  - { code: SUMMER, award: { bonusPoints: 100 }, pool: {} }';

async function shopWithPool(kind: 'sandbox' | 'production' = 'sandbox'): Promise<TestEnvironment> {
  const shop = await world.environment(kind);
  await world.publish(shop.id, (yaml) => yaml.replace(/^coupons:.*$/m, (line) => `${line}\n${POOL}`));
  return shop;
}

interface Asked {
  key?: string;
  pool?: string;
  program?: string;
}

function generate(
  shop: TestEnvironment,
  body: object = { count: 50, pattern: 'SUMMER-########' },
  { key = `codes-${++keys}`, pool = 'SUMMER', program = programId }: Asked = {},
): Promise<Received> {
  return client.send(rest(shop, 'POST', `/programs/${program}/code-pools/${pool}/generate`, body, key));
}

const pools = (shop: TestEnvironment, program = programId) =>
  client.send(rest(shop, 'GET', `/programs/${program}/code-pools`));
const codesOf = ({ body }: Received) => body.codes as string[] | null;

describe('codes', () => {
  test('are made, counted, and are codes that can be looked up', async () => {
    const shop = await shopWithPool();
    const empty = { poolId: 'SUMMER', codes: 0, used: 0, uses: 0, assigned: 0, disabled: 0 };
    expect((await pools(shop)).body.pools).toContainEqual(empty);
    const made = await generate(shop);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ programId, poolId: 'SUMMER', count: 50, poolCodes: 50 });
    const codes = codesOf(made) ?? [];
    expect(new Set(codes).size).toBe(50);
    for (const code of codes) expect(code).toMatch(/^SUMMER-[0-9A-HJKMNP-TV-Z]{8}$/);
    const found = await client.send(
      rest(shop, 'POST', '/coupon-codes/lookup', { programId, code: codes.at(-1) }),
    );
    expect(found.body.couponCode).toMatchObject({ poolId: 'SUMMER', state: 'open' });
    expect((await generate(shop)).body.poolCodes).toBe(100);
    expect((await pools(shop)).body.pools).toContainEqual({ ...empty, codes: 100 });
    const { rows } = await database.adminPool.query(
      `select actor_type, actor_id, request_id, changes from audit_events
       where environment_id = $1 and action = 'coupon_codes.generated' order by id limit 1`,
      [shop.id],
    );
    const changes = { programId, codes: 50 };
    const { requestId } = made.body;
    expect(rows).toEqual([{ actor_type: 'api_key', actor_id: 'tests', request_id: requestId, changes }]);
    expect(await world.failedControls()).toEqual([]);
  });

  test('are shown once, and stand nowhere in the database', async () => {
    const shop = await shopWithPool();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => generate(shop, undefined, { key: 'once' })),
    );
    const fresh = answers.filter(({ replayed }) => !replayed);
    expect(fresh).toHaveLength(1);
    const repeated = answers.filter(({ replayed }) => replayed);
    expect(repeated.map((one) => [one.status, codesOf(one), one.body.count])).toEqual(
      Array(7).fill([200, null, 50]),
    );
    const [code = ''] = codesOf(fresh[0] as Received) ?? [];
    const { rows: tables } = await database.adminPool.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public'`,
    );
    for (const { name } of tables) {
      const told = await world.count(
        `select count(*)::integer from "${name}" t where strpos(t::text, $1) > 0 or strpos(t::text, $2) > 0`,
        [code, code.replace('-', '')],
      );
      expect({ name, told }).toEqual({ name, told: 0 });
    }
    const other = await generate(shop, { count: 49, pattern: 'SUMMER-########' }, { key: 'once' });
    expect(`${other.status} ${other.code}`).toBe('409 idempotency_key_reused');
  });

  test('of requests at once are never more than the pattern allows', async () => {
    const shop = await shopWithPool();
    // Four random characters make 2^20 codes, of which a pool may have 32: a guess in 2^15 is one.
    const body = { count: 20, pattern: 'SU-#####' };
    const answers = await Promise.all(Array.from({ length: 4 }, () => generate(shop, body)));
    expect(answers.map(({ status, code }) => `${status} ${code}`).sort()).toEqual([
      '201 null',
      ...Array(3).fill('422 too_few_random_characters'),
    ]);
    expect((await pools(shop)).body.pools).toContainEqual(
      expect.objectContaining({ poolId: 'SUMMER', codes: 20 }),
    );
  });
});

describe('making codes is refused', () => {
  test('without both scopes, pool, program or valid input, and while Production is locked', async () => {
    const shop = await shopWithPool('production');
    const as = async (...scopes: Scope[]) => ({ ...shop, ...(await world.key(shop.id, scopes)) });
    const codes = async (...sent: Promise<Received>[]) =>
      (await Promise.all(sent)).map(({ status, code }) => `${status} ${code}`);
    const [writer, reader] = [await as('codes:write'), await as('codes:reveal')];
    expect(await codes(generate(writer), generate(reader), pools(reader))).toEqual(
      Array(3).fill('403 insufficient_scope'),
    );
    expect(await codes(generate(shop, undefined, { pool: 'WINTER' }))).toEqual(['404 pool_not_found']);
    expect(await codes(generate(shop, undefined, { program: 'tea-club' }), pools(shop, 'tea-club'))).toEqual(
      Array(2).fill('404 program_not_found'),
    );
    expect(
      await codes(
        generate(shop, { count: 5, pattern: 'SUMMER' }),
        generate(shop, { count: 0, pattern: 'SUMMER-########' }),
        generate(shop, { count: 10_001, pattern: 'SUMMER-########' }),
        generate(shop, { count: 5 }),
      ),
    ).toEqual(Array(4).fill('422 validation_failed'));
    const other = await world.environment();
    expect((await generate({ ...shop, environmentId: other.environmentId })).status).toBe(401);
    await world.lock(shop.id, true);
    expect(await codes(generate(shop))).toEqual(['409 production_locked']);
    expect((await pools(await as('codes:write'))).status).toBe(200);
    expect(
      await world.count('select count(*)::integer from coupon_codes where environment_id = $1', [shop.id]),
    ).toBe(0);
  });

  test('where there is no login for management', async () => {
    const bare = await startTestServer({ serverUrl: database.serverUrl });
    const own = new Client(bare.url);
    const shop = await shopWithPool();
    try {
      const path = `/programs/${programId}/code-pools/SUMMER/generate`;
      const { code } = await own.send(rest(shop, 'POST', path, { count: 1, pattern: 'S-########' }, 'none'));
      expect(code).toBe('management_unavailable');
    } finally {
      own.close();
      await bare.close();
    }
  });
});
