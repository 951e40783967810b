import type { LotRecord } from './lots.ts';
import { insertedTable } from './table.ts';

/** That the expiry of a lot has moved: a close values points as the end of its period knew them. */
export interface LotExpiryChangeRecord {
  programId: string;
  memberId: string;
  lotId: string;
  changedAt: Date;
  /** The expiry until then. */
  expiresAt: Date;
}

/** Append-only. Of two changes of a lot at one instant the first one is kept: it has the expiry that held before both. */
export const lotExpiryChanges = insertedTable<LotExpiryChangeRecord, never>({
  name: 'lot_expiry_changes',
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
