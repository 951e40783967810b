import { newUuid, toTypeId } from '../../../src/ids.ts';
import type { TestDatabase } from '../database.ts';
import type { TestEnvironment } from './world.ts';

/** A transaction as a test wants to find it, with one posting. */
export interface PlantedTransaction {
  externalCustomerId: string;
  programId: string;
  eventType?: string;
  sourceReference?: string | null;
  state?: 'committed' | 'reversed';
  createdAt: string;
  reversalOf?: string;
}

/** Writes transactions past the door, so that a test need not wait for what takes time. @returns their outer ids */
export async function plantTransactions(
  { adminPool }: Pick<TestDatabase, 'adminPool'>,
  environment: Pick<TestEnvironment, 'id'>,
  planted: readonly PlantedTransaction[],
): Promise<string[]> {
  const rows = planted.map((row) => ({
    eventType: 'order.returned',
    sourceReference: null,
    state: 'committed',
    reversalOf: null,
    ...row,
    id: newUuid(),
  }));
  await adminPool.query(
    `with wanted as (
      select w.*, m.id as member_id
      from json_to_recordset($2) as w(id uuid, "externalCustomerId" text, "programId" text, "eventType" text,
        "sourceReference" text, state text, "createdAt" timestamptz, "reversalOf" uuid)
      join members m on m.environment_id = $1 and m.external_customer_id = w."externalCustomerId"
    ), transaction as (
      insert into transactions (environment_id, id, program_id, member_id, event_type, source_reference, state, points,
        occurred_at, created_at, reversal_of, receipt)
      select $1, id, "programId", member_id, "eventType", "sourceReference", state, 1, "createdAt", "createdAt",
        "reversalOf", '{}'
      from wanted
    )
    insert into postings (environment_id, transaction_id, line, program_id, member_id, debit_account, credit_account,
      amount, created_at)
    select $1, id, 1, "programId", member_id, 'program.issuance', 'member.available', 1, "createdAt"
    from wanted`,
    [environment.id, JSON.stringify(rows)],
  );
  return rows.map(({ id }) => toTypeId('txn', id));
}
