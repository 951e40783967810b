import type { Prisma } from '../../../generated/prisma/client.ts';
import { envelope, type Keyed } from '../../commands/shared/caller.ts';
import type { Mutation } from '../../contract/generated/types.ts';
import { beingReset, productionLocked } from '../../ledger/batch/decide-batch.ts';
import { idempotency, isOfInput, storedFingerprint } from '../../ledger/tables/idempotency-keys.ts';
import { type AdministrationCode, isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { type Administrator, type AdminOutcome, changeEnvironment } from './admin-change.ts';
import { findEnvironment } from './find-environment.ts';
import { environmentNow } from './write-trail.ts';

/** A mutation of management, as the API received it. */
export interface KeyedChange {
  /** UUID. */
  environmentId: string;
  /** SDL name of the mutation. */
  operation: keyof Mutation;
  /** Validated. */
  input: Keyed;
  /** Whether it is done in a locked environment too: the lock itself. */
  whileLocked?: boolean;
  /** Whether it waits for the running batches of the environment, as `changeEnvironment` says. */
  alone?: boolean;
}

/** What a mutation answers, and whether it is the answer of an earlier request under the same key. */
export interface KeyedReceipt<Receipt extends object> {
  receipt: Receipt;
  idempotent: boolean;
}

interface StoredKey {
  fingerprint: Uint8Array;
  receipt: object;
}

const keyReused = refuse(
  'idempotency_key_reused',
  'This Idempotency-Key was used before with another input. Use a new one for a new event.',
);

/**
 * Changes an environment once for each idempotency key, as the ledger's writer does with commands: the receipt is
 * stored under the key in the transaction of the change, and a request that is sent again gets it.
 * @param change as for `changeEnvironment`
 * @param stored what of the receipt is stored. Default: all of it. What is shown once is not
 * @returns a refusal of the change; `production_locked` while the environment is locked; `idempotency_key_reused`
 */
export function changeOnce<Receipt extends object>(
  administrator: Administrator,
  { environmentId, operation, input, whileLocked = false, alone = false }: KeyedChange,
  change: (
    transaction: Prisma.TransactionClient,
  ) => Promise<AdminOutcome<Receipt> | Refusal<AdministrationCode>>,
  stored: (receipt: Receipt) => object = (receipt) => receipt,
): Promise<KeyedReceipt<Receipt> | Refusal<AdministrationCode>> {
  const { actor, requestId = '' } = administrator;
  const { fingerprint } = envelope(operation, input, { environmentId, actor, requestId });
  const key = input.idempotencyKey;
  const once = async (
    transaction: Prisma.TransactionClient,
  ): Promise<AdminOutcome<KeyedReceipt<Receipt>> | Refusal<AdministrationCode>> => {
    // A request under the same key waits for the first one, and reads its receipt.
    const name = `${environmentId} ${operation} ${key}`;
    await transaction.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${name}, 1))`;
    const [known] = await transaction.$queryRaw<StoredKey[]>`
      select fingerprint, receipt from idempotency_keys
      where environment_id = ${environmentId}::uuid and operation = ${operation} and key = ${key}`;
    if (known) {
      if (!isOfInput(Buffer.from(known.fingerprint), fingerprint)) return keyReused;
      return { result: { receipt: known.receipt as Receipt, idempotent: true }, audit: null };
    }
    const locked = whileLocked ? null : await refuseLocked(transaction, environmentId);
    if (locked) return locked;
    const outcome = await change(transaction);
    if (isRefusal(outcome)) return outcome;
    const receipt = outcome.result;
    const record = {
      ...{ operation, key, fingerprint: storedFingerprint(fingerprint), receipt: stored(receipt) },
      ...{ transactionId: null, createdAt: await environmentNow(transaction, environmentId) },
    };
    const { text, values } = idempotency.insert(environmentId, [record]);
    await transaction.$executeRawUnsafe(text, ...values);
    return { ...outcome, result: { receipt, idempotent: false } };
  };
  return changeEnvironment(administrator, environmentId, once, { alone });
}

async function refuseLocked(
  transaction: Prisma.TransactionClient,
  environmentId: string,
): Promise<Refusal<AdministrationCode> | null> {
  const environment = await findEnvironment(transaction, environmentId);
  if (isRefusal(environment)) return environment;
  if (!environment.locked) return null;
  return environment.kind === 'sandbox' ? beingReset : productionLocked;
}
