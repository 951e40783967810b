import { OF_MEMBERS } from './handling.ts';
import type { StockNeed } from './needs.ts';
import { setTable } from './table.ts';

/** How many of a reward are taken: reserved or redeemed. */
export interface StockRecord {
  programId: string;
  rewardId: string;
  taken: number;
}

export const stocks = setTable<StockRecord, StockNeed>({
  name: 'reward_stocks',
  handling: {
    owner: 'environment',
    exported: { none: 'sums over all members' },
    erasure: 'nothing',
    ...OF_MEMBERS,
  },
  columns: {
    programId: 'text',
    rewardId: 'text',
    taken: 'bigint',
  },
  primaryKey: ['programId', 'rewardId'],
  constant: [],
  checks: { reward_stocks_taken_check: (row) => row.taken >= 0 },
  // Locked after the profiles, before anything is written.
  lookUps: [{ name: 'lock_stocks', keyProperties: { rewardStock: ['programId', 'rewardId'] }, locks: true }],
});
