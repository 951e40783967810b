import type { MemoryTables } from '../../ledger/memory/memory-tables.ts';
import type { Index } from '../../ledger/tables/look-up.ts';
import type { MemberRecord } from '../../ledger/tables/members.ts';

const ofId: Index<MemberRecord> = { properties: ['id'] };

/** The id of the member that rows of a member belong to: another one where it was merged. */
export function presentOwner(tables: MemoryTables, memberId: string): string {
  return tables.members.by(ofId, memberId)[0]?.mergedInto ?? memberId;
}
