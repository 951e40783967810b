import { OF_MEMBERS } from './handling.ts';
import { insertedTable } from './table.ts';

/**
 * That the coming expiry of a lot has been reported (`points.expiring`): once, even where the lot is extended later.
 */
export interface ExpiryNoticeRecord {
  memberId: string;
  programId: string;
  lotId: string;
  /** The expiry that was reported. */
  expiresAt: Date;
  noticedAt: Date;
}

/** A lot that may expire soon, with its notice where there is one. With `profile`, whose lock guards both. */
export interface ExpiringLotSubject {
  kind: 'expiringLot';
  /** UUID. */
  memberId: string;
  programId: string;
  /** UUID. */
  lotId: string;
}

/** Append-only. */
export const expiryNotices = insertedTable<ExpiryNoticeRecord, ExpiringLotSubject>({
  name: 'expiry_notices',
  handling: {
    owner: { members: ['member_id'] },
    exported: { ids: { member_id: 'mem', lot_id: 'lot' }, order: ['noticed_at', 'lot_id'] },
    erasure: 'nothing',
    ...OF_MEMBERS,
  },
  columns: {
    memberId: 'uuid',
    programId: 'text',
    lotId: 'uuid',
    expiresAt: 'timestamptz',
    noticedAt: 'timestamptz',
  },
  primaryKey: ['memberId', 'programId', 'lotId'],
  references: [
    {
      to: 'lots',
      constraint: 'expiry_notices_environment_id_member_id_program_id_lot_id_fkey',
      properties: { id: 'lotId', memberId: 'memberId', programId: 'programId' },
    },
  ],
  lookUps: [
    { name: 'load_expiry_notices', keyProperties: { expiringLot: ['memberId', 'programId', 'lotId'] } },
  ],
});
