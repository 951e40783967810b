import { fromTypeId } from '../../ids.ts';
import type { OwnedResource } from '../../ledger/resource-owner.ts';

/** The resources whose owners are remembered, by the prefix of their public ids. */
const PREFIX = { quote: 'quo', reservation: 'rsv' } as const;

export type RedeemedKind = keyof typeof PREFIX;

/** The most owners that a process remembers: some 3 MB. */
const MOST_OWNERS = 8_192;

/** A new quote or reservation, as its receipt shows it. */
interface NewResource extends Pick<OwnedResource, 'id' | 'programId' | 'externalCustomerId' | 'points'> {
  rewardId: string;
  /** Of a reservation: that which holds its points. */
  transactionId?: string;
}

/** The UUID of a quote or a reservation; null where its public id is malformed. */
export function uuidOf(kind: RedeemedKind, publicId: string): string | null {
  return fromTypeId(PREFIX[kind], publicId);
}

/**
 * The owners of the quotes and reservations that this process has made last. Most of these are reserved or committed
 * soon after, and then their owners need not be read. All of an owner but its name is constant, and the name may be
 * outdated: the member may have been erased since, or two accounts parted. So decisions compare the members of their
 * rows with the name's, and a command that is refused for that is submitted again with the owner as it is stored.
 */
export class RecentOwners {
  /** The oldest first. */
  readonly #owners = new Map<string, OwnedResource>();

  /** @param environmentId UUID @param resource with its public id */
  remember(
    kind: RedeemedKind,
    environmentId: string,
    { id: publicId, programId, externalCustomerId, points, rewardId, transactionId }: NewResource,
  ): void {
    const id = uuidOf(kind, publicId);
    if (id === null) throw new Error(`${publicId} is no id of a ${kind}`);
    const reserveTransactionId = transactionId === undefined ? null : fromTypeId('txn', transactionId);
    this.#owners.set(nameOf(kind, environmentId, publicId), {
      ...{ id, programId, externalCustomerId, points, rewardId },
      ...(reserveTransactionId !== null && { reserveTransactionId }),
    });
    if (this.#owners.size <= MOST_OWNERS) return;
    const [oldest] = this.#owners.keys();
    this.#owners.delete(oldest as string);
  }

  /**
   * The resource of this public id, which is then forgotten: most are asked for once.
   * @param environmentId UUID
   * @returns null where it is not remembered
   */
  take(kind: RedeemedKind, environmentId: string, publicId: string): OwnedResource | null {
    const name = nameOf(kind, environmentId, publicId);
    const owner = this.#owners.get(name);
    if (!owner) return null;
    this.#owners.delete(name);
    return owner;
  }
}

function nameOf(kind: RedeemedKind, environmentId: string, publicId: string): string {
  return `${kind} ${environmentId} ${publicId}`;
}
