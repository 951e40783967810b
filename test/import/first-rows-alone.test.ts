import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { firstRowsAlone } from '../../src/import/first-rows-alone.ts';
import type { Outcome } from '../../src/ledger/command.ts';

/** Submits rows, whose first letter is their customer. Each waits until it is ended. */
function submitting() {
  const submitted: string[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const submit = firstRowsAlone(
    (row: string) => row.slice(0, 1),
    (row) => {
      submitted.push(row);
      return new Promise<Outcome>((resolve, reject) =>
        ends.push((error) => (error ? reject(error) : resolve({ receipt: { row }, idempotent: false }))),
      );
    },
  );
  return { submit, submitted, ends };
}

test('the rows of a customer wait for its first one, and those of others do not', async () => {
  const { submit, submitted, ends } = submitting();
  for (const row of ['a1', 'a2', 'a3', 'b1']) void submit(row);
  expect(submitted).toEqual(['a1', 'b1']);
  ends[0]?.();
  await turn();
  expect(submitted).toEqual(['a1', 'b1', 'a2', 'a3']);
});

test('a first row that breaks fails alone: the next one of the customer is submitted all the same', async () => {
  const { submit, submitted, ends } = submitting();
  const first = submit('a1');
  const second = submit('a2');
  ends[0]?.(new Error('the connection is lost'));
  await expect(first).rejects.toThrow('the connection is lost');
  await turn();
  expect(submitted).toEqual(['a1', 'a2']);
  ends[1]?.();
  expect(await second).toMatchObject({ receipt: { row: 'a2' } });
});
