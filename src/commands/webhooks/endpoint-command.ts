import type { ErrorCode } from '../../contract/generated/error-codes.ts';
import type { Mutation } from '../../contract/generated/types.ts';
import { fromTypeId, toTypeId } from '../../ids.ts';
import type { AuditEntry, Command, Decided, Decision, Subject } from '../../ledger/command.ts';
import type { State } from '../../ledger/state.ts';
import type { DeliveryRecord } from '../../ledger/tables/webhook-deliveries.ts';
import type { EndpointRecord } from '../../ledger/tables/webhook-endpoints.ts';
import { endpointNotFound } from '../../refusal.ts';
import { type Caller, envelope, type Keyed } from '../shared/caller.ts';

/** What a change of one endpoint is decided from. */
export interface EndpointCase<Input> {
  input: Input;
  /** Not deleted. */
  endpoint: EndpointRecord;
  state: State;
  now: Date;
}

/**
 * Commands on endpoints run in one lane of a process. An environment has few endpoints, and they are changed by hand.
 */
export const ENDPOINTS_LANE = 'webhook-endpoints';

/**
 * A change of one endpoint, or `endpoint_not_found`.
 * @param alsoOf the subjects beside the endpoint, by its UUID
 */
export function endpointCommand<
  Receipt extends object,
  Input extends Keyed & { endpointId: string },
  Code extends ErrorCode = never,
>(
  operation: keyof Mutation,
  input: Input,
  caller: Caller,
  decide: (endpointCase: EndpointCase<Input>) => Decided<Receipt, Code>,
  alsoOf: (id: string) => Subject[] = () => [],
): Command<Receipt, Code | 'endpoint_not_found'> {
  const id = fromTypeId('we', input.endpointId);
  return {
    ...envelope(operation, input, caller),
    laneKey: ENDPOINTS_LANE,
    subjects: id === null ? [] : [{ kind: 'webhookEndpoint', id }, ...alsoOf(id)],
    decide(state, now) {
      const endpoint = id === null ? null : state.row('webhookEndpoints', id);
      if (!endpoint || endpoint.deletedAt) {
        return endpointNotFound;
      }
      return decide({ input, endpoint, state, now });
    },
  };
}

/** What a decision about an endpoint writes, with its one entry in the audit trail. */
export function endpointChanges(
  action: string,
  endpoint: EndpointRecord,
  changes: object,
  deliveries: DeliveryRecord[] = [],
): Pick<Decision, 'inserts' | 'updates' | 'audits' | 'webhookEvents'> {
  return {
    inserts: { webhookDeliveries: deliveries },
    updates: { webhookEndpoints: [endpoint] },
    audits: [endpointAudit(action, endpoint, changes)],
    webhookEvents: [],
  };
}

/** @param changes without secrets: of a URL the origin alone, for paths and queries may contain credentials */
export function endpointAudit(action: string, { id }: EndpointRecord, changes: object): AuditEntry {
  return { action, targetType: 'webhook_endpoint', targetId: toTypeId('we', id), changes };
}
