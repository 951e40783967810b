import { newUuid, toTypeId } from '../../../src/ids.ts';
import type { TestDatabase } from '../database.ts';
import type { TestEnvironment } from './world.ts';

/** A transaction as a test wants to find it. */
export interface PlantedTransaction {
  externalCustomerId: string;
  programId: string;
  eventType?: string;
  sourceReference?: string | null;
  state?: 'committed' | 'reversed';
  createdAt: string;
  reversalOf?: string;
  /** So many, the first of one point, the second of two, and so on. Default 1. */
  postings?: number;
  /** What it was answered with. */
  receipt?: object;
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
    postings: 1,
    receipt: {},
    ...row,
    id: newUuid(),
  }));
  await adminPool.query(
    `with wanted as (
      select w.*, m.id as member_id
      from json_to_recordset($2) as w(id uuid, "externalCustomerId" text, "programId" text, "eventType" text,
        "sourceReference" text, state text, "createdAt" timestamptz, "reversalOf" uuid, postings integer,
        receipt json)
      join members m on m.environment_id = $1 and m.external_customer_id = w."externalCustomerId"
    ), transaction as (
      insert into transactions (environment_id, id, program_id, member_id, event_type, source_reference, state, points,
        occurred_at, created_at, reversal_of, receipt)
      select $1, id, "programId", member_id, "eventType", "sourceReference", state, postings, "createdAt", "createdAt",
        "reversalOf", receipt
      from wanted
    )
    insert into postings (environment_id, transaction_id, line, program_id, member_id, debit_account, credit_account,
      amount, created_at)
    select $1, id, line, "programId", member_id, 'program.issuance', 'member.available', line, "createdAt"
    from wanted cross join generate_series(1, postings) line`,
    [environment.id, JSON.stringify(rows)],
  );
  return rows.map(({ id }) => toTypeId('txn', id));
}
