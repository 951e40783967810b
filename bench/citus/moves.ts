import { setTimeout as sleep } from 'node:timers/promises';
import { operator } from '../../src/admin/shared/admin-change.ts';
import { purchaseEarn } from '../../src/commands/earning/purchase-earn.ts';
import { createPool, type Pool } from '../../src/db/pool.ts';
import { createPrisma } from '../../src/db/prisma.ts';
import { createLanePool } from '../../src/ledger/batch/lane-pool.ts';
import { Writer } from '../../src/ledger/batch/writer.ts';
import { ProgramCatalog } from '../../src/programs/published/program-catalog.ts';
import { isRefusal } from '../../src/refusal.ts';
import { type BenchPurchase, customerOf, purchaseOf } from '../purchases.ts';
import { Seeder } from '../seed.ts';
import { checkLedger } from './check-ledger.ts';

const ENVIRONMENTS = 8;
const MEMBERS = 500;
/** Clients, each of which sends its next purchase when the one before it was acknowledged. */
const CLIENTS = 8;
const CONNECTIONS = 8;
/** How long a client waits before it sends a purchase again, under the same key. */
const RETRY_MS = 100;

/** What happened while an operator's statement ran. */
export interface Move {
  statement: string;
  seconds: number;
  /** Purchases that were acknowledged meanwhile. */
  acknowledged: number;
  /** The longest that one of them took, with its retries. */
  longestSeconds: number;
}

/**
 * Gives an environment shards of its own, moves them to a node that was added, and rebalances all others onto it, while
 * clients buy, and then looks for each acknowledged purchase.
 * @param url of the database on the coordinator, with the owner's login
 * @param spare address of the node to add: it has the database and Citus, and is not in the cluster yet
 * @throws where a purchase that was acknowledged is not there once, or a control of the ledger fails
 */
export async function moveUnderLoad(url: string, spare: { host: string; port: number }): Promise<Move[]> {
  const pool = createPool({ url, size: 2, statementTimeoutMs: 0 });
  const prisma = createPrisma(pool);
  try {
    const seeder = await Seeder.open({ prisma, actor: operator('bench') }, pool);
    const ids: string[] = [];
    for (let made = 0; made < ENVIRONMENTS; made++) {
      ids.push((await seeder.makePlace(`Shop ${made}`, MEMBERS, 1)).uuid);
    }
    const load = new Load(url, ids, seeder.document.id);
    const moves: Move[] = [];
    try {
      await sleep(1_000);
      for (const statement of statementsFor(ids[0] ?? '', spare)) {
        process.stderr.write(`${statement} …\n`);
        moves.push(await load.during(statement, () => pool.query(statement)));
      }
    } catch (error) {
      load.giveUp();
      throw error;
    } finally {
      await load.stop();
    }
    for (const [environmentId, references] of load.acknowledged) {
      await checkOrders(pool, environmentId, references);
    }
    await checkLedger(pool);
    return moves;
  } finally {
    await prisma.$disconnect();
    await pool.end();
  }
}

/** The statements of docs/operate/distributed.md, each with the values that an operator looks up. */
function* statementsFor(
  environmentId: string,
  { host, port }: { host: string; port: number },
): Generator<string> {
  const own = `get_shard_id_for_distribution_column('environments', '${environmentId}'::uuid)`;
  // Without 'block_writes' Citus 13.2 does not come to an end while rows of the shard are updated
  // (docs/operate/distributed.md).
  yield `select isolate_tenant_to_new_shard('environments', '${environmentId}', 'CASCADE', 'block_writes')`;
  yield `select citus_add_node('${host}', ${port})`;
  // A rebalance does it by itself.
  yield 'select replicate_reference_tables()';
  yield `select citus_move_shard_placement(shardid, nodename, nodeport, '${host}', ${port}) from citus_shards where shardid = ${own}`;
  yield 'select citus_rebalance_start()';
  yield 'select citus_rebalance_wait()';
}

