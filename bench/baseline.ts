import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { createPool, type Pool } from '../src/db/pool.ts';
import { newUuid, toTypeId } from '../src/ids.ts';
import { newHistogram, percentilesMs, recordMs } from './http-load.ts';
import { packedReceipts } from './packed-receipt.ts';
import { purchaseOf } from './purchases.ts';
import { itemsOf } from './requests.ts';
import type { Job, Measurement, Target } from './scenarios.ts';

const CALL = `select bench_purchase($1, $2, $3, 'purchaseEarn', $4, $5, $6, $7, $8, $9, $10, 'USD', $11, $12, $13, $14,
  'member_limit.month', $15, $16, $17, $18, $19)`;

/** Fewer than Postgres admits beside those of the service. */
const MOST_CONNECTIONS = 90;

/**
 * Writes purchases directly with pg, each with one call of bench_purchase (baseline.sql) in a transaction of its own, on
 * several connections at once. Connections stay open from measurement to measurement, with their prepared statement and
 * the plans of the function, as those of the service do.
 */
export class Baseline {
  readonly #target: Target;
  readonly #clients: PoolClient[] = [];
  readonly #pool: Pool;

  constructor(target: Target) {
    this.#target = target;
    const { databaseUrl } = target.baseline;
    this.#pool = createPool({ url: databaseUrl, size: MOST_CONNECTIONS, applicationName: 'bench' });
  }

  /** @throws where a call fails, or its idempotency key is in use */
  async run({ connections, seconds, first }: Job): Promise<Measurement> {
    while (this.#clients.length < connections) this.#clients.push(await this.#pool.connect());
    const { environmentId, receipt } = this.#target.baseline;
    await this.#pool.query(packedReceipts(receipt, environmentId).storeTemplate);
    const micros = newHistogram();
    const call = callOf(this.#target);
    let next = first;
    let requests = 0;
    let points = 0;
    const begun = performance.now();
    const until = begun + seconds * 1000;
    const work = async (client: PoolClient): Promise<void> => {
      for (let now = performance.now(); now < until; ) {
        const statement = call(next++);
        const { rows } = await client.query<{ bench_purchase: object | null }>(statement);
        if (rows[0]?.bench_purchase !== null) throw new Error('The baseline met a key that was used');
        const answeredAt = performance.now();
        recordMs(micros, answeredAt - now);
        now = answeredAt;
        requests += 1;
        points += statement.points;
      }
    };
    await Promise.all(this.#clients.slice(0, connections).map(work));
    const written = { requests, points };
    return {
      ...written,
      seconds: (performance.now() - begun) / 1000,
      byPlace: [written],
      ...percentilesMs(micros),
    };
  }
}

/** Builds calls from a receipt of the service, with the same fields of the same length. */
function callOf({ baseline, programId, members, items }: Target) {
  const { environmentId, receipt, actorId, expiresAt } = baseline;
  const lines = items > 0 ? JSON.stringify(itemsOf(items)) : null;
  const { own } = packedReceipts(receipt, environmentId);
  const now = new Date();
  const periodStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)).toISOString();
  return (number: number) => {
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
