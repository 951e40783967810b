import { fromTypeId, toTypeId } from '../../ids.ts';
import type { MemoryTables } from '../../ledger/memory/memory-tables.ts';
import type { AuditRecord } from '../../ledger/tables/audit-events.ts';
import { hold } from './broken-invariant.ts';
import type { ChangedRows } from './changed-rows.ts';
import { add } from './sums.ts';
import { TierAuditor } from './tiers.ts';

/** Holds keys, effects and the audit trail to each other. */
export class TrailAuditor {
  readonly #tables: MemoryTables;
  /** Keys by transaction, where their receipt is stored with one. */
  readonly #keys = new Map<string, number>();
  readonly #keysOf = new Map<string, number>();
  /** Audit events by the outer id of the transaction that they tell of. */
  readonly #told = new Map<string, number>();
  readonly #seenKeys = new Set<string>();
  readonly #tiers = new TierAuditor();
  #keyCount = 0;
  #deeds = 0;
  #reversals = 0;

  constructor(tables: MemoryTables) {
    this.#tables = tables;
  }

  /** @param profiles keys of those that were written */
  audit(changed: ChangedRows, transactions: ReadonlySet<string>, profiles: ReadonlySet<string>): void {
    for (const [name, { operation, transactionId }] of changed.take('idempotency')) {
      hold(!this.#seenKeys.has(name), 'a key is written once', name);
      this.#seenKeys.add(name);
      this.#keyCount += 1;
      add(this.#keysOf, operation, 1);
      if (transactionId !== null) add(this.#keys, transactionId, 1);
    }
    for (const [, audit] of changed.take('audits')) this.#addAudit(audit);
    for (const id of transactions) this.#auditTransaction(id);
    for (const key of profiles) {
      const profile = this.#tables.profiles.get(key);
      if (profile) this.#tiers.audit(profile);
    }
    this.#auditDeeds();
  }

  #addAudit(audit: AuditRecord): void {
    const { targetType, targetId, actorType, actorId, action, changes } = audit;
    const told =
      targetType === 'transaction' ? targetId : (changes as { transactionId?: string }).transactionId;
    if (told) add(this.#told, told, 1);
    if (action === 'tier.changed') {
      this.#tiers.note(audit);
      return;
    }
    if (actorType === 'system' && actorId === 'time') return;
    if (action === 'referral.awarded') {
      // Beside the purchase, of which it is a part.
      hold(
        this.#tables.transactions.has(fromTypeId('txn', told ?? '') ?? ''),
        'a referral has its transaction',
        audit,
      );
      return;
    }
    // Beside the event, of which it is a part.
    if (action === 'challenge.completed') return;
    this.#deeds += 1;
    if (action === 'redemption.reversed') this.#reversals += 1;
  }

  #auditTransaction(id: string): void {
    const transaction = this.#tables.transactions.get(id);
    hold(this.#told.get(toTypeId('txn', id)) === 1, 'every movement of points is audited once', transaction);
    const keys = this.#keys.get(id) ?? 0;
    switch (transaction?.eventType) {
      case 'purchase.completed':
        hold(keys === 1, 'a purchase has exactly one key', transaction);
        return;
      case 'order.returned':
        hold(keys >= 1, 'a return has a key', transaction);
        return;
      default:
        hold(keys === 0, 'no other receipt is stored with a transaction', transaction);
    }
  }

  /** Each key has had one effect; a return, an event or a claim that is named by a second key had none then. */
  #auditDeeds(): void {
    const keysOf = (operation: string): number => this.#keysOf.get(operation) ?? 0;
    const { returns, customEvents, choiceClaims } = this.#tables;
    const repeated =
      keysOf('recordReturn') -
      returns.size +
      keysOf('recordCustomEvent') -
      customEvents.size +
      keysOf('claimChoiceBenefit') -
      choiceClaims.size;
    // Resolving a dispute and reversing its redemption are two effects of one key.
    const alongside = this.#reversals - keysOf('reverseRedemption');
    hold(this.#deeds === this.#keyCount - repeated + alongside, 'every effect is audited once', {
      audited: this.#deeds,
      keys: this.#keyCount,
      repeated,
      alongside,
    });
  }
}
