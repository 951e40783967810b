import { OF_MEMBERS } from './handling.ts';
import type { LotRecord } from './lot-rows.ts';
import { insertedTable } from './table.ts';

/**
 * A change of a lot's expiry. A close report values the points by the expiry that they had at the end of its period,
 * which these records keep.
 */
export interface LotExpiryChangeRecord {
  programId: string;
  memberId: string;
  lotId: string;
  changedAt: Date;
  /** The expiry before the change. */
  expiresAt: Date;
}

/** Append-only. Of two changes of a lot at one instant only the first is kept: it has the expiry from before both. */
export const lotExpiryChanges = insertedTable<LotExpiryChangeRecord, never>({
  name: 'lot_expiry_changes',
  handling: {
    owner: { members: ['member_id'] },
    exported: { ids: { member_id: 'mem', lot_id: 'lot' }, order: ['changed_at', 'lot_id'] },
    erasure: 'nothing',
    ...OF_MEMBERS,
  },
  columns: {
    programId: 'text',
    memberId: 'uuid',
    lotId: 'uuid',
    changedAt: 'timestamptz',
    expiresAt: 'timestamptz',
  },
  primaryKey: ['programId', 'changedAt', 'lotId'],
  insertedOnce: { properties: ['programId', 'changedAt', 'lotId'], where: 'true' },
  references: [
    {
      to: 'lots',
      constraint: 'lot_expiry_changes_environment_id_member_id_program_id_lot_fkey',
      properties: { id: 'lotId', memberId: 'memberId', programId: 'programId' },
    },
  ],
});

/** The change that an update of a lot makes to its expiry; null where the expiry stays, or where there was none. */
export function expiryChangeOf(
  before: LotRecord | null,
  after: LotRecord,
  changedAt: Date,
): LotExpiryChangeRecord | null {
  if (!before?.expiresAt || before.expiresAt.getTime() === after.expiresAt?.getTime()) return null;
  const { programId, memberId, id: lotId } = after;
  return { programId, memberId, lotId, changedAt, expiresAt: before.expiresAt };
}
