import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import type { Credential } from '../../../src/auth/credential.ts';
import { refuse } from '../../../src/refusal.ts';
import { createOverloadRefusal } from '../../../src/server/service/refuse-overload.ts';

const overloaded = refuse('overloaded', 'Too much is waiting.');
const credential: Credential = {
  ...{ keyId: 'k', principal: 'shop', tenantId: 't', environmentId: 'e', environmentKind: 'production' },
  scopes: new Set(),
};

/** @param waiting of the writer, which refuses the principal `shop` of the environment `e` and nobody else */
function refusalOf(method: string, url: string, { waiting = 1_000, authorization = 'known' } = {}) {
  const refuseOverload = createOverloadRefusal({
    authenticator: { proven: (given) => (given === 'known' ? credential : null) },
    writer: {
      waiting,
      refusal: (environmentId, principal) =>
        environmentId === 'e' && principal === 'shop' ? overloaded : null,
    },
  });
  const headers = { authorization, 'x-environment': 'env_e' };
  return refuseOverload({ method, url, headers } as unknown as IncomingMessage);
}

test.each([
  ['POST', '/api/v1/events'],
  ['PUT', '/api/v1/members/ada/programs/coffee-club'],
  ['DELETE', '/api/v1/members/ada/programs/coffee-club'],
])('%s %s is refused before it is read', (method, url) => {
  expect(refusalOf(method, url)).toBe(overloaded);
});

test.each([
  ['GET', '/api/v1/members/ada'],
  ['POST', '/api/v1/offers/evaluate'],
  ['POST', '/api/graphql'],
  ['POST', '/api/v1x'],
])('%s %s goes on', (method, url) => {
  expect(refusalOf(method, url)).toBeNull();
});

test('while little waits, or where the key is not known, a command goes on', () => {
  expect(refusalOf('POST', '/api/v1/events', { waiting: 10 })).toBeNull();
  expect(refusalOf('POST', '/api/v1/events', { authorization: 'wrong' })).toBeNull();
});
