import type { LotRecord } from './records.ts';
import { type Table, table } from './table.ts';

/** That the expiry of a lot has moved: what held before. A close values points as the end of its period knew them. */
export interface LotExpiryChangeRecord {
  programId: string;
  memberId: string;
  lotId: string;
  changedAt: Date;
  /** What held until then. */
  expiresAt: Date;
}

/** What a decision's change of a lot says of its expiry; null where that stays as it was. */
export function expiryChangeOf(
  before: LotRecord | null,
  after: LotRecord,
  changedAt: Date,
): LotExpiryChangeRecord | null {
  if (!before?.expiresAt || before.expiresAt.getTime() === after.expiresAt?.getTime()) return null;
  const { programId, memberId, id: lotId } = after;
  return { programId, memberId, lotId, changedAt, expiresAt: before.expiresAt };
}

const changes = table<LotExpiryChangeRecord>(
  'lot_expiry_changes',
  ['program_id', 'changed_at', 'lot_id'],
  [
    { name: 'program_id', type: 'text', value: (row) => row.programId },
    { name: 'member_id', type: 'uuid', value: (row) => row.memberId },
    { name: 'lot_id', type: 'uuid', value: (row) => row.lotId },
    { name: 'changed_at', type: 'timestamptz', value: (row) => row.changedAt },
    { name: 'expires_at', type: 'timestamptz', value: (row) => row.expiresAt },
  ],
);

/** Append-only. Of two moves at one instant the first one says what held before it. */
export const lotExpiryChangesTable: Pick<Table<LotExpiryChangeRecord>, 'insert'> = {
  insert(environmentId, rows) {
    const statement = changes.insert(environmentId, rows);
    return { ...statement, text: `${statement.text} on conflict do nothing` };
  },
};
