import type { Route } from '../route.ts';

/** Merges of two accounts of one person: one principal requests them, another one approves or rejects them. */
export const memberMergeRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/members/{externalId}/merge',
    pathNames: { externalId: 'externalCustomerId' },
    operation: 'requestMemberMerge',
    status: { fresh: 201, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
    refusals: ['production_locked', 'member_not_found'],
  },
  {
    method: 'POST',
    path: '/member-merges/{mergeId}/approve',
    operation: 'approveMemberMerge',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
    refusals: [
      'production_locked',
      'merge_not_found',
      'invalid_merge_state',
      'self_approval_forbidden',
      'member_not_found',
      'reservation_open',
      'enrollment_required',
      'balance_limit_exceeded',
      'merge_blocked',
    ],
  },
  {
    method: 'POST',
    path: '/member-merges/{mergeId}/reject',
    operation: 'rejectMemberMerge',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
    refusals: ['merge_not_found', 'invalid_merge_state', 'member_not_found'],
  },
];
