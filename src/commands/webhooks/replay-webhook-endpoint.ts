import type { ReplayWebhookEndpointInput } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import { realTime } from '../../ledger/tables/environments.ts';
import type { OperationRecord } from '../../ledger/tables/operations.ts';
import { refuse } from '../../refusal.ts';
import type { Caller } from '../shared/caller.ts';
import type { CommandOf, DecisionOf } from '../shared/operation-command.ts';
import { type EndpointCase, endpointAudit, endpointCommand } from './endpoint-command.ts';

/** What a replay does: the `input` of its operation. */
export interface ReplayRange {
  /** UUID. */
  endpointId: string;
  /** Deliveries with a greater sequence are sent again, */
  sinceSequence: number;
  /** up to this one, the last that there was when the replay was asked for. */
  untilSequence: number;
}

/** The most replays of an endpoint that have yet to end: one that runs, and one that follows it. */
const MOST_UNFINISHED = 2;

/**
 * Asks for the deliveries of an endpoint after a sequence to be sent again. A process that delivers does so, in steps.
 * Refusals: `endpoint_not_found`, `endpoint_disabled`, `replay_limit_reached`.
 */
export function replayWebhookEndpoint(
  input: ReplayWebhookEndpointInput,
  caller: Caller,
): CommandOf<'replayWebhookEndpoint'> {
  return endpointCommand('replayWebhookEndpoint', input, caller, decideReplay, (endpointId) => [
    { kind: 'unfinishedReplays', endpointId },
  ]);
}

function decideReplay({
  input: { sinceSequence },
  endpoint,
  state,
  now,
}: EndpointCase<ReplayWebhookEndpointInput>): DecisionOf<'replayWebhookEndpoint'> {
  if (endpoint.status !== 'active') {
    return refuse('endpoint_disabled', 'The endpoint is disabled: activate it first.');
  }
  const unfinished = state.unfinishedReplays(endpoint.id);
  if (unfinished.length >= MOST_UNFINISHED) {
    const ids = unfinished.map(({ id }) => toTypeId('op', id)).join(' and ');
    return refuse(
      'replay_limit_reached',
      `The endpoint has ${unfinished.length} replays that have yet to end, the most possible: ${ids}. Wait for one.`,
    );
  }
  // Work goes by the real time, and what is sent again takes its turn by it.
  const createdAt = realTime(state.environment, now);
  const untilSequence = Math.max(sinceSequence, endpoint.lastSequence);
  const range: ReplayRange = { endpointId: endpoint.id, sinceSequence, untilSequence };
  const operation: OperationRecord = {
    id: state.newId(),
    type: 'webhook_replay',
    status: 'queued',
    progressTotal: untilSequence - sinceSequence,
    input: range,
    createdAt,
    leaseUntil: null,
  };
  const operationId = toTypeId('op', operation.id);
  return {
    receipt: {
      operation: {
        id: operationId,
        type: operation.type,
        status: operation.status,
        progress: { done: 0, total: operation.progressTotal },
        createdAt: createdAt.toISOString(),
        startedAt: null,
        finishedAt: null,
        result: null,
        error: null,
      },
    },
    inserts: { operations: [operation] },
    updates: {},
    audits: [
      endpointAudit('webhook_endpoint.replayed', endpoint, { operationId, sinceSequence, untilSequence }),
    ],
    webhookEvents: [],
  };
}
