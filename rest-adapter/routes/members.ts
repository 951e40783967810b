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
    method: 'GET',
    path: '/members',
    query: {
      externalCustomerIdPrefix: 'filter.externalCustomerIdPrefix',
      displayNamePrefix: 'filter.displayNamePrefix',
      tag: 'filter.tag',
      list: 'filter.list',
      programId: 'filter.programId',
      tier: 'filter.tier',
      status: 'filter.status',
      limit: 'limit',
      cursor: 'cursor',
    },
    operation: 'members',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
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
  },
  {
    method: 'PATCH',
    path: '/members/{externalId}',
    pathNames: { externalId: 'externalCustomerId' },
    operation: 'updateMember',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
  },
  {
    method: 'PUT',
    path: '/members/{externalCustomerId}/programs/{programId}',
    operation: 'enrollMember',
    status: { fresh: 201, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
  },
  {
    method: 'DELETE',
    path: '/members/{externalCustomerId}/programs/{programId}',
    operation: 'unenrollMember',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
  },
  {
    method: 'GET',
    path: '/members/{externalId}',
    pathNames: { externalId: 'externalCustomerId' },
    operation: 'member',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'GET',
    path: '/members/{externalId}/details',
    pathNames: { externalId: 'externalCustomerId' },
    operation: 'memberDetails',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'PUT',
    path: '/members/{externalId}/tags/{tag}',
    pathNames: { externalId: 'externalCustomerId' },
    operation: 'tagMember',
    ...labelling,
    bodyOptional: true,
  },
  {
    method: 'DELETE',
    path: '/members/{externalId}/tags/{tag}',
    pathNames: { externalId: 'externalCustomerId' },
    operation: 'untagMember',
    ...labelling,
    bodyOptional: true,
  },
  {
    method: 'POST',
    path: '/lists/{list}/members',
    operation: 'addToList',
    ...labelling,
  },
  {
    method: 'DELETE',
    path: '/lists/{list}/members',
    operation: 'removeFromList',
    ...labelling,
  },
];
