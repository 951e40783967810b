import { expect, test } from '@jest/globals';
import { EVENT_TYPES } from '../../../src/contract/generated/webhook-events.ts';
import type { EventType } from '../../../src/ledger/tables/transactions.ts';
import { checkDocument } from '../../../src/programs/checks/check-document.ts';
import { program } from '../../support/rules/fixtures.ts';

/** The compiler refuses this where a type of the ledger is missing. */
const OF_LEDGER: Readonly<Record<EventType, true>> = {
  'purchase.completed': true,
  'order.returned': true,
  'challenge.awarded': true,
  'referral.awarded': true,
  'points.activated': true,
  'points.expired': true,
  'redemption.reserved': true,
  'redemption.committed': true,
  'redemption.released': true,
  'redemption.expired': true,
  'redemption.reversed': true,
  'adjustment.posted': true,
  'adjustment.reversed': true,
  'exchange.settled': true,
  'exchange.reversed': true,
  'member.merged': true,
  'member.unmerged': true,
};

test.each([...new Set([...Object.keys(OF_LEDGER), ...EVENT_TYPES, 'webhook.test'])])(
  '%s cannot be the type of an engagement event',
  (type) => {
    const problems = checkDocument(program({ eventDefinitions: [{ type }] }));
    expect(problems.map(({ path }) => path)).toEqual([['eventDefinitions', 0, 'type']]);
  },
);

test('another type can', () => {
  expect(checkDocument(program({ eventDefinitions: [{ type: 'member.birthday' }] }))).toEqual([]);
});
