import type { Route } from '../route.ts';

/** What all changes of tags and lists have: they make nothing that has an address of its own. */
const labelling = {
  status: { fresh: 200, repeated: 200 },
  missingKeyStatus: 400,
  violationCode: 'validation_failed',
} as const;

/** Members, their enrollment in programs, their tags and lists. */
export const memberRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/members',
    operation: 'createMember',
    status: { fresh: 201, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
    emptyList: {
      field: 'programIds',
      code: 'explicit_program_enrollment_required',
      message: 'Enroll the member in each program by PUT /members/{externalCustomerId}/programs/{programId}.',
    },
    refusals: ['production_locked', 'member_exists', 'explicit_program_enrollment_required'],
  },
  {
    method: 'PATCH',
    path: '/members/{externalId}',
    pathNames: { externalId: 'externalCustomerId' },
    operation: 'updateMember',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
    refusals: ['production_locked', 'member_not_found'],
  },
  {
    method: 'PUT',
    path: '/members/{externalCustomerId}/programs/{programId}',
    operation: 'enrollMember',
    status: { fresh: 201, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
    refusals: ['production_locked', 'member_not_found', 'program_not_found'],
  },
  {
    method: 'DELETE',
    path: '/members/{externalCustomerId}/programs/{programId}',
    operation: 'unenrollMember',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
    refusals: [
      'member_not_found',
      'program_not_found',
      'profile_not_found',
      'balance_not_zero',
      'reservation_open',
    ],
  },
  {
    method: 'GET',
    path: '/members/{externalId}',
    pathNames: { externalId: 'externalCustomerId' },
    operation: 'member',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
    refusals: ['member_not_found'],
  },
  {
    method: 'PUT',
    path: '/members/{externalId}/tags/{tag}',
    pathNames: { externalId: 'externalCustomerId' },
    operation: 'tagMember',
    ...labelling,
    bodyOptional: true,
    refusals: ['production_locked', 'member_not_found', 'tag_limit_reached'],
  },
  {
    method: 'DELETE',
    path: '/members/{externalId}/tags/{tag}',
    pathNames: { externalId: 'externalCustomerId' },
    operation: 'untagMember',
    ...labelling,
    bodyOptional: true,
    refusals: ['production_locked', 'member_not_found'],
  },
  {
    method: 'POST',
    path: '/lists/{list}/members',
    operation: 'addToList',
    ...labelling,
    refusals: ['production_locked'],
  },
  {
    method: 'DELETE',
    path: '/lists/{list}/members',
    operation: 'removeFromList',
    ...labelling,
    refusals: ['production_locked'],
  },
];
