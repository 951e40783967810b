import { urlsOfHosts } from '../../config.ts';

/** SQLSTATE of "permission denied". */
const INSUFFICIENT_PRIVILEGE = '42501';

/** Messages of the database, each with the statement that grants what is missing. `LOGIN` means the refused login. */
const MENDS: readonly [said: RegExp, mend: string][] = [
  [/permission denied for schema (\S+)/, 'grant usage, create on schema $1 to LOGIN;'],
  [/permission denied for database (\S+)/, 'grant create on database $1 to LOGIN;'],
  [/permission denied to create role/, 'alter role LOGIN createrole;'],
  [/permission denied to grant role "([^"]+)"/, 'grant $1 to LOGIN with admin option;'],
  [/permission denied to set role "([^"]+)"/, 'grant $1 to LOGIN;'],
  [
    /permission denied for (?:table|view|sequence|function)|must be (?:able to SET ROLE|owner of)/,
    'grant <owner> to LOGIN;    -- <owner> is the login that migrated; that of the server may not do this',
  ],
];

/**
 * Explains which privilege to grant where the database denied a permission.
 * @param error anything thrown; its causes are searched too
 * @param databaseUrl contains the login's name; null where it is not known
 * @returns null where the error is not about a permission, or names the grant itself
 */
export function explainPermission(error: unknown, databaseUrl: string | null): string | null {
  const message = refusedWith(error);
  if (message === null) return null;
  const [pattern, mend = ''] = MENDS.find(([candidate]) => candidate.test(message)) ?? [];
  const grant = pattern && message.match(pattern)?.[0].replace(pattern, mend);
  const lines = [`The database refused: ${message}.`];
  if (grant) {
    lines.push('Once, as its owner or as a superuser, run:');
    lines.push(`  ${grant.replaceAll('LOGIN', () => loginOf(databaseUrl))}`);
  }
  return [...lines, 'docs/operate/running.md, "Roles and privileges", says what each login needs.'].join(
    '\n',
  );
}

/** The database's message; null where it denied no permission, or where the error names the grant itself. */
function refusedWith(error: unknown): string | null {
  if (!isObject(error) || String(error.message).includes('run: grant ')) return null;
  const { code, message, originalCode, originalMessage, cause, meta } = error;
  if (code === INSUFFICIENT_PRIVILEGE) return String(message);
  if (originalCode === INSUFFICIENT_PRIVILEGE) return String(originalMessage);
  // Prisma keeps the driver's error in meta.driverAdapterError.
  return refusedWith(cause) ?? (isObject(meta) ? refusedWith(meta.driverAdapterError) : null);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function loginOf(databaseUrl: string | null): string {
  const url = databaseUrl === null ? '' : urlsOfHosts(databaseUrl)[0];
  const name = URL.canParse(url) ? decodeURIComponent(new URL(url).username) : '';
  if (name === '') return '<login>';
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