/** Clients that buy until they are stopped. */
class Load {
  /** References of the acknowledged purchases, by environment. */
  readonly acknowledged = new Map<string, string[]>();
  readonly #writer: Writer;
  readonly #pool: Pool;
  readonly #programId: string;
  readonly #clients: Promise<void>[];
  #number = 0;
  #count = 0;
  #longestMs = 0;
  #stopped = false;
  #givenUp = false;

  constructor(url: string, environmentIds: readonly string[], programId: string) {
    this.#programId = programId;
    this.#pool = createLanePool({ url, role: 'rewards_app', size: CONNECTIONS });
    this.#writer = new Writer({ pool: this.#pool, catalog: new ProgramCatalog() });
    for (const id of environmentIds) this.acknowledged.set(id, []);
    this.#clients = Array.from({ length: CLIENTS }, (_, index) =>
      this.#buy(environmentIds[index % environmentIds.length] ?? ''),
    );
  }

  /** Runs a statement, and tells what the clients saw meanwhile. */
  async during(statement: string, work: () => Promise<unknown>): Promise<Move> {
    const [before, begun] = [this.#count, performance.now()];
    this.#longestMs = 0;
    await work();
    return {
      statement,
      seconds: (performance.now() - begun) / 1000,
      acknowledged: this.#count - before,
      longestSeconds: this.#longestMs / 1000,
    };
  }

  /** Sends nothing again. */
  giveUp(): void {
    this.#givenUp = true;
  }

  /** Waits until everything that was sent is acknowledged. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#clients);
    await this.#writer.close();
    await this.#pool.end();
  }

  async #buy(environmentId: string): Promise<void> {
    while (!this.#stopped) {
      const number = this.#number++;
      const purchase = {
        ...purchaseOf('b', number, MEMBERS),
        externalCustomerId: customerOf(number, MEMBERS),
      };
      const begun = performance.now();
      while (!(await this.#isAcknowledged(environmentId, purchase))) {
        if (this.#givenUp) return;
        await sleep(RETRY_MS);
      }
      this.#longestMs = Math.max(this.#longestMs, performance.now() - begun);
      this.#count += 1;
      this.acknowledged.get(environmentId)?.push(purchase.sourceReference);
    }
  }

  /** Sends a purchase. A client gets 503 for what the writer throws or refuses as overloaded, and sends it again. */
  async #isAcknowledged(environmentId: string, purchase: BenchPurchase): Promise<boolean> {
    const caller = {
      environmentId,
      actor: { type: 'api_key', id: 'key_bench' },
      requestId: 'req_bench',
    } as const;
    const command = purchaseEarn({ ...purchase, programId: this.#programId, channel: 'web' }, caller);
    const outcome = await this.#writer.submit(command).catch(() => null);
    if (outcome === null) return false;
    if (typeof outcome !== 'object' || !isRefusal(outcome)) return true;
    if (outcome.code === 'overloaded') return false;
    throw new Error(outcome.message);
  }
}

/** @throws where an acknowledged purchase is not there once, or one is there that nobody was told of */
async function checkOrders(pool: Pool, environmentId: string, references: readonly string[]): Promise<void> {
  const { rows } = await pool.query<{ reference: string; transactions: number }>(
    `select o.source_reference as reference, count(*)::integer as transactions
      from orders o
      join transactions t on t.environment_id = o.environment_id and t.source_reference = o.source_reference
      where o.environment_id = $1::uuid group by 1`,
    [environmentId],
  );
  const once = new Set(
    rows.filter(({ transactions }) => transactions === 1).map(({ reference }) => reference),
  );
  const missing = references.filter((reference) => !once.has(reference));
  if (missing.length > 0 || rows.length !== references.length) {
    throw new Error(
      `Of ${references.length} acknowledged purchases ${missing.length} are ` +
        `not there once; there are ${rows.length} orders.`,
    );
  }
}
