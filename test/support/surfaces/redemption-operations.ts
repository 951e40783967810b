import { documents } from '../../../rest-adapter/generated/documents.ts';
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
  /** The error code for a resource of another environment. */
  foreign: string;
  send: (credentials: Credentials) => Sent;
}

const reason = { reason: 'r' };
const authorization = { authorizationReference: 'a' };

/** Every operation of redemptions over REST and GraphQL. */
export function redemptionOperations(ids: () => RedemptionIds): RedemptionOperation[] {
  const post = (act: string, body: object): RedemptionOperation => ({
    name: `POST /redemptions/{reservationId}/${act}`,
    foreign: 'reservation_not_found',
    send(credentials) {
      const path = act.replace('{disputeId}', ids().disputeId);
      return onReservation(credentials, ids().reservationId, path, body, newUuid());
    },
  });
  const mutate = (
    operation: `${'quote' | 'reserve' | 'commit' | 'release' | 'reverse'}Redemption`,
    foreign: string,
    input: () => object,
  ): RedemptionOperation => ({
    name: `GraphQL ${operation}`,
    foreign,
    send: (credentials) =>
      graphql(credentials, documents[operation], { input: { ...input(), idempotencyKey: newUuid() } }),
  });
  const reservation = (body: object) => () => ({ ...body, reservationId: ids().reservationId });
  return [
    {
      name: 'POST /redemptions/quote',
      foreign: 'member_not_found',
      send: (credentials) => quote(credentials, { externalCustomerId: 'ada' }, newUuid()),
    },
    {
      name: 'POST /redemptions/reserve',
      foreign: 'quote_not_found',
      send: (credentials) => reserve(credentials, ids().quoteId, newUuid()),
    },
    post('commit', authorization),
    post('release', reason),
    post('reverse', reason),
    post('fulfillment', { status: 'shipped' }),
    post('disputes', reason),
    post('disputes/{disputeId}/resolve', { resolution: 'r' }),
    post('disputes/{disputeId}/reject', reason),
    {
      name: 'GET /redemptions/{reservationId}',
      foreign: 'reservation_not_found',
      send: (credentials) => rest(credentials, 'GET', `/redemptions/${ids().reservationId}`),
    },
    mutate('quoteRedemption', 'member_not_found', () => ({
      programId,
      externalCustomerId: 'ada',
      rewardId: 'free-coffee',
      sourceReference: 's',
    })),
    mutate('reserveRedemption', 'quote_not_found', () => ({ quoteId: ids().quoteId })),
    mutate('commitRedemption', 'reservation_not_found', reservation(authorization)),
    mutate('releaseRedemption', 'reservation_not_found', reservation(reason)),
    mutate('reverseRedemption', 'reservation_not_found', reservation(reason)),
  ];
}
