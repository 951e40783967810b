import { documents } from '../../../rest-adapter/generated/documents.ts';
import type { Scope } from '../../../src/auth/scopes.ts';
import { newUuid } from '../../../src/ids.ts';
import { graphql, onReservation, quote, reserve, rest, type Sent } from './client.ts';
import { programId, type TestEnvironment } from './world.ts';

type Credentials = Pick<TestEnvironment, 'key' | 'environmentId'>;

/** The ids that the operations of redemptions need. */
export interface RedemptionIds {
  quoteId: string;
  reservationId: string;
  disputeId: string;
}

interface RedemptionOperation {
  name: string;
  scope: Scope;
  orScope?: Scope | readonly Scope[];
  /** The error code for a resource of another environment. */
  foreign: string;
  send: (credentials: Credentials) => Sent;
}

const reason = { reason: 'r' };
const authorization = { authorizationReference: 'a' };

/** Every operation of redemptions over REST and GraphQL, with its scope. */
export function redemptionOperations(ids: () => RedemptionIds): RedemptionOperation[] {
  const post = (act: string, scope: Scope, body: object): RedemptionOperation => ({
    name: `POST /redemptions/{reservationId}/${act}`,
    scope,
    foreign: 'reservation_not_found',
    send(credentials) {
      const path = act.replace('{disputeId}', ids().disputeId);
      return onReservation(credentials, ids().reservationId, path, body, newUuid());
    },
  });
  const mutate = (
    operation: `${'quote' | 'reserve' | 'commit' | 'release' | 'reverse'}Redemption`,
    scope: Scope,
    foreign: string,
    input: () => object,
  ): RedemptionOperation => ({
    name: `GraphQL ${operation}`,
    scope,
    foreign,
    send: (credentials) =>
      graphql(credentials, documents[operation], { input: { ...input(), idempotencyKey: newUuid() } }),
  });
  const reservation = (body: object) => () => ({ ...body, reservationId: ids().reservationId });
  return [
    {
      name: 'POST /redemptions/quote',
      scope: 'redemptions:write',
      foreign: 'member_not_found',
      send: (credentials) => quote(credentials, { externalCustomerId: 'ada' }, newUuid()),
    },
    {
      name: 'POST /redemptions/reserve',
      scope: 'redemptions:write',
      foreign: 'quote_not_found',
      send: (credentials) => reserve(credentials, ids().quoteId, newUuid()),
    },
    post('commit', 'redemptions:write', authorization),
    post('release', 'redemptions:write', reason),
    post('reverse', 'redemptions:reverse', reason),
    post('fulfillment', 'redemptions:write', { status: 'shipped' }),
    post('disputes', 'redemptions:write', reason),
    post('disputes/{disputeId}/resolve', 'redemptions:reverse', { resolution: 'r' }),
    post('disputes/{disputeId}/reject', 'redemptions:reverse', reason),
    {
      name: 'GET /redemptions/{reservationId}',
      scope: 'redemptions:write',
      orScope: 'transactions:read',
      foreign: 'reservation_not_found',
      send: (credentials) => rest(credentials, 'GET', `/redemptions/${ids().reservationId}`),
    },
    mutate('quoteRedemption', 'redemptions:write', 'member_not_found', () => ({
      programId,
      externalCustomerId: 'ada',
      rewardId: 'free-coffee',
      sourceReference: 's',
    })),
    mutate('reserveRedemption', 'redemptions:write', 'quote_not_found', () => ({ quoteId: ids().quoteId })),
    mutate('commitRedemption', 'redemptions:write', 'reservation_not_found', reservation(authorization)),
    mutate('releaseRedemption', 'redemptions:write', 'reservation_not_found', reservation(reason)),
    mutate('reverseRedemption', 'redemptions:reverse', 'reservation_not_found', reservation(reason)),
  ];
}
