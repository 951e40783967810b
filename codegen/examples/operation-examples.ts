import type { documents } from '../../rest-adapter/generated/documents.ts';
import { sealedEvent, sealHash } from '../../src/queries/audit/audit-event-view.ts';
import { type Example, requestId } from './example.ts';

const operation = {
  id: 'op_01jz8k2v9we2x9k3m5n7p9q1rs',
  type: 'import',
  status: 'succeeded',
  progress: { done: 3, total: 3 },
  createdAt: '2026-01-31T12:00:00.000Z',
  startedAt: '2026-01-31T12:00:00.000Z',
  finishedAt: '2026-01-31T12:00:01.000Z',
  result: {
    rows: 3,
    committed: 2,
    replayed: 0,
    rejected: 1,
    membersCreated: 2,
    committedPoints: '24',
    replayedPoints: '0',
  },
  error: null,
};

/** The first audit event of an environment, with the seal that it gets. */
const purchase = {
  id: '01980f31-6d3d-7a6e-8b1a-9f2d4c6e8a10',
  action: 'purchase.completed',
  targetType: 'transaction',
  targetId: 'txn_01jz8k2v9xe6tr8p2w4y6z8abc',
  actorType: 'api_key',
  actorId: 'shop-backend',
  at: new Date('2026-01-31T12:00:00.000Z'),
  requestId,
  changes: { programId: 'coffee-club', sourceReference: 'order-5001', points: 12 },
} as const;

export const operationExamples: Readonly<
  Record<keyof typeof documents & ('operation' | 'operations' | 'auditEvents'), Example>
> = {
  operation: { request: null, response: { requestId, operation } },
  operations: {
    request: null,
    response: { requestId, data: [operation], page: { nextCursor: null, hasMore: false } },
  },
  auditEvents: {
    request: null,
    response: {
      requestId,
      data: [
        {
          ...sealedEvent(purchase),
          seal: { position: 1, hash: sealHash(Buffer.alloc(32), purchase).toString('hex') },
        },
      ],
      page: { nextCursor: null, hasMore: false },
    },
  },
};
