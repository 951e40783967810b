import { fromTypeId, toTypeId } from '../../src/ids.ts';
import type { MemoryTables } from '../../src/ledger/memory/memory-tables.ts';
import type { AuditRecord } from '../../src/ledger/tables/audit-events.ts';
import { assertInvariant } from './broken-invariant.ts';
import type { ChangedRows } from './changed-rows.ts';
import { IdentityAuditor } from './identities.ts';
import { add } from './sums.ts';
import { TierAuditor } from './tiers.ts';

/** Commands that change nothing, and have no audit event, where everything is as they ask already. */
const NEEDLESS: ReadonlySet<string> = new Set([
  'updateMember',
  'assignCouponCode',
  'tagMember',
  'untagMember',
  'addToList',
  'removeFromList',
]);

/** Checks that idempotency keys, effects and the audit trail match one another. */
export class TrailAuditor {
  readonly #tables: MemoryTables;
  /** Number of idempotency keys by the transaction that their receipt is stored with, and by operation. */
  readonly #keys = new Map<string, number>();
  readonly #keysOf = new Map<string, number>();
  /** Number of audit events by the outer id of their transaction. */
  readonly #audited = new Map<string, number>();
  readonly #seenKeys = new Set<string>();
  readonly #tiers = new TierAuditor();
  readonly #identities: IdentityAuditor;
  #keyCount = 0;
  #effects = 0;
  #membersMade = 0;

  constructor(tables: MemoryTables) {
    this.#tables = tables;
    this.#identities = new IdentityAuditor(tables);
  }

  /**
   * @param transactions ids of the transactions that were written
   * @param profiles keys of the profiles that were written
   */
  audit(changed: ChangedRows, transactions: ReadonlySet<string>, profiles: ReadonlySet<string>): void {
    for (const [name, { operation, transactionId }] of changed.take('idempotency')) {
      assertInvariant(!this.#seenKeys.has(name), 'a key is written once', name);
      this.#seenKeys.add(name);
      // What is so already is not changed, so a key need not have an effect: `IdentityAuditor` checks these.
      if (!NEEDLESS.has(operation)) this.#keyCount += 1;
      add(this.#keysOf, operation, 1);
      if (transactionId !== null) add(this.#keys, transactionId, 1);
    }
    for (const [, audit] of changed.take('audits')) this.#addAudit(audit);
    this.#identities.audit(changed);
    for (const id of transactions) this.#auditTransaction(id);
    for (const key of profiles) {
      const profile = this.#tables.profiles.get(key);
      if (profile) this.#tiers.audit(profile);
    }
    this.#auditEffects();
  }

  /** Compares every member with the trail. */
  auditMembers(): void {
    this.#identities.auditAll();
  }

  #addAudit(audit: AuditRecord): void {
    const { targetType, targetId, actorType, actorId, action, changes } = audit;
    const named = changes as { transactionId?: string; reserveTransactionId?: string };
    const transactionId = targetType === 'transaction' ? targetId : named.transactionId;
    if (transactionId) add(this.#audited, transactionId, 1);
    // A redemption in a widget that is committed at once.
    if (named.reserveTransactionId) add(this.#audited, named.reserveTransactionId, 1);
    if (targetType === 'transaction') {
      const { createdAt } = this.#tables.transactions.get(fromTypeId('txn', targetId) ?? '') ?? {};
      assertInvariant(
        createdAt?.getTime() === audit.at.getTime(),
        'a transaction is audited at its time',
        audit,
      );
    }
    if (action === 'tier.changed') {
      this.#tiers.note(audit);
      return;
    }
    if (this.#identities.note(audit)) return;
    if (actorType === 'system' && actorId === 'time') return;
    if (action === 'referral.awarded' || action === 'referral.clawed_back') {
      // Part of a purchase or a return, whose own audit event counts as the effect.
      assertInvariant(
        this.#tables.transactions.has(fromTypeId('txn', transactionId ?? '') ?? ''),
        'a referral has its transaction',
        audit,
      );
      return;
    }
    // An operator forfeits an enrollment without a key, together with its holds.
    if (action === 'redemption.expired' || (action === 'member.unenrolled' && 'forfeited' in changes)) return;
    // Part of a merge, whose own audit event counts as the effect.
    if (action === 'points.transferred') return;
    if (action === 'coupon_code.assigned') return;
    // Part of a custom event, whose own audit event counts as the effect.
    if (action === 'challenge.completed') return;
    this.#effects += 1;
    if (action === 'member.created') this.#membersMade += 1;
  }

  #auditTransaction(id: string): void {
    const transaction = this.#tables.transactions.get(id);
    const audited = this.#audited.get(toTypeId('txn', id));
    assertInvariant(audited === 1, 'every movement of points is audited once', transaction);
    const keys = this.#keys.get(id) ?? 0;
    switch (transaction?.eventType) {
      case 'purchase.completed':
        assertInvariant(keys === 1, 'a purchase has exactly one key', transaction);
        return;
      case 'order.returned':
        // The points of a referral are taken back in transactions beside the return's own.
        assertInvariant(
          'referral' in transaction.receipt ? keys === 0 : keys >= 1,
          'a return has a key',
          transaction,
        );
        return;
      case 'adjustment.posted':
        assertInvariant(
          keys === ('balance' in transaction.receipt ? 1 : 0),
          'an opening balance has exactly one key',
          transaction,
        );
        return;
      default:
        assertInvariant(keys === 0, 'no other receipt is stored with a transaction', transaction);
    }
  }

  /** Each key has one effect, but a second key for the same return, event or claim has none. */
  #auditEffects(): void {
    const keysOf = (operation: string): number => this.#keysOf.get(operation) ?? 0;
    const { returns, customEvents, choiceClaims } = this.#tables;
    const repeated =
      keysOf('recordReturn') -
      returns.size +
      keysOf('recordCustomEvent') -
      customEvents.size +
      keysOf('claimChoiceBenefit') -
      choiceClaims.size +
      // An import leaves a member who is enrolled already as it is.
      keysOf('enrollMember') +
      keysOf('enrollCustomer') -
      this.#identities.enrollments;
    // A customer who enrolls and becomes a member: two effects of one key.
    const alongside = this.#membersMade - keysOf('createMember');
    assertInvariant(this.#effects === this.#keyCount - repeated + alongside, 'every effect is audited once', {
      audited: this.#effects,
      keys: this.#keyCount,
      repeated,
      alongside,
    });
  }
}
