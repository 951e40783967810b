import { requestId } from './example.ts';

const requested = {
  id: 'mrg_01jz8k4c1ve2nb7q9s0t2v4wxy',
  state: 'requested',
  sourceMemberId: 'mem_01jz8j2h4pf7r9t1v3x5z7b9cd',
  targetMemberId: 'mem_01jz8j1v6ye0mwz3r4t5b6n7pq',
  intoExternalCustomerId: 'customer-1001',
  reason: 'The customer had registered twice',
  requestedAt: '2026-01-31T12:00:00.000Z',
  expiresAt: '2026-02-14T12:00:00.000Z',
  decidedAt: null,
  decisionReason: null,
  programs: [],
  unmergeRequestedAt: null,
  unmergeReason: null,
  unmergeExpiresAt: null,
  unmergedAt: null,
  unmergeDecisionReason: null,
};

const decided = { decidedAt: '2026-01-31T14:30:00.000Z', decisionReason: 'Both accounts have the same card' };

const merged = {
  ...requested,
  ...decided,
  state: 'merged',
  programs: [{ programId: 'coffee-club', points: 120, lots: 3 }],
};

const unmergeRequested = {
  ...merged,
  state: 'unmerge_requested',
  unmergeRequestedAt: '2026-02-03T09:00:00.000Z',
  unmergeReason: 'Mother and daughter with one name',
  unmergeExpiresAt: '2026-02-17T09:00:00.000Z',
};

const listed = {
  ...requested,
  externalCustomerId: 'customer-2207',
  evidence: { ticket: 'CS-4712' },
  requestedBy: 'support-desk',
  decidedBy: null,
  unmergeRequestedBy: null,
  unmergedBy: null,
};

/** The operations on merges of members, as openapi.json shows them. */
export const mergeExamples = {
  memberMerges: {
    request: null,
    response: { requestId, data: [listed], page: { nextCursor: null, hasMore: false } },
  },
  memberMerge: { request: null, response: { requestId, merge: listed } },
  requestMemberMerge: {
    request: {
      intoExternalCustomerId: 'customer-1001',
      reason: 'The customer had registered twice',
      evidence: { ticket: 'CS-4712' },
    },
    response: { requestId, merge: requested },
  },
  approveMemberMerge: {
    request: { reason: 'Both accounts have the same card' },
    response: {
      requestId,
      merge: merged,
    },
  },
  rejectMemberMerge: {
    request: { reason: 'Two people of one household' },
    response: {
      requestId,
      merge: { ...requested, ...decided, state: 'rejected', decisionReason: 'Two people of one household' },
    },
  },
  requestMemberUnmerge: {
    request: { reason: 'Mother and daughter with one name' },
    response: { requestId, merge: unmergeRequested },
  },
  approveMemberUnmerge: {
    request: { reason: 'Two birthdays' },
    response: {
      requestId,
      merge: {
        ...unmergeRequested,
        state: 'unmerged',
        unmergedAt: '2026-02-03T11:20:00.000Z',
        unmergeDecisionReason: 'Two birthdays',
      },
    },
  },
  rejectMemberUnmerge: {
    request: { reason: 'It is one person' },
    response: { requestId, merge: merged },
  },
} as const;
