import { randomBytes } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { Statement } from '../db/statement.ts';
import { referenceHash } from '../ledger/tables/erased-references.ts';

/**
 * Keeps references that this transaction renames from being used again: whoever has the member's old id next gets no
 * points for what was recorded before. Their hashes are stored, from which no reference can be read.
 * @param client in the transaction that renames them, so that at any time either the old name or its hash is found
 * @param names as `referenceName` makes them
 */
export async function keepUsed(
  client: PoolClient,
  environmentId: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  await client.query(makeReferenceSecret(environmentId, randomBytes(32)));
  const { rows } = await client.query<{ secret: string }>(referenceSecret(environmentId));
  const [environment] = rows;
  if (!environment) throw new Error(`no environment ${environmentId}`);
  const hashes = names.map((name) => referenceHash(environment.secret, name));
  await client.query(insertErasedReferences(environmentId, hashes));
}

/** The revision tells processes that serve the environment to look for erased references from now on. */
export function makeReferenceSecret(environmentId: string, secret: Buffer): Statement {
  return {
    name: 'make_reference_secret',
    text: `update environments set reference_secret = $2::bytea, revision = revision + 1
      where id = $1::uuid and reference_secret is null`,
    values: [environmentId, secret],
  };
}

export function referenceSecret(environmentId: string): Statement {
  return {
    name: 'reference_secret',
    text: `select encode(reference_secret, 'hex') as secret from environments where id = $1::uuid`,
    values: [environmentId],
  };
}

export function insertErasedReferences(environmentId: string, hashes: readonly Buffer[]): Statement {
  return {
    name: 'insert_erased_references',
    text: `insert into erased_references (environment_id, hash)
      values ($1::uuid, unnest($2::bytea[]))
      on conflict do nothing`,
    values: [environmentId, hashes],
  };
}
