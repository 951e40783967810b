import type { Queryable } from '../../db/pool.ts';

/** An endpoint and its signing secrets that are valid now, encrypted. */
export interface SealedEndpoint {
  /** UUID. */
  id: string;
  secret: Buffer;
  previousSecret: Buffer | null;
}

/** Reads the encrypted secrets of all endpoints, in every environment. */
export async function readSealedEndpoints(connection: Queryable): Promise<SealedEndpoint[]> {
  const { rows } = await connection.query<SealedEndpoint>({
    name: 'sealed_webhook_endpoints',
    text: `select id, secret,
        case when previous_secret_until > clock_timestamp() then previous_secret end as "previousSecret"
      from webhook_endpoints
      where deleted_at is null
      order by environment_id, id`,
    values: [],
  });
  return rows;
}
