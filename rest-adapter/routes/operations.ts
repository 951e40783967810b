import type { Route } from '../route.ts';

/** Reads of long-running operations and of the audit trail; lists come in pages. */
export const operationRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/operations',
    query: { type: 'filter.type', status: 'filter.status', limit: 'limit', cursor: 'cursor' },
    operation: 'operations',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'GET',
    path: '/operations/{id}',
    operation: 'operation',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'GET',
    path: '/audit-events',
    query: {
      action: 'filter.action',
      targetType: 'filter.targetType',
      targetId: 'filter.targetId',
      actorId: 'filter.actorId',
      from: 'filter.from',
      to: 'filter.to',
      limit: 'limit',
      cursor: 'cursor',
    },
    operation: 'auditEvents',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
];
