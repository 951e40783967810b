import type { PoolClient } from 'pg';
import { inOneWrite } from '../../db/in-one-write.ts';
import type { Statement } from '../../db/statement.ts';
import { newUuid } from '../../ids.ts';
import type { ProgramCatalog } from '../../programs/published/program-catalog.ts';
import type { Command, Outcome } from '../command.ts';
import type { Retry } from '../retry.ts';
import { decideBatch } from './decide-batch.ts';
import { commitWith, flushStatements } from './flush-batch.ts';
import { loadBatch } from './load-batch.ts';

/**
 * Runs a batch of commands of one environment as one database transaction: lock and load, decide, flush, commit. The
 * number of round trips does not depend on the number of commands: two where `loadBatch` needs one round, and more
 * where it needs further rounds.
 * @returns the outcomes, in the order of the commands, once they are durable
 * @throws the database's error. Nothing of the batch is stored then, except where the connection was lost during
 *   COMMIT: then the stored idempotency keys show whether the transaction was committed
 */
export async function runBatch(
  client: PoolClient,
  commands: readonly Command[],
  catalog: ProgramCatalog,
): Promise<(Outcome | Retry)[]> {
  const environmentId = commands[0]?.environmentId;
  if (!environmentId) return [];
  // Outside the transaction, because reading documents may take long, and others would wait for the batch's locks.
  if (!catalog.knows(environmentId)) await catalog.refresh(client, environmentId);
  for (;;) {
    const outcomes = await runTransaction(client, environmentId, commands, catalog);
    if (outcomes) return outcomes;
    await catalog.refresh(client, environmentId);
  }
}

/** @returns null where the catalog has to be refreshed first; then the transaction was rolled back */
async function runTransaction(
  client: PoolClient,
  environmentId: string,
  commands: readonly Command[],
  catalog: ProgramCatalog,
): Promise<(Outcome | Retry)[] | null> {
  try {
    const decided = await loadAndDecide(client, environmentId, commands, catalog);
    if (!decided) {
      await client.query('rollback');
      return null;
    }
    await commitWith(client, decided.statements);
    return decided.outcomes;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/**
 * A function of its own, so that nothing refers to the rows of the batch while the database commits. Whatever is in use
 * when memory is collected is copied, and they were a seventh of it.
 */
async function loadAndDecide(
  client: PoolClient,
  environmentId: string,
  commands: readonly Command[],
  catalog: ProgramCatalog,
): Promise<{ outcomes: (Outcome | Retry)[]; statements: Statement[] } | null> {
  const [, batch] = await inOneWrite(client, () =>
    Promise.all([
      client.query('begin isolation level read committed'),
      loadBatch(client, environmentId, commands, catalog, newUuid),
    ]),
  );
  if (!batch) return null;
  const { working, now } = batch;
  return { outcomes: decideBatch(working, commands, now), statements: flushStatements(working) };
}
