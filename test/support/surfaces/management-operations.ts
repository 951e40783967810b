import type { Scope } from '../../../src/auth/scopes.ts';
import { newUuid } from '../../../src/ids.ts';
import { rest, type Sent } from './client.ts';
import type { TestEnvironment } from './world.ts';

type Credentials = Pick<TestEnvironment, 'key' | 'environmentId'>;

interface ManagementOperation {
  name: string;
  scope: Scope;
  orScope?: Scope;
  /** The error code for a resource of another environment; null where the operation names none. */
  foreign: string | null;
  answers?: readonly number[];
  send: (credentials: Credentials) => Sent;
}

/** What one environment has of what management changes. */
export interface ManagementIds {
  /** A program that no other environment has. */
  programId: string;
  issuerId: string;
  deploymentId: string;
}

/** The operations of management, with their scopes. */
export function managementOperations(ids: () => ManagementIds): ManagementOperation[] {
  return [...programOperations(ids), ...issuerOperations(ids), ...widgetOperations(ids)];
}

function programOperations(ids: () => ManagementIds): ManagementOperation[] {
  const read = (path: string): ManagementOperation => ({
    name: `GET /programs/{programId}/versions/{configurationVersion}${path}`,
    scope: 'analytics:read',
    orScope: 'programs:write',
    foreign: 'program_not_found',
    send: (credentials) => rest(credentials, 'GET', `/programs/${ids().programId}/versions/1${path}`),
  });
  return [
    read(''),
    read('/diff'),
    {
      name: 'POST /programs/{programId}/versions',
      scope: 'programs:publish',
      orScope: 'programs:write',
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
  const one = { scope: 'issuers:write', foreign: 'issuer_not_found' } as const;
  return [
    {
      name: 'POST /issuers',
      scope: 'issuers:write',
      foreign: null,
      send: (credentials) =>
        rest(credentials, 'POST', '/issuers', { issuer: newUuid(), audience: 'a', jwksUrl }, newUuid()),
    },
    {
      name: 'GET /issuers',
      scope: 'issuers:write',
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
    scope: 'widgets:publish',
    foreign: 'deployment_not_found',
    send: (credentials) =>
      rest(credentials, 'GET', `/widgets/${ids().deploymentId}${path.replace('{version}', '1')}`),
  });
  return [
    ...['', '/versions', '/versions/{version}', '/preview'].map(one),
    {
      name: 'GET /widgets',
      scope: 'widgets:publish',
      foreign: null,
      send: (credentials) => rest(credentials, 'GET', '/widgets'),
    },
    {
      name: 'POST /widgets',
      scope: 'widgets:publish',
      foreign: null,
      answers: [200],
      send: (credentials) => rest(credentials, 'POST', '/widgets?dryRun=true', { id: 'none' }, newUuid()),
    },
  ];
}
