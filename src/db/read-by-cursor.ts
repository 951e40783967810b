import type { ClientBase, QueryResultRow } from 'pg';

const ROWS_AT_ONCE = 200;
const TEXT_ROWS_AT_ONCE = 1_000;

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
  const fetch = async (): Promise<Row[]> =>
    (await client.query<Row>(`fetch ${ROWS_AT_ONCE} from ${name}`)).rows;
  for await (const rows of readBatches(client, name, query, values, fetch)) yield* rows;
}

/**
 * The same in batches of rows, each the cells of its columns as the text that Postgres sends: no cell is converted, so
 * that no integer is rounded.
 */
export function readTextByCursor(
  client: ClientBase,
  name: string,
  query: string,
  values: readonly unknown[],
): AsyncGenerator<(string | null)[][]> {
  const asText = { getTypeParser: () => (text: string) => text };
  return readBatches(client, name, query, values, async () => {
    const text = `fetch ${TEXT_ROWS_AT_ONCE} from ${name}`;
    return (await client.query<(string | null)[]>({ text, rowMode: 'array', types: asText })).rows;
  });
}

async function* readBatches<Row>(
  client: ClientBase,
  name: string,
  query: string,
  values: readonly unknown[],
  fetch: () => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  await client.query(`declare ${name} no scroll cursor for ${query}`, [...values]);
  let coming = fetch();
  for (;;) {
    const rows = await coming;
    if (rows.length === 0) break;
    // Postgres reads the next rows while these are processed. Where the consumer stops early, their result is ignored.
    coming = fetch();
    coming.catch(() => undefined);
    yield rows;
  }
  await client.query(`close ${name}`);
}
