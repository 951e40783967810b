import { beforeAll, expect, test } from '@jest/globals';
import type { Command } from '../../../src/ledger/command.ts';
import { retryFor } from '../../../src/ledger/retry.ts';
import { codeOf } from '../../support/commands/desk.ts';
import { atEnd, fixture } from '../../support/fixture.ts';
import { useCounter, useWriter } from '../../support/ledger/use-counter.ts';

const counter = useCounter();
const writer = useWriter(counter);
const shop = fixture('the shop', () => counter.environment());

beforeAll(() => shop.addMembers(writer, ['ann', 'ben']));

atEnd(async () => expect(await counter.failedControls()).toEqual([]));

/** The command of a customer whose name has changed since it was looked up. */
function outdated(command: Command, again?: () => Promise<Command>): Command {
  return { ...command, decide: () => retryFor('owner_changed'), ...(again && { again }) };
}

test('a command whose owner has another name is made again, once', async () => {
  const present = shop.earn('ben', { idempotencyKey: 'changed' });
  const outcome = await writer.submit(outdated(shop.earn('ann'), async () => present));
  expect(codeOf(outcome)).toBe('done');
  expect(codeOf(await writer.submit(present))).toBe('replayed');
  let made = 0;
  const twice = outdated(shop.earn('ann'), async () => {
    made++;
    return outdated(shop.earn('ann'));
  });
  expect(codeOf(await writer.submit(twice))).toBe('overloaded');
  expect(made).toBe(1);
});

test('where it cannot be made again, the client is told to send it again', async () => {
  expect(await writer.submit(outdated(shop.earn('ann')))).toEqual({
    refused: true,
    code: 'overloaded',
    message:
      'The member was erased, or two accounts of it were parted, at this moment. ' +
      'Nothing was done for this request: send it again after Retry-After.',
  });
});

test('where making it again fails, its caller gets the failure, and nothing waits', async () => {
  const failing = outdated(shop.earn('ann'), () => Promise.reject(new Error('no database')));
  await expect(writer.submit(failing)).rejects.toThrow('no database');
  expect(writer.waiting).toBe(0);
});
