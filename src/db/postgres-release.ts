import type { Pool } from './pool.ts';

/** The release of Postgres that answers: of 17.7 the major version is 17, and the minor 7. */
export interface PostgresRelease {
  major: number;
  minor: number;
}

/** The service must not write to this release of Postgres; the message says why, and what to do. */
export class ReleaseError extends Error {
  override name = 'ReleaseError';
}

const OLDEST_MAJOR = 15;

/**
 * The first minor release of each major version in which an update that names a row by its `ctid` looks again whether
 * the row is still that one, after it has waited for another transaction. Major versions that are not here have always
 * looked.
 */
const FIRST_SAFE_MINOR: Readonly<Record<number, number>> = { 15: 15, 16: 11, 17: 7, 18: 1 };

/** Asks the server for its release. Nothing else reads `server_version_num`. */
export async function readRelease(client: Pick<Pool, 'query'>): Promise<PostgresRelease> {
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::integer as version`,
  );
  const version = rows[0]?.version ?? 0;
  return { major: Math.floor(version / 10_000), minor: version % 10_000 };
}

/**
 * Checks that the service may write to the server.
 * @throws ReleaseError for a major version that is too old, and for a minor release that can lose a change
 */
export async function checkRelease(client: Pick<Pool, 'query'>): Promise<void> {
  const { major, minor } = await readRelease(client);
  const release = `Postgres ${major}.${minor}`;
  if (major < OLDEST_MAJOR) {
    throw new ReleaseError(
      `${release} answers. The service needs Postgres ${OLDEST_MAJOR} or later: move the database to one.`,
    );
  }
  const first = FIRST_SAFE_MINOR[major] ?? 0;
  if (minor >= first) return;
  throw new ReleaseError(
    `${release} answers. Before ${major}.${first} Postgres can update a row by its place (ctid) although another ` +
      'transaction has just changed it. The ledger updates rows by their places, so balances could be wrong. Install the ' +
      `latest minor release of Postgres ${major} and restart the database: its data can stay as they are.`,
  );
}
