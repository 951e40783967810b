import { readReferralCode } from '../../commands/shared/referral-code.ts';
import { fromTypeId } from '../../ids.ts';
import type { MemoryTables } from '../../ledger/memory/memory-tables.ts';
import type { Owner } from '../../ledger/owner.ts';
import { keyOf } from '../../ledger/tables/key-of.ts';
import type { Owned } from '../../queries/shared/owners.ts';

const PREFIXES = { quote: 'quo', reservation: 'rsv', adjustment: 'adj' } as const;

/** What has to be looked up before a command is made. */
export type Named = Owned | { kind: 'referralCode'; programId: string; code: string };

/** The thing of an outer id; null where the id is none of that kind. */
export function ownedBy(
  kind: keyof typeof PREFIXES,
  outerId: string,
): Exclude<Owned, { kind: 'order' }> | null {
  const id = fromTypeId(PREFIXES[kind], outerId);
  return id === null ? null : { kind, id };
}

/** What the service would find out of a thing: null where it is not there. */
export function ownerIn(tables: MemoryTables, owned: Named): Owner | null {
  const found = find(tables, owned);
  if (!found) return null;
  for (const member of tables.members.values()) {
    if (member.id !== found.memberId) continue;
    const { programId, points } = found;
    const rewardId = 'rewardId' in found ? found.rewardId : null;
    return { programId, externalCustomerId: member.externalCustomerId, points, rewardId };
  }
  return null;
}

function find(tables: MemoryTables, owned: Named) {
  switch (owned.kind) {
    case 'order':
      return tables.orders.get(owned.sourceReference);
    case 'quote':
      return tables.quotes.get(owned.id);
    case 'reservation':
      return tables.reservations.get(owned.id);
    case 'adjustment':
      return tables.adjustments.get(owned.id);
    case 'referralCode':
      return findReferrer(tables, owned.programId, owned.code);
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

/** A member's referral code, as reads show it; null where there is none. */
export function referralCodeIn(
  tables: MemoryTables,
  programId: string,
  externalCustomerId: string,
): string | null {
  const member = tables.members.get(externalCustomerId);
  return member ? (tables.profiles.get(keyOf(programId, member.id))?.referralCode ?? null) : null;
}
