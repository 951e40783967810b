import { toTypeId } from '../../ids.ts';
import type { AuditRecord } from '../../ledger/tables/audit-events.ts';
import type { ProfileRecord } from '../../ledger/tables/program-profiles.ts';
import { hold } from './broken-invariant.ts';

/** What the audit trail says of a change of tier. */
interface TierChange {
  programId: string;
  from: string;
  to: string;
}

/** Holds the tiers of profiles to the audit trail: each change is told of once, and begins where the one before ended. */
export class TierAuditor {
  readonly #tierOf = new Map<string, string>();

  /** @param audit of a change, in the order of the trail */
  note({ targetId, changes }: AuditRecord): void {
    const { programId, from, to } = changes as TierChange;
    const known = this.#tierOf.get(`${programId} ${targetId}`);
    hold(
      from !== to && (known ?? from) === from,
      'a change of tier begins where the last one ended',
      changes,
    );
    this.#tierOf.set(`${programId} ${targetId}`, to);
  }

  /** @param profile as it is after what was noted */
  audit(profile: ProfileRecord): void {
    const name = `${profile.programId} ${toTypeId('mem', profile.memberId)}`;
    const told = this.#tierOf.get(name);
    hold((told ?? profile.tier) === profile.tier, 'every change of tier is audited', { told, profile });
    this.#tierOf.set(name, profile.tier);
  }
}
