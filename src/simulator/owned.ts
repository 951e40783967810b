import { fromTypeId } from '../ids.ts';
import type { MemoryTables } from '../ledger/memory-tables.ts';
import type { Owner } from '../ledger/owner.ts';
import type { Owned } from '../queries/owners.ts';

const PREFIXES = { quote: 'quo', reservation: 'rsv', adjustment: 'adj' } as const;

/** The thing of an outer id; null where the id is none of that kind. */
export function ownedBy(
  kind: keyof typeof PREFIXES,
  outerId: string,
): Exclude<Owned, { kind: 'order' }> | null {
  const id = fromTypeId(PREFIXES[kind], outerId);
  return id === null ? null : { kind, id };
}

/** What the service would find out of a thing: null where it is not there. */
export function ownerIn(tables: MemoryTables, owned: Owned): Owner | null {
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

function find(tables: MemoryTables, owned: Owned) {
  switch (owned.kind) {
    case 'order':
      return tables.orders.get(owned.sourceReference);
    case 'quote':
      return tables.quotes.get(owned.id);
    case 'reservation':
      return tables.reservations.get(owned.id);
    case 'adjustment':
      return tables.adjustments.get(owned.id);
  }
}
