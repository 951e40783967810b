import { OF_MEMBERS } from './handling.ts';
import type { CounterNeed } from './needs.ts';
import { setTable } from './table.ts';

/** A counter that members share: points of a campaign's total cap, uses of a coupon, inventory of a choice. */
export interface SharedCounterRecord {
  programId: string;
  /** `campaign:<id>`, `coupon:<code>`, `choice:<set>/<reward>` with a slash of the set escaped. */
  counterId: string;
  taken: number;
}

export const sharedCounters = setTable<SharedCounterRecord, CounterNeed>({
  name: 'shared_counters',
  handling: {
    owner: 'environment',
    exported: { none: 'sums over all members' },
    erasure: 'nothing',
    ...OF_MEMBERS,
  },
  columns: {
    programId: 'text',
    counterId: 'text',
    taken: 'bigint',
  },
  primaryKey: ['programId', 'counterId'],
  constant: [],
  checks: { shared_counters_taken_check: (row) => row.taken >= 0 },
  // Locked after the profiles and stocks, before anything is written.
  lookUps: [
    {
      name: 'lock_shared_counters',
      keyProperties: { sharedCounter: ['programId', 'counterId'] },
      locks: true,
    },
  ],
});
