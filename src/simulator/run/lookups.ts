import { readReferralCode } from '../../commands/shared/referral-code.ts';
import { fromTypeId } from '../../ids.ts';
import type { MemoryTables } from '../../ledger/memory/memory-tables.ts';
import type { ResourceOwner } from '../../ledger/resource-owner.ts';
import { keyOf } from '../../ledger/tables/key-of.ts';
import type { ResourceReference } from '../../queries/shared/resource-owners.ts';

const PREFIXES = { quote: 'quo', reservation: 'rsv', adjustment: 'adj' } as const;

/** What the service looks up before it makes a command: the owner of a resource, or the member of a referral code. */
export type LookupKey = ResourceReference | { kind: 'referralCode'; programId: string; code: string };

/** The reference to the resource of a public id; null where the id is not one of that kind. */
export function referenceTo(
  kind: keyof typeof PREFIXES,
  outerId: string,
): Exclude<ResourceReference, { kind: 'order' }> | null {
  const id = fromTypeId(PREFIXES[kind], outerId);
  return id === null ? null : { kind, id };
}

/** What the service's look-up would find; null where there is no such resource or code. */
export function ownerIn(tables: MemoryTables, key: LookupKey): ResourceOwner | null {
  const found = find(tables, key);
  if (!found) return null;
  for (const member of tables.members.values()) {
    if (member.id !== found.memberId) continue;
    const { programId, points } = found;
    const rewardId = 'rewardId' in found ? found.rewardId : null;
    return { programId, externalCustomerId: member.externalCustomerId, points, rewardId };
  }
  return null;
}

function find(tables: MemoryTables, key: LookupKey) {
  switch (key.kind) {
    case 'order':
      return tables.orders.get(key.sourceReference);
    case 'quote':
      return tables.quotes.get(key.id);
    case 'reservation':
      return tables.reservations.get(key.id);
    case 'adjustment':
      return tables.adjustments.get(key.id);
    case 'referralCode':
      return findReferrer(tables, key.programId, key.code);
  }
}

function findReferrer(
  tables: MemoryTables,
  programId: string,
  typed: string,
): { programId: string; memberId: string; points: number; rewardId: null } | null {
  const code = readReferralCode(typed);
  for (const profile of tables.profiles.values()) {
    if (profile.programId === programId && profile.referralCode === code) {
      return { programId, memberId: profile.memberId, points: 0, rewardId: null };
    }
  }
  return null;
}

/** A member's referral code; null where the member has none. */
export function referralCodeIn(
  tables: MemoryTables,
  programId: string,
  externalCustomerId: string,
): string | null {
  const member = tables.members.get(externalCustomerId);
  return member ? (tables.profiles.get(keyOf(programId, member.id))?.referralCode ?? null) : null;
}
