import type { Scope } from '../../../src/auth/scopes.ts';
import { newUuid } from '../../../src/ids.ts';
import { rest, type Sent } from './client.ts';
import type { TestEnvironment } from './world.ts';

type Credentials = Pick<TestEnvironment, 'key' | 'environmentId'>;

interface ManagementOperation {
  name: string;
  /** The error code for a resource of another environment; null where the operation names none. */
  foreign: string | null;
  answers?: readonly number[];
  /** Scopes that are needed besides the one that opens it. */
  alsoNeeds?: readonly Scope[];
  send: (credentials: Credentials) => Sent;
}

/** What one environment has of what management changes. */
export interface ManagementIds {
  /** A program that no other environment has. */
  programId: string;
  issuerId: string;
  deploymentId: string;
}

/** The operations of management. */
export function managementOperations(ids: () => ManagementIds): ManagementOperation[] {
  return [
    ...programOperations(ids),
    ...issuerOperations(ids),
    ...widgetOperations(ids),
    ...memberOperations(),
    ...codeOperations(ids),
    ...financeOperations(ids),
    {
      name: 'GET /search',
      foreign: null,
      send: (credentials) => rest(credentials, 'GET', '/search?q=none'),
    },
    ...environmentOperations(),
  ];
}

/** What is suspended is resumed by the next one. */
function memberOperations(): ManagementOperation[] {
  return (['suspend', 'resume'] as const).map((way) => ({
    name: `POST /members/{externalId}/${way}`,
    foreign: 'member_not_found',
    send: (credentials) => rest(credentials, 'POST', `/members/ada/${way}`, {}, newUuid()),
  }));
}

function codeOperations(ids: () => ManagementIds): ManagementOperation[] {
  const path = (): string => `/programs/${ids().programId}/code-pools`;
  return [
    {
      name: 'GET /programs/{programId}/code-pools',
      foreign: 'program_not_found',
      send: (credentials) => rest(credentials, 'GET', path()),
    },
    {
      name: 'POST /programs/{programId}/code-pools/{poolId}/generate',
      foreign: 'program_not_found',
      alsoNeeds: ['codes:write'],
      send: (credentials) =>
        rest(credentials, 'POST', `${path()}/none/generate`, { count: 1, pattern: 'P-########' }, newUuid()),
    },
  ];
}

function financeOperations(ids: () => ManagementIds): ManagementOperation[] {
  const path = (): string => `/programs/${ids().programId}/versions/1/finance`;
  return [
    {
      name: 'GET /programs/{programId}/versions/{configurationVersion}/finance',
      foreign: 'program_not_found',
      send: (credentials) => rest(credentials, 'GET', path()),
    },
    {
      name: 'POST /programs/{programId}/versions/{configurationVersion}/finance/approve',
      foreign: 'program_not_found',
      send: (credentials) =>
        rest(credentials, 'POST', `${path()}/approve`, { sections: ['finance'] }, newUuid()),
    },
  ];
}

/** What is locked is unlocked by the next one. */
function environmentOperations(): ManagementOperation[] {
  return [
    {
      name: 'GET /environment',
      foreign: null,
      send: (credentials) => rest(credentials, 'GET', '/environment'),
    },
    ...(['lock', 'unlock'] as const).map(
      (way): ManagementOperation => ({
        name: `POST /environment/${way}`,
        foreign: null,
        // A Sandbox cannot be locked.
        answers: [200, 409],
        send: (credentials) => rest(credentials, 'POST', `/environment/${way}`, {}, newUuid()),
      }),
    ),
  ];
}

function programOperations(ids: () => ManagementIds): ManagementOperation[] {
  const read = (path: string): ManagementOperation => ({
    name: `GET /programs/{programId}/versions/{configurationVersion}${path}`,
    foreign: 'program_not_found',
    send: (credentials) => rest(credentials, 'GET', `/programs/${ids().programId}/versions/1${path}`),
  });
  return [
    read(''),
    read('/diff'),
    {
      name: 'POST /programs/{programId}/versions',
      foreign: null,
      answers: [200],
      send: (credentials) =>
        rest(
          credentials,
          'POST',
          `/programs/${ids().programId}/versions?dryRun=true`,
          { id: 'none' },
          newUuid(),
        ),
    },
  ];
}

function issuerOperations(ids: () => ManagementIds): ManagementOperation[] {
  const jwksUrl = 'https://login.shop.example/jwks.json';
  const one = { foreign: 'issuer_not_found' } as const;
  return [
    {
      name: 'POST /issuers',
      foreign: null,
      send: (credentials) =>
        rest(credentials, 'POST', '/issuers', { issuer: newUuid(), audience: 'a', jwksUrl }, newUuid()),
    },
    {
      name: 'GET /issuers',
      foreign: null,
      send: (credentials) => rest(credentials, 'GET', '/issuers'),
    },
    {
      ...one,
      name: 'GET /issuers/{issuerId}',
      send: (credentials) => rest(credentials, 'GET', `/issuers/${ids().issuerId}`),
    },
    {
      ...one,
      name: 'DELETE /issuers/{issuerId}',
      send: (credentials) => rest(credentials, 'DELETE', `/issuers/${ids().issuerId}`, {}, newUuid()),
    },
    {
      ...one,
      name: 'POST /issuers/{issuerId}/check',
      send: (credentials) => rest(credentials, 'POST', `/issuers/${ids().issuerId}/check`, { token: 'x' }),
    },
  ];
}

function widgetOperations(ids: () => ManagementIds): ManagementOperation[] {
  const one = (path: string): ManagementOperation => ({
    name: `GET /widgets/{deploymentId}${path}`,
    foreign: 'deployment_not_found',
    send: (credentials) =>
      rest(credentials, 'GET', `/widgets/${ids().deploymentId}${path.replace('{version}', '1')}`),
  });
  return [
    ...['', '/versions', '/versions/{version}', '/preview'].map(one),
    {
      name: 'GET /widgets',
      foreign: null,
      send: (credentials) => rest(credentials, 'GET', '/widgets'),
    },
    {
      name: 'POST /widgets',
      foreign: null,
      answers: [200],
      send: (credentials) => rest(credentials, 'POST', '/widgets?dryRun=true', { id: 'none' }, newUuid()),
    },
  ];
}
