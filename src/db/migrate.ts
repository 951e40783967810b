import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, DatabaseError } from 'pg';
import { INTERRUPTED } from './distribution.ts';
import { installJobSchema } from './job-schema.ts';
import { createClient, type Pool } from './pool.ts';
import { readRelease } from './postgres-release.ts';
import { primaryUrl } from './primary.ts';
import { statementsOf } from './script-statements.ts';

/**
 * The folder of the service's migrations, in Prisma's layout: `<name>/migration.sql`, applied in the order of names.
 */
export const MIGRATIONS_DIRECTORY = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

/** The migrations of the database and of this release do not fit together; the message says what a person has to do. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

interface AppliedMigration {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
  logs: string | null;
}

/** The advisory lock that Prisma takes too, so that `prisma migrate deploy` and this one wait for each other. */
export const MIGRATION_LOCK = 72_707_369;

/** SQLSTATE of "permission denied". */
const INSUFFICIENT_PRIVILEGE = '42501';

/** The bookkeeping table as Prisma's schema engine creates it. */
const CREATE_TABLE = `create table if not exists _prisma_migrations (
    id                      VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum                VARCHAR(64) NOT NULL,
    finished_at             TIMESTAMPTZ,
    migration_name          VARCHAR(255) NOT NULL,
    logs                    TEXT,
    rolled_back_at          TIMESTAMPTZ,
    started_at              TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count     INTEGER NOT NULL DEFAULT 0
)`;

/**
 * Applies the migrations that the database does not have yet, each in a transaction of its own together with its row in
 * _prisma_migrations. Grants the roles `rewards_app` and `rewards_operator` to the login that runs it, takes from
 * everybody but the owner the privilege to create temporary tables, and creates the tables of the job queue.
 * Where several processes start at once, one waits for the other.
 * @param anyUrl of the database, with a login that may create schemas, tables and roles
 * @returns the names of the migrations that this call applied, in order
 * @throws MigrationError where an applied migration was edited afterwards, or one failed half-way under Prisma
 * @throws MigrationError where a migration fails: it is rolled back, and the next call tries it again
 * @throws MigrationError where another login owns the role and did not grant it; the message names the missing grant
 * @throws MigrationError where `rewards distribute` was interrupted
 */
export async function migrate(anyUrl: string, directory: string = MIGRATIONS_DIRECTORY): Promise<string[]> {
  const migrations = await readMigrations(directory);
  const url = await primaryUrl(anyUrl);
  const client = createClient({ url }, { application_name: 'rewards migrate' });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
    await checkDistribution(client);
    await client.query(CREATE_TABLE);
    const pending = comparePending(migrations, await readApplied(client));
    for (const migration of pending) await apply(client, migration);
    for (const role of ['rewards_app', 'rewards_operator']) await grantRole(client, role);
    await revokeTemporary(client);
    await createJobSchema(url, client);
    return pending.map((migration) => migration.name);
  } finally {
    // Ends the session, and with it the lock.
    await client.end().catch(() => {});
  }
}

/**
 * The names of the migrations that this release has and the database does not, for readiness and `--status`.
 * @throws MigrationError where an applied migration was edited afterwards, or one failed half-way under Prisma
 */
export async function pendingMigrations(
  db: Pool | Client,
  directory: string = MIGRATIONS_DIRECTORY,
): Promise<string[]> {
  const migrations = await readMigrations(directory);
  const { rows } = await db.query("select to_regclass('_prisma_migrations') is not null as found");
  const applied = rows[0]?.found ? await readApplied(db) : [];
  return comparePending(migrations, applied).map((migration) => migration.name);
}

/** @throws MigrationError where tables are without their foreign keys */
async function checkDistribution(client: Client): Promise<void> {
  const { rows } = await client.query<{ interrupted: boolean }>(INTERRUPTED);
  if (!rows[0]?.interrupted) return;
  throw new MigrationError(
    'The distribution of the tables was interrupted, and some are without ' +
      'their foreign keys. Let it go on: rewards distribute',
  );
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const migrations = names.sort().map(async (name) => {
    const sql = await readFile(join(directory, name, 'migration.sql'), 'utf8');
    return { name, sql, checksum: checksumOf(sql) };
  });
  return Promise.all(migrations);
}

async function readApplied(db: Pool | Client): Promise<AppliedMigration[]> {
  const { rows } = await db.query<AppliedMigration>(
    `select migration_name, checksum, finished_at, logs from _prisma_migrations
     where rolled_back_at is null order by started_at`,
  );
  return rows;
}

/**
 * The migrations that are not applied yet. Applied ones of a later release are no error: old nodes still start while
 * nodes are replaced one by one.
 */
