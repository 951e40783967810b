import { ISSUER_COLUMNS, type IssuerRow } from '../auth/customer/issuer-directory.ts';
import type { TokenIssuer } from '../contract/generated/types.ts';
import type { Connections } from '../db/pool.ts';
import { fromTypeId, toTypeId } from '../ids.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { ListAccess, Listed, PageRequest } from './shared/listed.ts';

/** An issuer as it is stored, also one that was removed. */
export interface StoredIssuer extends IssuerRow {
  created_at: Date;
  removed_at: Date | null;
}

const COLUMNS = `${ISSUER_COLUMNS}, i.created_at, i.removed_at`;

/**
 * Reads an issuer with its keys, which nobody is shown.
 * @param issuerId the public id, as a client sends it
 * @returns null where the environment never had such an issuer
 */
export async function readTokenIssuer(
  connections: Pick<Connections, 'query'>,
  environmentId: string,
  issuerId: string,
): Promise<StoredIssuer | null> {
  const id = fromTypeId('iss', issuerId);
  if (id === null) return null;
  const { rows } = await connections.query<StoredIssuer>({
    name: 'read_token_issuer',
    text: `select ${COLUMNS} from token_issuers i
      join environments e on e.id = i.environment_id
      where i.environment_id = $1::uuid and i.id = $2::uuid`,
    values: [environmentId, id],
  });
  return rows[0] ?? null;
}

/** Lists the issuers, newest first, with those that were removed. @returns refusal: `invalid_cursor` */
export async function listOfTokenIssuers(
  { connections, cursors, environmentId }: ListAccess,
  { limit, cursor }: PageRequest,
): Promise<Listed<TokenIssuer> | Refusal> {
  const identity = { environmentId, list: 'tokenIssuers', filter: {} };
  const after = await cursors.read(identity, cursor);
  if (after && isRefusal(after)) return after;
  const { rows } = await connections.query<StoredIssuer>({
    name: 'list_token_issuers',
    text: `select ${COLUMNS} from token_issuers i
      join environments e on e.id = i.environment_id
      where i.environment_id = $1::uuid and ($2::uuid is null or i.id < $2::uuid)
      order by i.id desc
      limit $3::integer`,
    values: [environmentId, after?.[0] ?? null, limit + 1],
  });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit;
  return {
    data: shown.map(tokenIssuerView),
    page: { nextCursor: last && hasMore ? await cursors.write(identity, [last.id]) : null, hasMore },
  };
}

/** An issuer as it is shown: without its keys and its secret. */
export function tokenIssuerView(row: Omit<StoredIssuer, 'now' | 'kind'>): TokenIssuer {
  return {
    id: toTypeId('iss', row.id),
    ...{ issuer: row.issuer, audience: row.audience },
    keysFrom: row.jwks_url !== null ? 'jwks_url' : row.keys !== null ? 'jwks' : 'secret',
    jwksUrl: row.jwks_url,
    origins: row.origins,
    createdAt: row.created_at.toISOString(),
    removedAt: row.removed_at?.toISOString() ?? null,
  };
}
