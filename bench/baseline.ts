import { createHash } from 'node:crypto';
import { newUuid, toTypeId } from '../src/ids.ts';
import { type Call, DirectCalls } from './direct-calls.ts';
import { packedReceipts } from './packed-receipt.ts';
import { purchaseOf } from './purchases.ts';
import { itemsOf } from './requests.ts';
import type { Target } from './scenarios.ts';

const CALL = `select bench_purchase($1, $2, $3, 'purchaseEarn', $4, $5, $6, $7, $8, $9, $10, 'USD', $11, $12, $13, $14,
  'member_limit.month', $15, $16, $17, $18, $19)`;

/**
 * Writes purchases directly, each with one call of bench_purchase (baseline.sql). A call whose idempotency key is in
 * use returns a receipt, which is not expected.
 */
export function baselineCalls(target: Target): DirectCalls {
  return new DirectCalls(
    target.baseline.databaseUrl,
    () => callOf(target),
    ([row]) => (row as { bench_purchase?: object | null } | undefined)?.bench_purchase === null,
  );
}

/** Builds calls from a receipt of the service, with the same fields of the same length. */
function callOf({ baseline, programId, members, items }: Target): (number: number) => Call {
  const { environmentId, receipt, actorId, expiresAt } = baseline;
  const lines = items > 0 ? JSON.stringify(itemsOf(items)) : null;
  const { own } = packedReceipts(receipt, environmentId);
  const now = new Date();
  const periodStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)).toISOString();
  return (number) => {
    const purchase = purchaseOf('a', number, members);
    const { idempotencyKey, sourceReference, externalCustomerId, amountMinor } = purchase;
    const points = Math.floor(amountMinor / 100);
    const transactionId = newUuid();
    const outerId = toTypeId('txn', transactionId);
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
      JSON.stringify(own(externalCustomerId, amountMinor)),
      expiresAt,
      periodStart,
      actorId,
      toTypeId('req', newUuid()),
      outerId,
      JSON.stringify({ programId, points }),
    ];
    return { name: 'bench_purchase', text: CALL, values, points };
  };
}
