import { createHash } from 'node:crypto';
import { newUuid, toTypeId } from '../src/ids.ts';
import { type Call, DirectCalls } from './direct-calls.ts';
import { purchaseOf } from './purchases.ts';
import { itemsOf } from './requests.ts';
import type { Target } from './scenarios.ts';

const CALL = `select bench_purchase($1, $2, $3, 'purchaseEarn', $4, $5, $6, $7, $8, $9, $10, 'USD', $11, $12, $13, $14,
  'member_limit.month', $15, $16, $17, $18, $19)`;

/**
 * Writes purchases directly, each with one call of bench_purchase (baseline.sql). A call whose idempotency key is in use
 * returns a receipt, which is not expected.
 */
export function baselineCalls(target: Target): DirectCalls {
  return new DirectCalls(
    target.baseline.databaseUrl,
    () => callOf(target),
    ([row]) => (row as { bench_purchase?: object | null } | undefined)?.bench_purchase === null,
  );
}

/** Builds calls from a receipt that the service has stored, with the same fields of the same length. */
function callOf({ baseline, programId, members, items }: Target): (number: number) => Call {
  const { environmentId, receipt, actorId, expiresAt } = baseline;
  const lines = items > 0 ? JSON.stringify(itemsOf(items)) : null;
  const memberId = receipt.member.id;
  const now = new Date();
  const periodStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)).toISOString();
  return (number) => {
    const purchase = purchaseOf('a', number, members);
    const { idempotencyKey, sourceReference, externalCustomerId, amountMinor } = purchase;
    const points = Math.floor(amountMinor / 100);
    const transactionId = newUuid();
    const outerId = toTypeId('txn', transactionId);
    const at = new Date().toISOString();
    const stored = {
      ...receipt,
      id: outerId,
      member: { ...receipt.member, id: memberId, externalCustomerId },
      award: { ...receipt.award, points, basePoints: points },
      evaluationAt: at,
      evidence: { ...receipt.evidence, amountMinor, occurredAt: at },
    };
    const values = [
      environmentId,
      programId,
      externalCustomerId,
      idempotencyKey,
      createHash('sha256').update(sourceReference).digest(),
      transactionId,
      newUuid(),
      newUuid(),
      sourceReference,
      amountMinor,
      lines,
      points,
      JSON.stringify(stored),
      expiresAt,
      periodStart,
      actorId,
      toTypeId('req', newUuid()),
      outerId,
      JSON.stringify({ programId, sourceReference, points }),
    ];
    return { name: 'bench_purchase', text: CALL, values, points };
  };
}
