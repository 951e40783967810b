import type { Plugin } from 'graphql-yoga';
import { type Refusal, refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { GraphqlRequest } from '../execution/graphql-request.ts';
import type { OperationCost } from '../limits/document-cost.ts';

/**
 * Finds the operation that the request asks for: the one it names, or the only one. Subscriptions are refused. This
 * runs as soon as the document is parsed, before Yoga does the same: Yoga's own error would have no code.
 */
export function useOperationChoice(): Plugin<GraphqlRequest, GraphqlRequest> {
  return {
    onParse:
      () =>
      ({ context }) => {
        const request = context as GraphqlRequest;
        if (request.document === null) return;
        const chosen = chooseOperation(request.document.operations, context.params.operationName);
        if ('refused' in chosen) throw refusalError(chosen, request.requestId);
        request.operation = chosen;
      },
  };
}

function chooseOperation(
  operations: readonly OperationCost[],
  name: string | null | undefined,
): OperationCost | Refusal {
  const first = operations[0];
  if (!first) return refuse('graphql_validation_failed', 'The document has no operation');
  let chosen: OperationCost | undefined = first;
  // An empty name does not count as absent: no operation can have it.
  if (name !== null && name !== undefined) {
    chosen = operations.find((operation) => operation.name === name);
    if (!chosen) return refuse('graphql_validation_failed', `The document has no operation named "${name}"`);
  } else if (operations.length > 1) {
    return refuse('graphql_validation_failed', 'The document has several operations: name one');
  }
  if (chosen.kind === 'subscription') {
    return refuse('graphql_validation_failed', 'Subscriptions are not supported');
  }
  return chosen;
}
