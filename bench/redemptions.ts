import { CREATED, type HttpScenario, OK, type Step, textAfter } from './http-scenario.ts';
import { customerInTurn } from './purchases.ts';
import { restPosts } from './request-text.ts';
import type { Place } from './scenarios.ts';

/** The reward that is redeemed. */
export const REWARD = { id: 'filter-coffee', name: 'Filter coffee', points: 10 };

/** Purchases of 6 to 9 points, so that any two lots pay for a reward. */
export const PAYING_AMOUNTS = { least: 600, different: 400 };

/** Transactions of each member beforehand: at least nine purchases, at most one of them returned. */
export const PAYING_TRANSACTIONS = 10;

/** Rewards that every member can redeem with these. */
export const REWARDS_PER_MEMBER = 4;

/** Longer than any run, because quotes of one round are redeemed in later ones. */
const QUOTE_TTL_SECONDS = 86_400;

/**
 * Quotes, whose ids are gathered for `redemptionPairs`. Customers take turns, so that all run out of points together.
 */
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

/** Reserves each of the gathered quotes, and commits the reservation. */
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
