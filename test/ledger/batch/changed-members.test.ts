import { beforeAll, expect, test } from '@jest/globals';
import { setMemberStatus } from '../../../src/commands/members/set-member-status.ts';
import type { Writer } from '../../../src/ledger/batch/writer.ts';
import type { Command, Outcome } from '../../../src/ledger/command.ts';
import { codeOf } from '../../support/commands/desk.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { useCounter } from '../../support/ledger/use-counter.ts';
import { untilWaiting, whileOpen as whileOpenOf } from '../../support/ledger/while-open.ts';

/** Two writers that share nothing but the database, as in two processes. */
let one: Writer;
let two: Writer;

const counter = useCounter();

beforeAll(() => {
  [one, two] = [counter.writer(), counter.writer()];
});

const whileOpen = (first: Command, second: Command): Promise<[Outcome, Outcome]> =>
  whileOpenOf(counter, [one, two], first, second);

function balanceOf(shop: Shop, customer: string): Promise<number> {
  return counter.value(
    `select available from program_profiles p join members m on (m.environment_id, m.id) = (p.environment_id, p.member_id)
     where m.environment_id = $1 and m.external_customer_id = $2`,
    [shop.id, customer],
  );
}

test('a purchase that waits for a withdrawal sees it: nothing is earned after it', async () => {
  const shop = await counter.environment();
  await shop.addMembers(one, ['ann']);
  const [withdrawn, bought] = await whileOpen(shop.answer('ann', 'opted_out'), shop.earn('ann'));
  expect([withdrawn, bought].map(codeOf)).toEqual(['done', 'member_not_found']);
  expect(await balanceOf(shop, 'ann')).toBe(0);
});

test('so it is with a suspension', async () => {
  const shop = await counter.environment();
  await shop.addMembers(one, ['ann']);
  const suspended = { ...setMemberStatus('ann', 'suspended', shop.caller), idempotencyKey: 'held' };
  const [done, bought] = await whileOpen(suspended, shop.earn('ann'));
  expect([done, bought].map(codeOf)).toEqual(['done', 'member_not_found']);
  expect(await balanceOf(shop, 'ann')).toBe(0);
});

test('a withdrawal that waits for a purchase comes after it: the points are earned and kept', async () => {
  const shop = await counter.environment();
  await shop.addMembers(one, ['ann']);
  const outcomes = await whileOpen(shop.earn('ann'), shop.answer('ann', 'opted_out'));
  expect(outcomes.map(codeOf)).toEqual(['done', 'done']);
  expect(await balanceOf(shop, 'ann')).toBe(100);
});

test('two changes of a member without any profile: neither is lost', async () => {
  const shop = await counter.environment();
  await one.submit(shop.createMember('bob'));
  const outcomes = await whileOpen(
    shop.update('bob', { displayName: 'Bob' }),
    shop.answer('bob', 'opted_out'),
  );
  expect(outcomes.map(codeOf)).toEqual(['done', 'done']);
  expect(
    await counter.value(
      `select display_name || ' ' || consent_status from members where environment_id = $1`,
      [shop.id],
    ),
  ).toBe('Bob withdrawn');
});

test('tags that an operator sets meanwhile stay', async () => {
  const shop = await counter.environment();
  await one.submit(shop.createMember('bob'));
  const holder = await counter.database.adminPool.connect();
  await holder.query('begin');
  await holder.query(`update members set tags = '{vip}' where environment_id = $1`, [shop.id]);
  const renamed = one.submit(shop.update('bob', { displayName: 'Bob' }));
  await untilWaiting(counter, 1);
  await holder.query('commit');
  holder.release();
  expect(codeOf(await renamed)).toBe('done');
  expect(await counter.value(`select tags from members where environment_id = $1`, [shop.id])).toEqual([
    'vip',
  ]);
});

test('in one batch too, a command sees what the one before it made of the member', async () => {
  const shop = await counter.environment();
  await shop.addMembers(one, ['ann']);
  const writer = counter.writer({ lanes: 1 });
  const outcomes = await Promise.all(
    [
      shop.earn('ann'),
      shop.answer('ann', 'opted_out'),
      shop.earn('ann'),
      shop.answer('ann', 'opted_in'),
      shop.earn('ann'),
    ].map((command) => writer.submit(command)),
  );
  expect(outcomes.map(codeOf)).toEqual(['done', 'done', 'member_not_found', 'done', 'done']);
});

test('raced over two processes: no purchase is dated within a withdrawal, and nothing deadlocks', async () => {
  const shop = await counter.environment();
  const ids = Array.from({ length: 20 }, (_, index) => `m${index}`);
  await shop.addMembers(one, ids);
  const tally = new Map<string, number>();
  const submit = async (writer: Writer, command: Command): Promise<void> => {
    const name = `${command.operation} ${codeOf(await writer.submit(command))}`;
    tally.set(name, (tally.get(name) ?? 0) + 1);
  };
  for (let round = 0; round < 25; round++) {
    await Promise.all(
      ids.flatMap((id, index) => {
        const [left, right] = (round + index) % 2 ? [one, two] : [two, one];
        const earn = (): Promise<void> => submit(left, shop.earn(id));
        const answer = (): Promise<void> =>
          submit(right, shop.answer(id, round % 2 ? 'opted_in' : 'opted_out'));
        return index % 4 < 2 ? [earn(), answer()] : [answer(), earn()];
      }),
    );
  }
  expect([...tally.keys()].sort()).toEqual([
    'purchaseEarn done',
    'purchaseEarn member_not_found',
    'updateMember done',
  ]);
  for (const count of tally.values()) expect(count).toBeGreaterThan(50);
  expect(
    await counter.value(
      `select count(*) from transactions t
       where t.environment_id = $1 and (
         select c.status from consent_records c
         where c.environment_id = t.environment_id and c.member_id = t.member_id and c.program_id is null
           and c.at < t.created_at
         order by c.at desc, c.id desc limit 1
       ) = 'withdrawn'`,
      [shop.id],
    ),
  ).toBe(0);
  expect(await counter.failedControls()).toEqual([]);
});
