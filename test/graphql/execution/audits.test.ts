import { describe, expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { useEdge } from '../../support/graphql/edge-server.ts';

/**
 * Recommendations of GraphQL over HTTP that the specification of this service overrides. None is a MUST.
 */
const demandedOtherwise: Readonly<Record<string, string>> = {
  '5A70': 'GET answers 405',
  D6D5: 'GET answers 405',
  '6A70': 'GET answers 405',
  '47DE': 'application/graphql-response+json unless only application/json is accepted',
  '80D8': 'application/graphql-response+json unless only application/json is accepted',
  '572B': 'a document that does not parse is 400 whatever is accepted',
  FDE2: 'a document that is not valid is 400 whatever is accepted',
  '7B9B': 'variables that do not fit are 400 whatever is accepted',
  D586: '`data` is null on failure',
  '5E5B': '`data` is null on failure',
};

const edge = useEdge();

describe('GraphQL over HTTP', () => {
  const audits = serverAudits({
    url: () => edge.url,
    fetchFn: (url: string, init: RequestInit = {}) =>
      fetch(url, {
        ...init,
        headers: { authorization: 'Bearer full', 'x-environment': 'sandbox', ...init.headers },
      }),
  });

  test('no audit of a MUST is excepted', () => {
    const excepted = audits.filter(({ id }) => id in demandedOtherwise);
    expect(excepted).toHaveLength(Object.keys(demandedOtherwise).length);
    expect(excepted.filter(({ name }) => name.startsWith('MUST'))).toEqual([]);
  });

  test.each(audits.map((audit) => [audit.id, audit.name, audit] as const))(
    '%s %s',
    async (id, _name, audit) => {
      const result = await audit.fn();
      expect(result.status === 'ok').toBe(!(id in demandedOtherwise));
    },
  );
});
