import { expect, test } from '@jest/globals';
import { failInterrupted, type RunningOperation, startOperation } from '../../src/operations/operation.ts';
import { fixture } from '../support/fixture.ts';
import { useCounter } from '../support/ledger/use-counter.ts';
import { until } from '../support/until.ts';

const counter = useCounter();
const shop = fixture('the shop', () => counter.environment());

const start = (): Promise<RunningOperation> =>
  startOperation(counter.database.adminPool, {
    environmentId: shop.id,
    type: 'simulation',
    total: null,
    input: {},
  });

async function read({ operationId }: RunningOperation): Promise<object> {
  return counter.value(
    `select json_build_object('status', status, 'done', progress_done, 'total', progress_total, 'result', result,
       'code', error ->> 'code', 'finished', finished_at is not null, 'leased', lease_until > clock_timestamp())
     from operations where id = $1`,
    [operationId],
  );
}

const expireLease = ({ operationId }: RunningOperation) =>
  counter.database.adminPool.query(
    `update operations set lease_until = clock_timestamp() - interval '1 second' where id = $1`,
    [operationId],
  );

test('an operation is running under a lease, with progress, until it ends', async () => {
  const operation = await start();
  const running = { status: 'running', result: null, code: null, finished: false, leased: true };
  expect(await read(operation)).toEqual({ ...running, done: 0, total: null });
  await operation.update(3, 9);
  expect(await read(operation)).toEqual({ ...running, done: 3, total: 9 });
  await failInterrupted(counter.database.adminPool);
  expect(await read(operation)).toMatchObject({ status: 'running' });
  await operation.finish({ done: null, result: { purchases: 9 }, error: null });
  expect(await read(operation)).toEqual({
    status: 'succeeded',
    done: 9,
    total: 9,
    result: { purchases: 9 },
    code: null,
    finished: true,
    leased: null,
  });
});

test('one whose lease has ended is failed as interrupted, by a server or by the next that starts', async () => {
  for (const notice of [() => failInterrupted(counter.database.adminPool), start]) {
    const killed = await start();
    await killed.update(3, 9);
    await expireLease(killed);
    await notice();
    const failed = { status: 'failed', done: 3, total: 9, code: 'interrupted', finished: true, leased: null };
    expect(await read(killed)).toEqual({ ...failed, result: null });
    await killed.finish({ done: null, result: {}, error: null });
  }
});

test('one that was only slow says in the end what became of it', async () => {
  const slow = await start();
  await expireLease(slow);
  await failInterrupted(counter.database.adminPool);
  await slow.finish({ done: 9, result: { purchases: 9 }, error: null });
  expect(await read(slow)).toMatchObject({ status: 'succeeded', code: null, result: { purchases: 9 } });
});

test('the lease is renewed while the process lives', async () => {
  const operation = await start();
  await counter.database.adminPool.query(
    `update operations set lease_until = clock_timestamp() + interval '8 seconds' where id = $1`,
    [operation.operationId],
  );
  const secondsLeft = (): Promise<number> =>
    counter.value(
      'select extract(epoch from lease_until - clock_timestamp())::float8 from operations where id = $1',
      [operation.operationId],
    );
  await until(async () => (await secondsLeft()) > 15, 'the lease is renewed');
  await operation.finish({ done: null, result: null, error: null });
});
