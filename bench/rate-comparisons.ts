import type { Goal } from './goals.ts';
import type { RateId } from './scenarios.ts';

/** A line of the table of rates: a scenario measured right after what it is compared with. */
export interface RateComparison {
  /** Its name in `--only`. */
  id: string;
  title: string;
  measured: RateId;
  /** Null where the rate stands for itself. */
  against: RateId | null;
  /** On each side; `best` for the numbers that a sweep has found, or the options. */
  connections: number | 'best';
  /** Of the ratio to `against`, or of the rate where there is none. Null: only reported. */
  goal: Goal | null;
  /** The part of the rate of `against` at which requests arrive, whether earlier ones were answered or not. */
  arrivals?: number;
}

/** Environments that the load of scenario `m` goes to, all at once. */
export const ENVIRONMENTS_AT_ONCE = 8;

const best = { connections: 'best', goal: null } as const;
const POST_EVENTS = 'POST /api/v1/events';

/** In the order of a run: what later ones use up, such as quotes, is made before. */
export const RATE_COMPARISONS: readonly RateComparison[] = [
  { id: 'b1', title: POST_EVENTS, measured: 'b', against: 'a', connections: 1, goal: null },
  { id: 'b8', title: POST_EVENTS, measured: 'b', against: 'a', connections: 8, goal: null },
  { ...best, id: 'b', title: POST_EVENTS, measured: 'b', against: 'a', goal: { atLeast: 1.6 } },
  { id: 'c1', title: 'GraphQL purchaseEarn', measured: 'c', against: 'b', connections: 1, goal: null },
  { id: 'c8', title: 'GraphQL purchaseEarn', measured: 'c', against: 'b', connections: 8, goal: null },
  { ...best, id: 'c', title: 'GraphQL purchaseEarn', measured: 'c', against: 'b', goal: { atLeast: 0.9 } },
  {
    ...best,
    id: 'd',
    title: `${POST_EVENTS}, one hot member`,
    measured: 'd',
    against: 'b',
    goal: { atLeast: 0.8 },
  },
  { ...best, id: 'z', title: `${POST_EVENTS}, few members buy often`, measured: 'z', against: 'b' },
  {
    ...best,
    id: 'm',
    title: `${POST_EVENTS}, ${ENVIRONMENTS_AT_ONCE} environments at once`,
    measured: 'm',
    against: 'b',
  },
  {
    ...best,
    id: 'w1',
    title: `${POST_EVENTS}, one endpoint subscribed`,
    measured: 'w1',
    against: 'b',
    goal: { atLeast: 0.85 },
  },
  {
    ...best,
    id: 'w5',
    title: `${POST_EVENTS}, five endpoints subscribed`,
    measured: 'w5',
    against: 'b',
    goal: { atLeast: 0.75 },
  },
  {
    ...best,
    id: 'o50',
    title: `${POST_EVENTS}, 50 % of b arrives`,
    measured: 'o',
    against: 'b',
    arrivals: 0.5,
  },
  {
    ...best,
    id: 'o80',
    title: `${POST_EVENTS}, 80 % of b arrives`,
    measured: 'o',
    against: 'b',
    arrivals: 0.8,
  },
  {
    ...best,
    id: 'e',
    title: 'GET /api/v1/members/{externalId}',
    measured: 'e',
    against: 'e0',
    goal: { atLeast: 0.5 },
  },
  {
    ...best,
    id: 'l',
    title: 'GET /loyalty/v1/member',
    measured: 'l',
    against: 'e0',
    goal: { atLeast: 0.4 },
  },
  {
    ...best,
    id: 's0',
    title: 'GET /api/v1/widgets/{deploymentId}/surface, anonymous',
    measured: 's0',
    against: 'e0',
    goal: { atLeast: 0.5 },
  },
  {
    ...best,
    id: 's',
    title: 'GET /api/v1/widgets/{deploymentId}/surface, of a session',
    measured: 's',
    against: 'e0',
    goal: { atLeast: 0.5 },
  },
  {
    ...best,
    id: 't',
    title: `${POST_EVENTS}, beside pgledger`,
    measured: 'b',
    against: 't0',
    goal: { atLeast: 1.5 },
  },
  { ...best, id: 'f', title: `Replays of ${POST_EVENTS}`, measured: 'f', against: 'b' },
  { ...best, id: 'g0', title: 'POST /api/v1/redemptions/quote', measured: 'g0', against: 'b' },
  {
    ...best,
    id: 'g',
    title: 'Pairs of POST …/reserve and …/commit',
    measured: 'g',
    against: 'b',
    goal: { atLeast: 0.5 },
  },
  {
    ...best,
    id: 'h',
    title: 'POST /api/v1/returns',
    measured: 'h',
    against: 'b',
    goal: { atLeast: 0.8 },
  },
  {
    ...best,
    id: 'i',
    title: 'POST /api/v1/offers/evaluate, 50 offers, 20 lines',
    measured: 'i',
    against: null,
    goal: { atLeast: 1_000 },
  },
  {
    ...best,
    id: 'v',
    title: 'POST /api/v1/events/preview, the whole demo program, 20 lines',
    measured: 'v',
    against: 'i',
    goal: { atLeast: 1 },
  },
  { ...best, id: 'k', title: `${POST_EVENTS}, each with a code of a pool`, measured: 'k', against: 'k0' },
  {
    ...best,
    id: 'j',
    title: `${POST_EVENTS}, the whole demo program`,
    measured: 'j',
    against: 'b',
    goal: { atLeast: 0.8 },
  },
];

/** Groups of lines by name. */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  equal: ['b1', 'b8', 'b', 'c1', 'c8', 'c'],
  open: ['o50', 'o80'],
  customers: ['l', 's0', 's'],
  webhooks: ['w1', 'w5', 'deliver', 'fair', 'backlog'],
};

/** The comparisons that are named, with the quotes where redemptions are. */
export function chosenComparisons(only: readonly string[]): readonly RateComparison[] {
  return RATE_COMPARISONS.filter(({ id }) => only.includes(id) || (id === 'g0' && only.includes('g')));
}