function comparePending(migrations: Migration[], applied: AppliedMigration[]): Migration[] {
  const appliedByName = new Map(applied.map((row) => [row.migration_name, row]));
  return migrations.filter((migration) => {
    const row = appliedByName.get(migration.name);
    if (!row) return true;
    if (row.finished_at === null) {
      throw new MigrationError(
        `Migration ${migration.name} failed half-way before${row.logs ? `: ${firstLine(row.logs)}` : ''}. Put the ` +
          'schema right, then tell with "prisma migrate resolve" whether it counts as applied or rolled back.',
      );
    }
    if (!matchesChecksum(migration.sql, row.checksum)) {
      throw new MigrationError(
        `Migration ${migration.name} was edited after it had been applied to this database. Restore its file, and ` +
          'make the change in a new migration.',
      );
    }
    return false;
  });
}

async function apply(client: Client, migration: Migration): Promise<void> {
  const id = randomUUID();
  let statementStart = 0;
  // Prisma commits the start of a migration separately, to show a crash half-way. Here a migration is one transaction.
  await client.query('begin');
  try {
    await client.query(
      `insert into _prisma_migrations (id, checksum, migration_name, started_at)
       values ($1, $2, $3, clock_timestamp())`,
      [id, migration.checksum, migration.name],
    );
    // One at a time: of a text of several statements, Citus sends all of it to each shard, which takes only one.
    for (const statement of statementsOf(migration.sql)) {
      statementStart = statement.offset;
      await client.query(statement.text);
    }
    await client.query(
      `update _prisma_migrations set applied_steps_count = applied_steps_count + 1, finished_at = clock_timestamp()
       where id = $1`,
      [id],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    const { message, position } = error as Error & { position?: string };
    const line = position
      ? migration.sql.slice(0, statementStart + Number(position)).split('\n').length
      : null;
    const location = line === null ? '' : ` at line ${line}`;
    throw new MigrationError(
      `Migration ${migration.name} failed${location} and was rolled back: ${message}`,
      {
        cause: error,
      },
    );
  }
}

/**
 * Grants a role of the service to the login of `client`, where it cannot take it yet: since Postgres 16 the creator of
 * a role may grant it but not take it. A superuser may take any role.
 */
async function grantRole(client: Client, role: string): Promise<void> {
  const { major } = await readRelease(client);
  const { rows } = await client.query<{ login: string; missing: boolean }>(
    `select quote_ident(current_user) as login, exists (select from pg_roles where rolname = $2)
        and not (select rolsuper from pg_roles where rolname = current_user)
        and not pg_has_role(current_user, to_regrole($2), $1) as missing`,
    [major >= 16 ? 'SET' : 'MEMBER', role],
  );
  if (!rows[0]?.missing) return;
  try {
    await client.query(`grant ${role} to current_user`);
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new MigrationError(
      `The database refused: ${error.message}. Another login made that role. Once, as that login or as a ` +
        `superuser, run: grant ${role} to ${rows[0].login} with admin option (docs/operate/running.md says why).`,
      { cause: error },
    );
  }
}

/**
 * Takes the privilege to create temporary tables from PUBLIC, and so from the server's role. Privileges of a database
 * are in no dump and in no copy of it, so each call looks at them. Only the database's owner may take it; where another
 * login migrates, nothing happens (docs/operate/running.md has the statement).
 */
async function revokeTemporary(client: Client): Promise<void> {
  const { rows } = await client.query<{ database: string }>(
    `select quote_ident(datname) as database from pg_database
      where datname = current_database() and pg_has_role(datdba, 'usage')
        and has_database_privilege('public', oid, 'temporary')`,
  );
  if (rows[0]) await client.query(`revoke temporary on database ${rows[0].database} from public`);
}

async function createJobSchema(url: string, client: Client): Promise<void> {
  try {
    await installJobSchema(url, client);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === INSUFFICIENT_PRIVILEGE)) throw error;
    const { rows } = await client.query<{ login: string; database: string }>(
      'select quote_ident(current_user) as login, quote_ident(current_database()) as database',
    );
    throw new MigrationError(
      `The database refused: ${error.message}. Jobs have a schema of their own. Once, as the owner of the database or ` +
        `as a superuser, run: grant create on database ${rows[0]?.database} to ${rows[0]?.login} ` +
        '(docs/operate/running.md).',
      { cause: error },
    );
  }
}

/** As in Prisma: the SHA-256 of the file, in lower-case hexadecimal. */
function checksumOf(sql: string): string {
  return createHash('sha256').update(sql).digest('hex');
}

/** As in Prisma: with any line ends, because git may convert them. */
function matchesChecksum(sql: string, checksum: string): boolean {
  const spellings = [sql, sql.replaceAll('\r\n', '\n'), sql.replaceAll('\n', '\r\n')];
  return spellings.some((spelling) => checksumOf(spelling) === checksum);
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}
