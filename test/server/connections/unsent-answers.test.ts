import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { UnsentAnswers } from '../../../src/server/connections/unsent-answers.ts';

/** Answers of so many bytes that nobody reads, under a limit of 64, with the names of those that were cut off. */
function unread() {
  const cutOff: string[] = [];
  const unsent = new UnsentAnswers({
    limitBytes: 64,
    ownerOf: (request) => {
      const [environmentId = '', credential = ''] = String(request.url).split('/');
      return environmentId === 'nobody'
        ? { credential, environmentId: null }
        : { credential: `${environmentId} ${credential}`, environmentId };
    },
    onCutOff: () => undefined,
  });
  const note = (owner: string, bytes: number): void => {
    const socket = { destroy: () => cutOff.push(`${owner} ${bytes}`) };
    const req = { url: owner, socket } as unknown as IncomingMessage;
    unsent.note({ req, writableLength: bytes } as ServerResponse);
  };
  return { cutOff, note };
}

test('many answers of one environment do not cost another one its larger one', () => {
  const { cutOff, note } = unread();
  for (let times = 0; times < 8; times++) note(`large/${times % 2}`, 4);
  for (let times = 0; times < 6; times++) note(`other/${times % 2}`, 4);
  note('small/a', 12);
  expect(cutOff).toEqual(['large/0 4']);
});

test('of one environment the key that owes most is cut off, and of a key its largest answer', () => {
  const { cutOff, note } = unread();
  for (const bytes of [3, 5, 4, 4]) note('one/a', bytes);
  note('one/b', 14);
  expect(cutOff).toEqual([]);
  note('one/c', 6);
  expect(cutOff).toEqual(['one/a 5']);
});

test('an address without a key is a debtor of its own', () => {
  const { cutOff, note } = unread();
  for (const address of ['x', 'y', 'z']) for (let times = 0; times < 4; times++) note(`nobody/${address}`, 4);
  note('small/a', 10);
  expect(cutOff).toEqual([]);
  note('small/b', 8);
  expect(cutOff).toEqual(['small/a 10']);
});

test('one answer alone is never cut off', () => {
  const { cutOff, note } = unread();
  note('one/a', 100);
  expect(cutOff).toEqual([]);
});
