import type { MemoryTables } from '../../src/ledger/memory/memory-tables.ts';
import type { Index } from '../../src/ledger/tables/look-up.ts';
import type { MemberRecord } from '../../src/ledger/tables/members.ts';

const ofId: Index<MemberRecord> = { properties: ['id'] };

/** The id of the member that rows of a member belong to: another one where it was merged. */
export function presentOwner(tables: MemoryTables, memberId: string): string {
  return tables.members.by(ofId, memberId)[0]?.mergedInto ?? memberId;
}

/** Whether two members are one at present, or were so until their merge was undone. */
export function wereOne(tables: MemoryTables, one: string, other: string): boolean {
  const [a, b] = [presentOwner(tables, one), presentOwner(tables, other)];
  if (a === b) return true;
  for (const { state, sourceMemberId, targetMemberId } of tables.memberMerges.values()) {
    const both = [presentOwner(tables, sourceMemberId), presentOwner(tables, targetMemberId)];
    if (state === 'unmerged' && both.includes(a) && both.includes(b)) return true;
  }
  return false;
}
