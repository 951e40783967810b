import type { ClientBase, QueryResultRow } from 'pg';

const ROWS_AT_ONCE = 200;

/**
 * Reads the rows of a query one after the other and holds a batch of them at most. In a transaction of the caller,
 * whose snapshot it shares.
 * @param name of the cursor: unique within the transaction
 */
export async function* readByCursor<Row extends QueryResultRow>(
  client: ClientBase,
  name: string,
  query: string,
  values: readonly unknown[],
): AsyncGenerator<Row> {
  await client.query(`declare ${name} no scroll cursor for ${query}`, [...values]);
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${ROWS_AT_ONCE} from ${name}`);
    if (rows.length === 0) break;
    yield* rows;
  }
  await client.query(`close ${name}`);
}
