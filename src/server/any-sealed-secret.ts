import type { Queryable } from '../db/pool.ts';

/** Whether any environment has a secret that needs a key to be opened: of a webhook endpoint, or of an issuer of tokens. */
export async function anySealedSecret(connection: Queryable): Promise<boolean> {
  const { rows } = await connection.query<{ found: boolean }>({
    name: 'any_sealed_secret',
    text: `select exists (select from webhook_endpoints where deleted_at is null)
      or exists (select from token_issuers where sealed_secret is not null and removed_at is null) as found`,
    values: [],
  });
  return rows[0]?.found ?? false;
}
