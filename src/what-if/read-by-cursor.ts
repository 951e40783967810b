import type { ClientBase, QueryResult, QueryResultRow } from 'pg';

const ROWS_AT_ONCE = 200;

/**
 * Reads the rows of a query one after the other, with at most two batches of them in memory. Call it in a transaction,
 * whose snapshot it uses.
 * @param name of the cursor: unique within the transaction
 */
export async function* readByCursor<Row extends QueryResultRow>(
  client: ClientBase,
  name: string,
  query: string,
  values: readonly unknown[],
): AsyncGenerator<Row> {
  await client.query(`declare ${name} no scroll cursor for ${query}`, [...values]);
  const fetch = (): Promise<QueryResult<Row>> => client.query<Row>(`fetch ${ROWS_AT_ONCE} from ${name}`);
  let coming = fetch();
  for (;;) {
    const { rows } = await coming;
    if (rows.length === 0) break;
    // Postgres reads the next rows while these are processed. Where the consumer stops early, their result is ignored.
    coming = fetch();
    coming.catch(() => undefined);
    yield* rows;
  }
  await client.query(`close ${name}`);
}
