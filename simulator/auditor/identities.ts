import { toTypeId } from '../../src/ids.ts';
import type { MemoryTables } from '../../src/ledger/memory/memory-tables.ts';
import type { AuditRecord } from '../../src/ledger/tables/audit-events.ts';
import { assertInvariant } from './broken-invariant.ts';
import type { ChangedRows } from './changed-rows.ts';
import { add } from './sums.ts';

/**
 * Checks the trail of members themselves: each answer about the consent of an identity is recorded once and audited
 * once, and each change of status begins with the status in which the last one ended.
 */
export class IdentityAuditor {
  readonly #members: MemoryTables['members'];
  readonly #statusOf = new Map<string, string>();
  /** Records of consent less their audit events, by TypeID of the member; 0 once both were seen. */
  readonly #unaudited = new Map<string, number>();
  /** Answers with which members have enrolled in a program. */
  enrollments = 0;

  constructor({ members }: MemoryTables) {
    this.#members = members;
  }

  /** @returns whether the event is one of a member itself, and no effect of a command with a key of its own */
  note({ action, targetId, changes }: AuditRecord): boolean {
    switch (action) {
      case 'member.created':
        add(this.#unaudited, targetId, -1);
        return false;
      case 'member.updated':
        if ('consentStatus' in changes) add(this.#unaudited, targetId, -1);
        return true;
      case 'member.suspended':
      case 'member.resumed': {
        const { from, to } = changes as { from: string; to: string };
        const status = this.#statusOf.get(targetId) ?? 'active';
        assertInvariant(
          from !== to && from === status,
          'a change of status begins where the last one ended',
          changes,
        );
        this.#statusOf.set(targetId, to);
        return true;
      }
      case 'member.tagged':
      case 'member.untagged':
      case 'list.members_added':
      case 'list.members_removed': {
        const { members } = changes as { members: string[] };
        const all = new Set(members);
        const several = members.length > 1 ? targetId.startsWith('env_') : targetId === members[0];
        assertInvariant(
          several && all.size === members.length,
          'a change of labels names its members',
          changes,
        );
        return true;
      }
      default:
        return false;
    }
  }

  /** @param changed with the records of consent, after the audit events were noted */
  audit(changed: ChangedRows): void {
    for (const [, { memberId, programId, status }] of changed.take('consents')) {
      if (programId !== null && status === 'granted') this.enrollments += 1;
      if (programId === null) add(this.#unaudited, toTypeId('mem', memberId), 1);
    }
    for (const [member, difference] of this.#unaudited) {
      assertInvariant(difference === 0, 'every answer about consent is recorded and audited once', member);
    }
    this.#unaudited.clear();
  }

  /** Compares the status of all members with the last change. */
  auditAll(): void {
    for (const { id, status } of this.#members.values()) {
      const audited = this.#statusOf.get(toTypeId('mem', id)) ?? 'active';
      assertInvariant(audited === status, 'every change of status is audited', { id, status, audited });
    }
  }
}
