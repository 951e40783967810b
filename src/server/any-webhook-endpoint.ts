import type { Queryable } from '../db/pool.ts';

/** Whether any environment has a webhook endpoint, whose secret needs a key to be opened. */
export async function anyWebhookEndpoint(connection: Queryable): Promise<boolean> {
  const { rows } = await connection.query<{ found: boolean }>({
    name: 'any_webhook_endpoint',
    text: 'select exists (select from webhook_endpoints where deleted_at is null) as found',
    values: [],
  });
  return rows[0]?.found ?? false;
}
