import type { Route } from '../route.ts';

/**
 * Merges of two accounts of one person, and their undoing: one principal requests it, another one approves or rejects
 * it.
 */
export const memberMergeRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/member-merges',
    query: { state: 'filter.state', limit: 'limit', cursor: 'cursor' },
    operation: 'memberMerges',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'GET',
    path: '/member-merges/{mergeId}',
    operation: 'memberMerge',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/members/{externalId}/merge',
    pathNames: { externalId: 'externalCustomerId' },
    operation: 'requestMemberMerge',
    status: { fresh: 201, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/member-merges/{mergeId}/approve',
    operation: 'approveMemberMerge',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/member-merges/{mergeId}/reject',
    operation: 'rejectMemberMerge',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/member-merges/{mergeId}/unmerge',
    operation: 'requestMemberUnmerge',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/member-merges/{mergeId}/unmerge/approve',
    operation: 'approveMemberUnmerge',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/member-merges/{mergeId}/unmerge/reject',
    operation: 'rejectMemberUnmerge',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
  },
];
