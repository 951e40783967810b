import type { Pool } from 'pg';
import type { ExchangeReceipt } from '../commands/exchange/exchange-decision.ts';
import type { Mutation } from '../contract/generated/types.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { fromTypeId } from '../ids.ts';
import { importEnrollmentKey, importKey } from '../import/import-keys.ts';
import { referenceName } from '../ledger/tables/erased-references.ts';
import { type ErasedMember, Forgotten } from './forgotten.ts';
import {
  type ChangedKey,
  consentTimes,
  EXCHANGES,
  type KeyRow,
  ownOf,
  pageOfKeys,
  renameKey,
  updateKeys,
} from './key-statements.ts';
import { keepUsed } from './used-references.ts';

/**
 * Operations that move no points and that the next member of the id goes through as well: merchants make their keys
 * from the id alone. All other keys stay used.
 */
const FREED: ReadonlySet<string> = new Set<keyof Mutation>([
  'createMember',
  'updateMember',
  'enrollMember',
  'unenrollMember',
  'enrollCustomer',
  'unenrollCustomer',
  'tagMember',
  'untagMember',
  'addToList',
  'removeFromList',
  'suspendMember',
  'resumeMember',
]);

/** Idempotency keys, and the receipts that they hold. */
export async function eraseKeys(pool: Pool, member: ErasedMember): Promise<void> {
  const { environmentId } = member;
  const forgotten = new Forgotten(member);
  const { rows: consents } = await pool.query<{ at: Date }>(consentTimes(member));
  const times = consents.map(({ at }) => at);
  let after: Pick<KeyRow, 'operation' | 'key'> = { operation: '', key: '' };
  for (;;) {
    const { rows } = await pool.query<KeyRow>(pageOfKeys(member, after, times));
    const ownRows = await ownKeys(pool, member, rows);
    const changed = ownRows.map(
      ({ operation, key, receipt }): ChangedKey => ({
        operation,
        key,
        new_key: forgotten.reference(key),
        receipt: receipt && forgotten.json(receipt),
      }),
    );
    if (changed.length > 0) {
      const used = changed.filter(({ operation, key, new_key }) => key !== new_key && !FREED.has(operation));
      await inTransaction(pool, async (client) => {
        await client.query(updateKeys(environmentId, changed));
        const names = used.map(({ operation, key }) => referenceName('idempotencyKey', operation, key));
        await keepUsed(client, environmentId, names);
      });
    }
    const last = rows.at(-1);
    if (!last?.is_last) break;
    after = last;
  }
  await renameImportKeys(pool, member, forgotten);
}

/**
 * The rows that are the member's. Receipts of events, choices and settlements name no member: other rows of theirs do.
 */
async function ownKeys(pool: Pool, member: ErasedMember, rows: readonly KeyRow[]): Promise<KeyRow[]> {
  const idOf = ({ operation, receipt }: KeyRow): string | null => {
    const id = typeof receipt?.id === 'string' ? receipt.id : '';
    if (EXCHANGES.includes(operation))
      return fromTypeId('txn', (receipt as ExchangeReceipt | null)?.exchange.transactionId ?? '');
    if (operation === 'recordCustomEvent') return fromTypeId('evt', id);
    return operation === 'claimChoiceBenefit' ? fromTypeId('chc', id) : null;
  };
  const ids = rows.flatMap((row) => idOf(row) ?? []);
  const result = ids.length > 0 ? await pool.query<{ id: string }>(ownOf(member, ids)) : { rows: [] };
  const ownIds = new Set(result.rows.map(({ id }) => id));
  return rows.filter((row) => row.names_member || row.of_member || ownIds.has(idOf(row) ?? ''));
}

/** Imports make the keys of new members and enrollments from the id. The next customer of this id is to be new. */
async function renameImportKeys(pool: Pool, member: ErasedMember, { newId }: Forgotten): Promise<void> {
  const { environmentId, externalCustomerId, memberId } = member;
  const { rows } = await pool.query<{ program_id: string }>({
    name: 'erasure_programs',
    text: `select program_id from program_profiles where environment_id = $1::uuid and member_id = $2::uuid`,
    values: [environmentId, memberId],
  });
  const rename = (operation: string, old: string, as: string): Promise<unknown> =>
    pool.query(renameKey(member, operation, { old, new: as }));
  await rename('createMember', importKey(externalCustomerId), importKey(newId));
  for (const { program_id } of rows) {
    const old = importEnrollmentKey(program_id, externalCustomerId);
    await rename('enrollMember', old, importEnrollmentKey(program_id, newId));
  }
}
