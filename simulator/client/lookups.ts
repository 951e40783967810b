import { readReferralCode } from '../../src/commands/shared/referral-code.ts';
import { fromTypeId } from '../../src/ids.ts';
import type { MemoryTables } from '../../src/ledger/memory/memory-tables.ts';
import type { ReferralReward, ResourceOwner } from '../../src/ledger/resource-owner.ts';
import { keyOf } from '../../src/ledger/tables/key-of.ts';
import type { Index } from '../../src/ledger/tables/look-up.ts';
import type { LotRecord } from '../../src/ledger/tables/lot-rows.ts';
import type { TransactionRecord } from '../../src/ledger/tables/transactions.ts';
import type { ResourceReference } from '../../src/queries/shared/resource-owners.ts';
import { keepsRewards } from '../auditor/orders.ts';
import { presentOwner } from '../auditor/present-owner.ts';

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
  const row = find(tables, key);
  if (!row) return null;
  const ownerId = presentOwner(tables, row.memberId);
  for (const member of tables.members.values()) {
    if (member.id !== ownerId) continue;
    const { programId, points } = row;
    const rewardId = 'rewardId' in row ? row.rewardId : null;
    const referral = key.kind === 'order' ? referralOf(tables, key.sourceReference) : [];
    return {
      programId,
      externalCustomerId: member.externalCustomerId,
      points,
      rewardId,
      ...('reserveTransactionId' in row && { reserveTransactionId: row.reserveTransactionId }),
      ...(referral.length > 0 && { referral }),
    };
  }
  return null;
}

const ofReference: Index<TransactionRecord> = { properties: ['sourceReference'] };

/** The rewards of an order's referral that a return takes back. */
export function referralOf(tables: MemoryTables, sourceReference: string): ReferralReward[] {
  const rewards = tables.transactions
    .by(ofReference, sourceReference)
    .filter(({ eventType, receipt }) => eventType === 'referral.awarded' && !keepsRewards(receipt))
    .map(({ id, memberId }) => ({ transactionId: id, memberId }));
  if (rewards.length === 0) return [];
  const customers = new Map(tables.members.values().map((member) => [member.id, member.externalCustomerId]));
  return rewards.map(({ transactionId, memberId }) => ({
    memberId,
    externalCustomerId: customers.get(presentOwner(tables, memberId)) ?? '',
    transactionId,
  }));
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

const ofProfile: Index<LotRecord> = { properties: ['memberId', 'programId'] };

/** The lots of a profile, oldest first; null where there is no such profile. */
export function lotsIn(
  tables: MemoryTables,
  programId: string,
  externalCustomerId: string,
): { memberId: string; lotIds: string[] } | null {
  const memberId = tables.members.get(externalCustomerId)?.id;
  if (memberId === undefined || !tables.profiles.has(keyOf(programId, memberId))) return null;
  return { memberId, lotIds: tables.lots.by(ofProfile, memberId, programId).map(({ id }) => id) };
}
