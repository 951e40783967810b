import { expect, test } from '@jest/globals';
import { auditCampaignAwards } from '../../../simulator/auditor/campaign-awards.ts';
import { ChangedRows } from '../../../simulator/auditor/changed-rows.ts';
import type { CampaignAwardRecord } from '../../../src/ledger/tables/campaign-awards.ts';
import { counter, type Desk, receiptOf } from '../../support/commands/desk.ts';

/** A purchase to which one campaign gave 5 points, and from which another one was withheld. */
function desk(): Desk {
  const always = { match: 'all' as const, conditions: [], award: { bonusPoints: 5 } };
  const made = counter({
    campaigns: [
      { id: 'spring', ...always },
      { id: 'trial', ...always, holdout: { percent: 100, salt: 'a' } },
    ],
  });
  receiptOf(made.earn());
  return made;
}

function audit({ store: { tables } }: Desk): void {
  auditCampaignAwards(tables, new ChangedRows(tables), new Set(tables.transactions.keys()));
}

test('what the service records passes', () => {
  const made = desk();
  expect([...made.store.tables.campaignAwards.values()]).toMatchObject([
    { campaignId: 'spring', points: 5, heldOut: false },
    { campaignId: 'trial', points: 0, heldOut: true },
  ]);
  audit(made);
});

test.each<[string, Partial<CampaignAwardRecord>]>([
  ['points', { points: 4 }],
  ['the award', { earnedPoints: 1_000 }],
  ['the amount', { amountMinor: 1 }],
  ['that it was withheld', { heldOut: true }],
  ['whose it is', { memberId: 'another' }],
])('it finds another value of %s', (_what, changes) => {
  const made = desk();
  const [key, row] = [...made.store.tables.campaignAwards][0] ?? ['', null];
  if (!row) throw new Error('nothing is recorded');
  made.store.tables.campaignAwards.set(key, { ...row, ...changes });
  expect(() => audit(made)).toThrow('what a campaign gave or withheld is recorded');
});

test('it finds what is missing, and what is too much', () => {
  const missing = desk();
  const [key = ''] = missing.store.tables.campaignAwards.keys();
  missing.store.tables.campaignAwards.delete(key);
  expect(() => audit(missing)).toThrow('what a campaign gave or withheld is recorded');
  const more = desk();
  const [row] = more.store.tables.campaignAwards.values();
  if (!row) throw new Error('nothing is recorded');
  more.store.tables.campaignAwards.set('more', { ...row, campaignId: 'more' });
  expect(() => audit(more)).toThrow('stands in the receipt');
});
