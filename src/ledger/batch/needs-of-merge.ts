import type { MemberMergeRecord } from '../tables/member-merges.ts';
import { undoOf } from '../tables/merge-undos.ts';
import type { Need } from '../tables/needs.ts';
import type { WorkingSet } from './working-set.ts';

/**
 * What a decision on a merge needs besides the subjects that it names. Of a request to merge: the lots that the target
 * has of an earlier merge of the same account, which was undone: points come back into these. Of a merge that may be
 * undone: the source's own rows, both ends of each lot that was moved, and whatever else has come over since.
 */
export function needsOfMerge(
  working: WorkingSet,
  { id, sourceMemberId, targetMemberId }: MemberMergeRecord,
): Need[] {
  const { mergeUndos, members, profiles } = working.rows;
  const lotsFrom = (programId: string, origins: readonly string[]): Need[] =>
    origins.map((originMemberId) => ({
      kind: 'lotsFrom',
      memberId: targetMemberId,
      programId,
      originMemberId,
    }));
  const record = mergeUndos.get(id);
  if (!record) {
    const earlier = members.filter(({ mergedInto }) => mergedInto === sourceMemberId);
    const origins = [sourceMemberId, ...earlier.map((member) => member.id)];
    return profiles
      .filter(({ memberId }) => memberId === sourceMemberId)
      .flatMap(({ programId }) => lotsFrom(programId, origins));
  }
  const { programs, moved } = undoOf(record);
  return [
    { kind: 'formerAccount', memberId: sourceMemberId },
    ...programs.flatMap(({ source: { programId }, lots }): Need[] => [
      ...lotsFrom(programId, moved),
      ...lots.flatMap(({ from, to }): Need[] => [
        { kind: 'keptLot', memberId: sourceMemberId, programId, lotId: from },
        { kind: 'keptLot', memberId: targetMemberId, programId, lotId: to },
      ]),
    ]),
  ];
}
