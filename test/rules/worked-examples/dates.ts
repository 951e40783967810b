import type { ReferralSection } from '../../../src/programs/document/campaign-document.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { plain, type WorkedExample } from './example.ts';

function lives(
  name: string,
  arithmetic: string,
  program: Pick<ProgramDocument, 'pending' | 'expiration'>,
  activatesAt: string | null,
  expiresAt: string | null,
  more: Partial<WorkedExample> = {},
): WorkedExample {
  const expected = { base: 100, points: 100, decisions: plain(100), activatesAt, expiresAt };
  return { name, arithmetic, program, ...more, expected };
}

const end = (period: 'month' | 'quarter' | 'year', offsetDays?: number) => ({
  expiration: {
    policy: 'end_of_period' as const,
    period,
    ...(offsetDays === undefined ? {} : { offsetDays }),
  },
});
const rolling = (days: number) => ({ expiration: { policy: 'rolling_days' as const, days } });

/** Pending and expiration policies; the purchase is at noon on 4 March 2026. */
export const dateExamples: WorkedExample[] = [
  lives('at once and for ever', 'no policy', {}, null, null),
  lives('never said so', 'never', { expiration: { policy: 'never' }, pending: { days: 0 } }, null, null),
  lives(
    'pending for 14 days',
    '4 March + 14 = 18 March',
    { pending: { days: 14 } },
    '2026-03-18T12:00:00.000Z',
    null,
  ),
  lives(
    'an event that comes late waits less',
    '1 March + 14 = 15 March',
    { pending: { days: 14 } },
    '2026-03-15T12:00:00.000Z',
    null,
    { purchase: { occurredAt: new Date('2026-03-01T12:00:00Z') } },
  ),
  lives(
    'an event that comes later than that does not wait',
    '18 February + 14 = 4 March, which is now',
    { pending: { days: 14 } },
    null,
    null,
    { purchase: { occurredAt: new Date('2026-02-18T12:00:00Z') } },
  ),
  lives('rolling days', '4 March + 30 = 3 April', rolling(30), null, '2026-04-03T12:00:00.000Z'),
  lives(
    'rolling days count from when the points are there',
    '4 March + 14 = 18 March; + 30 = 17 April',
    { pending: { days: 14 }, ...rolling(30) },
    '2026-03-18T12:00:00.000Z',
    '2026-04-17T12:00:00.000Z',
  ),
  lives(
    'a day is 24 hours, daylight saving time or not',
    '4 March + 31 = 4 April',
    { ...rolling(31) },
    null,
    '2026-04-04T12:00:00.000Z',
  ),
  lives('the end of the month', '1 April', end('month'), null, '2026-04-01T00:00:00.000Z'),
  lives(
    'the end of the quarter and 10 days',
    '1 April + 10 = 11 April',
    end('quarter', 10),
    null,
    '2026-04-11T00:00:00.000Z',
  ),
  lives(
    'the end of the year and 90 days',
    '1 January 2027 + 90 = 1 April',
    end('year', 90),
    null,
    '2027-04-01T00:00:00.000Z',
  ),
  lives(
    'pending into the next month',
    '4 March + 28 = 1 April; the month ends on 1 May',
    { pending: { days: 28 }, ...end('month') },
    '2026-04-01T12:00:00.000Z',
    '2026-05-01T00:00:00.000Z',
  ),
  lives(
    'the end of December',
    'the quarter ends with the year',
    end('quarter'),
    null,
    '2027-01-01T00:00:00.000Z',
    { at: '2026-12-31T23:59:59.999Z' },
  ),
  lives(
    'inactivity',
    '4 March + 365 = 4 March 2027',
    { expiration: { policy: 'inactivity', days: 365 } },
    null,
    '2027-03-04T12:00:00.000Z',
  ),
  {
    name: 'no points have no dates',
    arithmetic: '0.99 floor 0',
    program: { pending: { days: 14 }, ...rolling(30) },
    purchase: { amountMinor: 99 },
    expected: { base: 0, points: 0, decisions: plain(0), activatesAt: null, expiresAt: null },
  },
];

/** A referral and what it gives to both. */
export interface ReferralExample {
  name: string;
  section?: ReferralSection;
  /** The owner of the code: another member, the member itself, or unknown. */
  code: 'another' | 'own' | 'unknown';
  purchasesBefore: number;
  amountMinor: number;
  rewardedFor: number;
  expected: [referrer: number, referee: number];
}

const section = { referrerPoints: 200, refereePoints: 100, minimumAmountMinor: 1_000, maxPerReferrer: 3 };
const usual: Omit<ReferralExample, 'name'> = {
  section,
  code: 'another',
  purchasesBefore: 0,
  amountMinor: 10_000,
  rewardedFor: 0,
  expected: [200, 100],
};
const nothing: [number, number] = [0, 0];

export const referralExamples: ReferralExample[] = [
  { ...usual, name: 'the first purchase' },
  { ...usual, name: 'the second purchase', purchasesBefore: 1, expected: nothing },
  { ...usual, name: 'exactly the least amount', amountMinor: 1_000 },
  { ...usual, name: 'a cent less', amountMinor: 999, expected: nothing },
  { ...usual, name: 'the third and last that is rewarded', rewardedFor: 2 },
  { ...usual, name: 'the fourth', rewardedFor: 3, expected: nothing },
  { ...usual, name: 'one’s own code', code: 'own', expected: nothing },
  { ...usual, name: 'nobody’s code', code: 'unknown', expected: nothing },
  {
    ...usual,
    name: 'without limits, and open to purchases of no value',
    section: { referrerPoints: 0, refereePoints: 7, minimumAmountMinor: 0 },
    amountMinor: 0,
    rewardedFor: 900,
    expected: [0, 7],
  },
];
const { section: _none, ...without } = usual;
referralExamples.push({ ...without, name: 'a program without referral', expected: nothing });
