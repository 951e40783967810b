import { type HttpScenario, OK } from './http-scenario.ts';
import { headerLines } from './request-text.ts';
import type { ListId, Place } from './scenarios.ts';

/** The lists under each filter that leads to rows; the program's id stands in for PROGRAM. */
const QUERIES = [
  'members',
  'members?externalCustomerIdPrefix=listed-1',
  'members?displayNamePrefix=NAME%201',
  'members?tag=vip',
  'members?programId=PROGRAM&tier=gold',
  'members?status=suspended',
  'redemptions',
  'redemptions?state=reversed',
  'redemptions?state=expired',
  'redemptions?disputeState=open',
  'redemptions?fulfillmentStatus=pending',
  'redemptions?externalCustomerId=listed-7',
  'redemptions?externalCustomerId=listed-7&state=reversed',
  'adjustments',
  'adjustments?state=requested',
  'adjustments?externalCustomerId=listed-7',
  'operations',
  'operations?status=failed',
  'audit-events',
  'audit-events?targetId=member-7',
  'webhook-deliveries',
  'webhook-deliveries?status=dead_letter',
  'events-feed',
] as const;

export const LISTS: readonly { id: ListId; title: string }[] = QUERIES.map((query, index) => ({
  id: `q${index + 1}`,
  title: `GET /api/v1/${query.replace('PROGRAM', '…')}`,
}));

/** Reads of a page of 50. Every list is longer than a page. */
export function listReads(scenario: ListId, port: number, place: Place): HttpScenario {
  const headers = headerLines(place);
  const query = QUERIES[Number(scenario.slice(1)) - 1]?.replace('PROGRAM', place.programId) ?? '';
  const path = `/api/v1/${query}${query.includes('?') ? '&' : '?'}limit=50`;
  return {
    port,
    steps: [
      {
        request: (number) => `GET ${path} HTTP/1.1\r\n${headers(number)}\r\n`,
        statusLine: OK,
        mark: '"hasMore":true',
      },
    ],
    end: null,
    points: null,
  };
}
