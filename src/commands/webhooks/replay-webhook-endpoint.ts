import type { ReplayWebhookEndpointInput } from '../../contract/generated/types.ts';
import type { Receipt } from '../../contract/receipt.ts';
import { toTypeId } from '../../ids.ts';
import type { Command } from '../../ledger/command.ts';
import { realTime } from '../../ledger/tables/environments.ts';
import type { OperationRecord } from '../../ledger/tables/operations.ts';
import { refuse } from '../../refusal.ts';
import type { Caller } from '../shared/caller.ts';
import { endpointAudit, endpointCommand } from './endpoint-command.ts';

/** What a replay does: the `input` of its operation. */
export interface ReplayRange {
  /** UUID. */
  endpointId: string;
  /** Deliveries with a greater sequence are sent again, */
  sinceSequence: number;
  /** up to this one, the last that there was when the replay was asked for. */
  untilSequence: number;
}

/**
 * Asks for the deliveries of an endpoint after a sequence to be sent again. A process that delivers does so, in steps.
 * Refusals: `endpoint_not_found`, `endpoint_disabled`.
 */
export function replayWebhookEndpoint(
  input: ReplayWebhookEndpointInput,
  caller: Caller,
): Command<Receipt<'replayWebhookEndpoint'>> {
  return endpointCommand('replayWebhookEndpoint', input, caller, ({ endpoint, state, now }) => {
    if (endpoint.status !== 'active') {
      return refuse('endpoint_disabled', 'The endpoint is disabled: activate it first.');
    }
    // Work goes by the real time, and what is sent again takes its turn by it.
    const createdAt = realTime(state.environment, now);
    const { sinceSequence } = input;
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
  });
}
