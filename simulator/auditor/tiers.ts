import { toTypeId } from '../../src/ids.ts';
import type { AuditRecord } from '../../src/ledger/tables/audit-events.ts';
import type { ProfileRecord } from '../../src/ledger/tables/program-profiles.ts';
import { assertInvariant } from './broken-invariant.ts';

/** The `changes` of an audit event `tier.changed`. */
interface TierChange {
  programId: string;
  from: string;
  to: string;
}

/**
 * Checks tiers against the audit trail: each change is audited once, and starts from the tier in which the last change
 * ended.
 */
export class TierAuditor {
  readonly #tierOf = new Map<string, string>();

  /** @param audit an event `tier.changed`; events come in the order of the trail */
  note({ targetId, changes }: AuditRecord): void {
    const { programId, from, to } = changes as TierChange;
    const tier = this.#tierOf.get(`${programId} ${targetId}`);
    assertInvariant(
      from !== to && (tier ?? from) === from,
      'a change of tier begins where the last one ended',
      changes,
    );
    this.#tierOf.set(`${programId} ${targetId}`, to);
  }

  /** @param profile the profile after the noted changes */
  audit(profile: ProfileRecord): void {
    const name = `${profile.programId} ${toTypeId('mem', profile.memberId)}`;
    const audited = this.#tierOf.get(name);
    assertInvariant((audited ?? profile.tier) === profile.tier, 'every change of tier is audited', {
      audited,
      profile,
    });
    this.#tierOf.set(name, profile.tier);
  }
}
