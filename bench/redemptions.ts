import { CREATED, type HttpScenario, OK, type Step, textAfter } from './http-scenario.ts';
import { customerInTurn } from './purchases.ts';
import { restPosts } from './request-text.ts';
import type { Place } from './scenarios.ts';

/** What is redeemed. */
export const REWARD = { id: 'filter-coffee', name: 'Filter coffee', points: 10 };

/** Purchases of 6 to 9 points: two lots pay for a reward, whichever they are. */
export const PAYING_AMOUNTS = { least: 600, different: 400 };

/** Transactions that a member has before: nine purchases at least, one of them returned at most. */
export const PAYING_TRANSACTIONS = 10;

/** What these pay for in any case. */
const REWARDS_PER_MEMBER = 4;

/** Longer than any run: what is quoted in one round may be redeemed in the next. */
const QUOTE_TTL_SECONDS = 86_400;

/** Quotes, whose ids are gathered for the pairs. Customers take turns, so that none runs out of points before others. */
export function quotes(port: number, place: Place, gathered: string[]): HttpScenario {
  const post = restPosts(place);
  const step: Step = {
    request: (number) =>
      post(number, '/redemptions/quote', `quote-${number}`, {
        programId: place.programId,
        externalCustomerId: customerInTurn(number, place.members),
        sourceReference: `checkout-${number}`,
        rewardId: REWARD.id,
        ttlSeconds: QUOTE_TTL_SECONDS,
      }),
    statusLine: CREATED,
    mark: '"state":"quoted"',
  };
  return {
    port,
    steps: [step],
    end: place.members * REWARDS_PER_MEMBER,
    points: null,
    take: (answer) => gathered.push(textAfter(answer, '"quote":{"id":"')),
  };
}

/** Each of the gathered quotes is reserved, and the reservation committed. */
export function redemptionPairs(port: number, place: Place, gathered: readonly string[]): HttpScenario {
  const post = restPosts(place);
  const reserve: Step = {
    request: (number) =>
      post(number, '/redemptions/reserve', `reserve-${number}`, { quoteId: gathered[number] }),
    statusLine: CREATED,
    mark: '"state":"reserved"',
  };
  const commit: Step = {
    request: (number, answer) =>
      post(
        number + 1,
        `/redemptions/${textAfter(answer, '"reservation":{"id":"')}/commit`,
        `commit-${number}`,
        { authorizationReference: `authorization-${number}` },
      ),
    statusLine: OK,
    mark: '"state":"committed"',
  };
  return { port, steps: [reserve, commit], end: gathered.length, points: '"points":' };
}
