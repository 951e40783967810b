import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';

/**
 * The keys that encrypt secrets: those of SECRETS_KEY, or with the embedded Postgres the one in DATA_DIR.
 * @returns each 32 bytes in base64, the one that encrypts first; none where DATABASE_URL comes without SECRETS_KEY
 */
export async function secretsKeysOf({
  secretsKeys,
  databaseUrl,
  dataDir,
}: Pick<Config, 'secretsKeys' | 'databaseUrl' | 'dataDir'>): Promise<readonly string[]> {
  if (secretsKeys.length > 0) return secretsKeys;
  return databaseUrl === null ? [await readSecretsFile(dataDir)] : [];
}

/**
 * The key in DATA_DIR that encrypts secrets where SECRETS_KEY is absent. It is made at the first call. Of two
 * processes that make it at once, both get the same.
 * @returns 32 bytes in base64
 */
export async function readSecretsFile(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secrets.key');
  const draftFile = `${file}.${randomUUID()}`;
  await mkdir(dataDir, { recursive: true });
  const existing = await readFile(file, 'utf8').catch(() => null);
  if (existing !== null) return existing.trim();
  await writeFile(draftFile, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  // A link is made whole or not at all, and never in place of another file.
  await link(draftFile, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(draftFile);
  return (await readFile(file, 'utf8')).trim();
}
