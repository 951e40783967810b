import { findEnvironment } from '../../admin/shared/find-environment.ts';
import { toTypeId } from '../../ids.ts';
import { type EndpointOverview, readEndpointOverviews } from '../../queries/webhooks.ts';
import { orFail } from '../shell/failure.ts';
import { hint, print, table } from '../shell/output.ts';
import type { Session } from '../shell/session.ts';
import type { WebhookOptions } from './webhook-session.ts';

/** `rewards webhook list`. */
export async function listEndpoints(
  { administrator, pool }: Session,
  { environment, json }: WebhookOptions,
): Promise<void> {
  orFail(await findEnvironment(administrator.prisma, environment));
  const overviews = (await readEndpointOverviews(pool, environment)).map(shown);
  if (overviews.length === 0 && !json) hint('There is no webhook endpoint.');
  else print(json, { endpoints: overviews }, () => describe(overviews));
}

/** The endpoint without what its URL may say to nobody else: output of a terminal ends up in logs. */
function shown({ id, url, ...others }: EndpointOverview) {
  return { id: toTypeId('we', id), origin: new URL(url).origin, ...others };
}

function describe(overviews: readonly ReturnType<typeof shown>[]): string {
  return table(
    ['endpoint', 'origin', 'status', 'types', 'sequence', 'waiting', 'given up', 'last error'],
    overviews.map((each) => [
      each.id,
      each.origin,
      each.disabledReason ? `${each.status} (${each.disabledReason})` : each.status,
      each.eventTypes.length,
      each.lastSequence,
      each.waiting,
      each.givenUp,
      each.lastError ?? '-',
    ]),
  );
}
