import { expect, test } from '@jest/globals';
import { MAX_LOTS } from '../../../src/commands/members/merge-profiles.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { codeOf, receiptOf } from '../../support/commands/desk.ts';
import { fixture } from '../../support/fixture.ts';
import { requestedMerge, requestedUnmerge } from '../../support/ledger/merges.ts';
import { useCounter, useWriter } from '../../support/ledger/use-counter.ts';

const counter = useCounter();
const writer = useWriter(counter, { maxWaiting: MAX_LOTS * 2 });
const shop = fixture('the shop', () => counter.environment());

/**
 * Does some work, and prints what it took of this process' processor, of which the command is nearly all, and by the
 * clock.
 */
async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const [cpu, begun] = [process.cpuUsage(), performance.now()];
  const result = await work();
  const { user, system } = process.cpuUsage(cpu);
  const milliseconds = [(user + system) / 1_000, performance.now() - begun].map(Math.round);
  process.stdout.write(`${name}: ${milliseconds[0]} ms of processor time, ${milliseconds[1]} ms in all\n`);
  return result;
}

test(`a merge of ${MAX_LOTS} lots and its undoing: each in one transaction, and every control passes`, async () => {
  await shop.addMembers(writer, ['ann', 'bob']);
  for (let bought = 0; bought < MAX_LOTS; bought += 500) {
    const outcomes = await Promise.all(
      Array.from({ length: 500 }, () => writer.submit(shop.earn('ann', { amountMinor: 1_000 }))),
    );
    expect(outcomes.filter((outcome) => isRefusal(outcome))).toEqual([]);
  }
  const approval = await requestedMerge(writer, shop, 'ann', 'bob');
  const merged = await timed(`Merge of ${MAX_LOTS} lots`, () => writer.submit(approval));
  expect(receiptOf(merged)).toMatchObject({ merge: { state: 'merged', programs: [{ lots: MAX_LOTS }] } });
  const undoing = await requestedUnmerge(writer, shop, 'ann', 'bob');
  expect(codeOf(await timed('Its undoing', () => writer.submit(undoing)))).toBe('done');
  expect(await counter.failedControls()).toEqual([]);
}, 600_000);
