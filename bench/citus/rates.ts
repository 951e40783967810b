import { operator } from '../../src/admin/shared/admin-change.ts';
import { purchaseEarn } from '../../src/commands/earning/purchase-earn.ts';
import { createPool } from '../../src/db/pool.ts';
import { createPrisma } from '../../src/db/prisma.ts';
import { createLanePool } from '../../src/ledger/batch/lane-pool.ts';
import { Writer } from '../../src/ledger/batch/writer.ts';
import { ProgramCatalog } from '../../src/programs/published/program-catalog.ts';
import { isRefusal } from '../../src/refusal.ts';
import { customerOf, purchaseOf } from '../purchases.ts';
import { Seeder } from '../seed.ts';
import { checkLedger } from './check-ledger.ts';

/** Connections of the writer, to the coordinator. */
const CONNECTIONS = 16;
/** Purchases in flight, over all environments. */
const IN_FLIGHT = 512;
const MEMBERS = 2_000;
const WARM_UP_SECONDS = 2;

/** What was measured with a number of environments. */
export interface Rate {
  environments: number;
  purchasesPerSecond: number;
  /** Purchases a transaction. */
  batch: number;
}

/**
 * Measures purchases a second with different numbers of environments, through one writer as in a serving process, and
 * verifies the ledger afterwards.
 * @param url of the database, with the owner's login
 * @throws where a purchase is refused, or a control of the ledger fails
 */
export async function measureRates(
  url: string,
  { seconds, environments }: { seconds: number; environments: readonly number[] },
): Promise<Rate[]> {
  const pool = createPool({ url, size: 4, statementTimeoutMs: 0 });
  const prisma = createPrisma(pool);
  try {
    const seeder = await Seeder.open({ prisma, actor: operator('bench') }, pool);
    const rates: Rate[] = [];
    for (const count of environments) {
      const ids: string[] = [];
      for (let made = 0; made < count; made++) {
        ids.push((await seeder.makePlace(`Shop ${count}-${made}`, MEMBERS, 1)).uuid);
      }
      await pool.query('analyze');
      rates.push(await measure(url, ids, seeder.document.id, seconds));
    }
    await checkLedger(pool);
    return rates;
  } finally {
    await prisma.$disconnect();
    await pool.end();
  }
}

async function measure(
  url: string,
  environmentIds: readonly string[],
  programId: string,
  seconds: number,
): Promise<Rate> {
  const pool = createLanePool({ url, role: 'rewards_app', size: CONNECTIONS });
  let counting = false;
  let batches = 0;
  let purchases = 0;
  const writer = new Writer({
    pool,
    catalog: new ProgramCatalog(),
    onBatch(commands) {
      if (!counting) return;
      batches += 1;
      purchases += commands;
    },
  });
  let number = 0;
  const begun = performance.now();
  const end = begun + (WARM_UP_SECONDS + seconds) * 1000;
  const buy = async (environmentId: string): Promise<void> => {
    while (performance.now() < end) {
      counting = performance.now() > begun + WARM_UP_SECONDS * 1000;
      const { idempotencyKey, sourceReference, amountMinor } = purchaseOf('b', number, MEMBERS);
      const externalCustomerId = customerOf(number++, MEMBERS);
      const outcome = await writer.submit(
        purchaseEarn(
          { idempotencyKey, sourceReference, amountMinor, externalCustomerId, programId, channel: 'web' },
          { environmentId, actor: { type: 'api_key', id: 'key_bench' }, requestId: 'req_bench' },
        ),
      );
      if (typeof outcome === 'object' && isRefusal(outcome)) throw new Error(outcome.message);
    }
  };
  const buyers = Array.from({ length: IN_FLIGHT }, (_, index) =>
    buy(environmentIds[index % environmentIds.length] ?? ''),
  );
  await Promise.all(buyers);
  await writer.close();
  await pool.end();
  return {
    environments: environmentIds.length,
    purchasesPerSecond: purchases / seconds,
    batch: purchases / Math.max(1, batches),
  };
}
