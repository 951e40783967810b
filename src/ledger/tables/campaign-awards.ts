import { OF_MEMBERS } from './handling.ts';
import { insertedTable } from './table.ts';

/** What a campaign gave to a purchase, or that it was withheld from its member. */
export interface CampaignAwardRecord {
  programId: string;
  campaignId: string;
  memberId: string;
  transactionId: string;
  heldOut: boolean;
  /** What the campaign gave; 0 where it was withheld, or its caps or another campaign left nothing. */
  points: number;
  /** What the purchase earned in all. */
  earnedPoints: number;
  amountMinor: number;
}

export const campaignAwards = insertedTable<CampaignAwardRecord, never>({
  name: 'campaign_awards',
  handling: {
    owner: { through: 'transactions', on: 'campaign_awards.transaction_id = transactions.id' },
    exported: { ids: { member_id: 'mem', transaction_id: 'txn' }, order: ['transaction_id', 'campaign_id'] },
    erasure: 'nothing',
    ...OF_MEMBERS,
  },
  columns: {
    programId: 'text',
    campaignId: 'text',
    memberId: 'uuid',
    transactionId: 'uuid',
    heldOut: 'boolean',
    points: 'bigint',
    earnedPoints: 'bigint',
    amountMinor: 'bigint',
  },
  primaryKey: ['transactionId', 'campaignId'],
  checks: {
    campaign_awards_check: (row) => row.points >= 0 && (row.points === 0 || !row.heldOut),
    campaign_awards_check1: (row) => row.earnedPoints >= row.points,
    campaign_awards_amount_minor_check: (row) => row.amountMinor >= 0,
  },
  references: [
    {
      to: 'transactions',
      constraint: 'campaign_awards_transaction_fkey',
      properties: { id: 'transactionId' },
    },
  ],
});
