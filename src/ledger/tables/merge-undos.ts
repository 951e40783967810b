import { arrayLiteral } from '../../db/array-literal.ts';
import { adjustments } from './adjustments.ts';
import type { ChallengeProgressRecord } from './challenge-progress.ts';
import { OF_MEMBERS } from './handling.ts';
import type { LimitCounterRecord } from './limit-counters.ts';
import type { Index, Stored } from './look-up.ts';
import { type MemberMergeRecord, memberMerges } from './member-merges.ts';
import { orders } from './orders.ts';
import type { ProfileRecord } from './program-profiles.ts';
import { insertedTable } from './table.ts';
import { type TransactionRecord, transactions } from './transactions.ts';

/** What a merge has changed, as an unmerge needs it. It is written with the merge and never changed. */
export interface MergeUndoRecord {
  mergeId: string;
  /** As `storedUndo` writes it. */
  undo: object;
  /**
   * Whether something that the source had brought has been returned, reversed or posted for the target since: a
   * purchase, a redemption, an adjustment, a settlement with a partner.
   */
  touched: boolean;
}

export interface MergeUndo {
  /**
   * UUIDs of the members whose names answer for the target since: the source first, then those merged into it before.
   */
  moved: readonly string[];
  /** UUIDs of the members that had been merged into the target before. */
  earlier: readonly string[];
  programs: readonly ProgramUndo[];
  /** The source's counters, with what they had counted. */
  counters: readonly LimitCounterRecord[];
  progress: readonly ProgressUndo[];
  /** Ids of the target's grants with what was left of the source's. */
  grants: readonly string[];
  /** Ids of the target's grants of which nothing is open: of tiers that had granted the source something. */
  milestones: readonly string[];
}

/** A profile without its referral code, which an erasure removes from the profile and would not find here. */
type KeptProfile = Omit<ProfileRecord, 'referralCode'>;

export interface ProgramUndo {
  /** The source's profile before, settled. */
  source: KeptProfile;
  /** The target's profile before, settled; null where the merge has made it. */
  target: KeptProfile | null;
  /** The target's profile as the merge has left it. */
  left: KeptProfile;
  lots: readonly LotUndo[];
}

/** A lot that was moved. */
export interface LotUndo {
  /** UUID of the source's lot. */
  from: string;
  /** UUID of the target's lot. */
  to: string;
  /** Available and pending. */
  points: number;
  claimed: number;
  lent: number;
}

/** The source's progress in a window before; the target's before, null for none; and the target's as it was left. */
export interface ProgressUndo {
  source: ChallengeProgressRecord;
  target: ChallengeProgressRecord | null;
  left: ChallengeProgressRecord;
}

/** The undo of a merge in the form in which it is stored: JSON, with instants as text. */
export function storedUndo(undo: MergeUndo): object {
  return JSON.parse(JSON.stringify(undo, (name, value) => (name === 'referralCode' ? undefined : value)));
}

/** The undo of a stored record. */
export function undoOf({ undo }: Pick<MergeUndoRecord, 'undo'>): MergeUndo {
  return JSON.parse(JSON.stringify(undo), (name, value) =>
    typeof value === 'string' && isInstant(name) ? new Date(value) : value,
  );
}

/** Whether a property of the records in an undo is an instant. */
function isInstant(name: string): boolean {
  return /(At|Since|Start)$/.test(name);
}

/** What a merge has changed, by the merge's id. With `memberMerge`. */
export interface MergeUndoSubject {
  kind: 'mergeUndo';
  mergeId: string;
}

export const mergeUndos = insertedTable<MergeUndoRecord, MergeUndoSubject>({
  name: 'merge_undos',
  handling: {
    owner: { through: 'member_merges', on: 'merge_undos.merge_id = member_merges.id' },
    exported: {
      none: 'rows of before a merge, as their tables had them: the balances follow from the postings',
    },
    erasure: 'nothing',
    ...OF_MEMBERS,
  },
  columns: {
    mergeId: 'uuid',
    undo: 'json',
    touched: { type: 'boolean', joined: true },
  },
  primaryKey: ['mergeId'],
  references: [{ to: 'member_merges', constraint: 'merge_undos_merge_fkey', properties: { id: 'mergeId' } }],
  lookUps: [
    {
      // What was posted for the target since, and for something that is stored with the source's own id.
      name: 'load_merge_undos',
      keyProperties: { mergeUndo: ['mergeId'] },
      text: (select) => `select ${select('u', { touched: 'since.touched' })}
      from unnest($2::uuid[]) as wanted(merge_id)
      cross join lateral (
        select * from merge_undos where environment_id = $1::uuid and merge_id = wanted.merge_id limit 1
      ) u
      cross join lateral (
        select target_member_id, decided_at from member_merges
        where environment_id = $1::uuid and id = u.merge_id
        limit 1
      ) g
      cross join lateral (
        select array(select json_array_elements_text(u.undo -> 'moved')::uuid) as ids
      ) moved
      cross join lateral (
        select exists (
          select from transactions t
          where t.environment_id = $1::uuid and t.member_id = g.target_member_id and t.created_at >= g.decided_at
            and (
              (
                select member_id from transactions
                where environment_id = $1::uuid and id = t.reversal_of
                limit 1
              ) = any(moved.ids)
              or t.event_type = 'order.returned' and (
                select member_id from orders
                where environment_id = $1::uuid and source_reference = t.source_reference
                limit 1
              ) = any(moved.ids)
            )
        ) or exists (
          select from unnest(moved.ids) as one(id)
          cross join lateral (
            select transaction_id from adjustments
            where environment_id = $1::uuid and member_id = one.id
            offset 0
          ) a
          cross join lateral (
            select member_id from transactions
            where environment_id = $1::uuid and id = a.transaction_id
            limit 1
          ) t
          where t.member_id = g.target_member_id
        ) as touched
      ) since`,
      values: (wanted: readonly MergeUndoSubject[]) => [arrayLiteral(wanted.map(({ mergeId }) => mergeId))],
      find(stored, { mergeId }: MergeUndoSubject): MergeUndoRecord[] {
        const record = stored(mergeUndos).get(mergeId);
        const merge = stored(memberMerges).get(mergeId);
        return record && merge ? [{ ...record, touched: isTouched(stored, undoOf(record), merge) }] : [];
      },
    },
  ],
});

const ofMember: Index<TransactionRecord> = { properties: ['memberId'] };
const ofBeneficiary = { properties: ['memberId'] } as const;

/** The same as in the look-up, over tables in memory. */
function isTouched(
  stored: Stored,
  { moved }: MergeUndo,
  { targetMemberId, decidedAt }: MemberMergeRecord,
): boolean {
  const isMoved = (memberId: string | null | undefined): boolean => moved.includes(memberId ?? '');
  const since = stored(transactions)
    .by(ofMember, targetMemberId)
    .filter(({ createdAt }) => decidedAt !== null && createdAt >= decidedAt);
  return (
    since.some(
      ({ reversalOf, eventType, sourceReference }) =>
        isMoved(reversalOf && stored(transactions).get(reversalOf)?.memberId) ||
        (eventType === 'order.returned' && isMoved(stored(orders).get(sourceReference ?? '')?.memberId)),
    ) ||
    moved
      .flatMap((memberId) => stored(adjustments).by(ofBeneficiary, memberId))
      .some(({ transactionId }) => stored(transactions).get(transactionId ?? '')?.memberId === targetMemberId)
  );
}
