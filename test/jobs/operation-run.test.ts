import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fromTypeId } from '../../src/ids.ts';
import { startRun } from '../../src/jobs/operation-run.ts';
import { Counter } from '../support/ledger/counter.ts';

let counter: Counter;

beforeAll(async () => {
  counter = await Counter.open();
});

afterAll(() => counter.close());

test('a new run marks those of its type as killed that are running for more than a day, and no other', async () => {
  const { adminPool } = counter.database;
  const [shop, other] = [await counter.environment(), await counter.environment()];
  const started = async (environmentId: string, type: 'expiry_run' | 'tier_run', hoursAgo: number) => {
    const id = fromTypeId('op', (await startRun(adminPool, environmentId, type, 5)).requestId);
    await adminPool.query(
      'update operations set started_at = clock_timestamp() - make_interval(hours => $2) where id = $1',
      [id, hoursAgo],
    );
    return id;
  };
  const killed = await started(shop.id, 'expiry_run', 25);
  const running = [
    await started(other.id, 'expiry_run', 25),
    await started(shop.id, 'tier_run', 25),
    await started(shop.id, 'expiry_run', 23),
    fromTypeId('op', (await startRun(adminPool, shop.id, 'expiry_run', 5)).requestId),
  ];
  const { rows } = await adminPool.query(
    `select id, status, error ->> 'code' as code, finished_at is not null as finished from operations`,
  );
  expect(new Map(rows.map(({ id, ...rest }) => [id, rest]))).toEqual(
    new Map<unknown, object>([
      [killed, { status: 'failed', code: 'interrupted', finished: true }],
      ...running.map((id): [unknown, object] => [id, { status: 'running', code: null, finished: false }]),
    ]),
  );
});
