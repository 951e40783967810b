import type { Pool } from '../src/db/pool.ts';
import { customerOf } from './purchases.ts';
import { itemsOf } from './requests.ts';
import type { BaselineTarget, StoredReceipt, Target } from './scenarios.ts';

/**
 * Sends one purchase and reads what the service has stored for it. The baseline writes rows of the same content.
 * @throws where the purchase is not accepted
 */
export async function firstPurchase(
  target: Omit<Target, 'baseline'>,
  pool: Pool,
  environmentId: string,
): Promise<Pick<BaselineTarget, 'receipt' | 'actorId' | 'expiresAt'>> {
  const response = await fetch(`http://127.0.0.1:${target.serverPort}/api/v1/events`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${target.apiKeys[0]}`,
      'X-Environment': target.environmentId,
      'Content-Type': 'application/json',
      'Idempotency-Key': 'first',
    },
    body: JSON.stringify({
      type: 'purchase.completed',
      programId: target.programId,
      externalCustomerId: customerOf(0, target.members),
      amountMinor: 100,
      channel: 'web',
      currency: 'USD',
      sourceReference: 'first',
      ...(target.items > 0 ? { items: itemsOf(target.items) } : {}),
    }),
  });
  if (response.status !== 201) throw new Error(`The first purchase was refused: ${await response.text()}`);
  const { rows } = await pool.query<{ receipt: StoredReceipt; actor_id: string; expires_at: Date | null }>(
    `select t.receipt, a.actor_id, l.expires_at
     from transactions t
     join lots l on l.environment_id = t.environment_id and l.transaction_id = t.id
     join audit_events a on a.environment_id = t.environment_id and a.action = 'purchase.completed'
     where t.environment_id = $1`,
    [environmentId],
  );
  const [row] = rows;
  if (!row) throw new Error('The first purchase was acknowledged, and is not there');
  return {
    receipt: row.receipt,
    actorId: row.actor_id,
    expiresAt: row.expires_at?.toISOString() ?? null,
  };
}
