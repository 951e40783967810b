import type { MemoryTables } from '../../src/ledger/memory/memory-tables.ts';
import { keyOf } from '../../src/ledger/tables/key-of.ts';
import type { TransactionRecord } from '../../src/ledger/tables/transactions.ts';
import { assertInvariant } from './broken-invariant.ts';
import type { ChangedRows } from './changed-rows.ts';

/** The part of a purchase's receipt that tells of campaigns. */
interface CampaignReceipt {
  campaigns: { campaignId: string; points: number }[];
  ruleDecisions: { kind: string; id: string; matched: boolean }[];
  evidence: { amountMinor: number };
}

/**
 * Checks what is recorded of campaigns: for each purchase what its receipt says that they gave, and which were
 * withheld.
 * @param transactions ids of those that were written
 */
export function auditCampaignAwards(
  tables: MemoryTables,
  changed: ChangedRows,
  transactions: ReadonlySet<string>,
): void {
  for (const id of transactions) {
    const transaction = tables.transactions.get(id);
    if (transaction?.eventType !== 'purchase.completed') continue;
    const { programId, memberId, points: earnedPoints } = transaction;
    const { amountMinor } = (transaction.receipt as CampaignReceipt).evidence;
    for (const [campaignId, { points, heldOut }] of awardsIn(transaction)) {
      const award = tables.campaignAwards.get(keyOf(id, campaignId));
      const expected = { programId, memberId, points, heldOut, earnedPoints, amountMinor };
      assertInvariant(
        award !== undefined &&
          Object.entries(expected).every(([name, value]) => award[name as keyof typeof expected] === value),
        'what a campaign gave or withheld is recorded as the receipt says',
        { campaignId, expected, found: award },
      );
    }
  }
  for (const [, row] of changed.take('campaignAwards')) {
    const transaction = tables.transactions.get(row.transactionId);
    assertInvariant(
      transaction !== undefined && awardsIn(transaction).has(row.campaignId),
      'what is recorded of a campaign stands in the receipt',
      row,
    );
  }
}

/** What a purchase's receipt says of campaigns, by their ids: what they gave, or whether they were withheld. */
function awardsIn({ receipt }: TransactionRecord): Map<string, { points: number; heldOut: boolean }> {
  const { campaigns, ruleDecisions } = receipt as CampaignReceipt;
  const awards = new Map<string, { points: number; heldOut: boolean }>();
  for (const { kind, id, matched } of ruleDecisions) {
    if (kind === 'campaign_holdout') awards.set(id, { points: 0, heldOut: matched });
  }
  for (const { campaignId, points } of campaigns) awards.set(campaignId, { points, heldOut: false });
  return awards;
}
