import { findEnvironment } from '../../admin/shared/find-environment.ts';
import type { Caller } from '../../commands/shared/caller.ts';
import { storedReceipt } from '../../commands/shared/receipts.ts';
import { newUuid, toTypeId } from '../../ids.ts';
import type { Command } from '../../ledger/command.ts';
import type { Queries } from '../../queries/queries.ts';
import { createQueries } from '../../queries/queries.ts';
import { isRefusal, type Refusal } from '../../refusal.ts';
import { openDoor } from '../shell/door.ts';
import { orFail } from '../shell/failure.ts';
import type { Session } from '../shell/session.ts';

/** What the commands have in common. `environment` is a UUID. */
export interface WebhookOptions {
  environment: string;
  actor?: string;
  json?: boolean;
}

/** The reads and commands of one environment, for the operator of the command line. */
export interface WebhookSession {
  queries: Queries;
  /** A key that no command has used: each run of the command line is a new intention. */
  newKey(): string;
  /** Runs a command as the operator, under a request id of its own. @param make the command for the caller */
  submit<Receipt extends object>(make: (caller: Caller) => Command<Receipt>): Promise<Receipt | Refusal>;
}

/**
 * Opens the reads and the writer of one environment for the duration of some work.
 * @throws CliFailure where there is no such environment
 */
export async function withWebhooks<T>(
  { administrator, config, database, pool }: Session,
  environmentId: string,
  work: (session: WebhookSession) => Promise<T>,
): Promise<T> {
  orFail(await findEnvironment(administrator.prisma, environmentId));
  const { door, close } = openDoor(database, config);
  const actor = administrator.actor;
  const submit = async <Receipt extends object>(
    make: (caller: Caller) => Command<Receipt>,
  ): Promise<Receipt | Refusal> => {
    const requestId = toTypeId('req', newUuid());
    const outcome = await door.submit(make({ environmentId, actor, requestId }));
    return isRefusal(outcome) ? outcome : storedReceipt<Receipt>(outcome.receipt);
  };
  return work({ queries: createQueries(pool), newKey: newUuid, submit }).finally(close);
}
