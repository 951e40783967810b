import type { Queryable } from '../../db/pool.ts';

/** Whether any environment takes the tokens of an issuer whose secret needs a key to be opened. */
export async function anySealedIssuer(connection: Queryable): Promise<boolean> {
  const { rows } = await connection.query<{ found: boolean }>({
    name: 'any_sealed_issuer',
    text: `select exists (
        select id from token_issuers where sealed_secret is not null and removed_at is null
      ) as found`,
    values: [],
  });
  return rows[0]?.found ?? false;
}
