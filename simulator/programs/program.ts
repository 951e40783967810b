import type { Rounding } from '../../src/programs/document/document-values.ts';
import type {
  Downgrade,
  PayWithPoints,
  ProgramDocument,
  QualificationWindow,
  Reward,
} from '../../src/programs/document/program-document.ts';
import type { Random } from '../random.ts';
import { campaignSections } from './campaign-document.ts';
import { inventCampaigns, type PlainCampaigns } from './campaigns.ts';
import { inventEngagement, type PlainEngagement } from './engagement.ts';
import { engagementSections } from './engagement-document.ts';
import { CATEGORIES, inventLines, linesOf, type PlainLines } from './lines.ts';

export interface PlainRule {
  id: string;
  /** The channel and the category that a purchase must have; null for any. */
  channel: 'web' | 'store' | 'app' | null;
  category: string | null;
  /** The lines that it takes; null for all that is left. */
  lines: PlainLines | null;
  numerator: number;
  denominator: number;
  rounding: Rounding;
  tierRounding: Rounding;
}

/**
 * A program in the form that the model computes with. `documentOf` gives the service's document of the same program.
 */
export interface PlainProgram extends PlainCampaigns, PlainEngagement {
  id: string;
  /** IANA name. The same in every version. */
  timeZone: string;
  precision: number;
  rules: PlainRule[];
  /** In ascending order of their thresholds; the first threshold is 0. */
  tiers: { id: string; threshold: number; numerator: number; denominator: number }[];
  countsBy: QualificationWindow;
  falls: Downgrade;
  limit: {
    points: number;
    period: 'day' | 'week' | 'month' | 'year' | 'lifetime';
    onExceed: 'trim' | 'reject';
  } | null;
  pendingDays: number;
  expiry: PlainExpiry;
  rewards: PlainReward[];
  onShortfall: 'record' | 'refuse';
  graceDays: number;
  /** How many days before an expiry it is told of; null for not at all. */
  noticeDays: number | null;
}

export type PlainExpiry =
  | { policy: 'never' }
  | { policy: 'rolling_days' | 'inactivity'; days: number }
  | { policy: 'end_of_period'; period: 'month' | 'quarter' | 'year'; offsetDays: number };

export interface PlainReward {
  id: string;
  /** The price; 0 where it is paid with points. */
  points: number;
  /** How points pay for it; null where it has a fixed price. */
  payment: PlainPayment | null;
  inventory: number | null;
  holdSeconds: number;
  /** The tiers that may redeem it; null for all. */
  tiers: string[] | null;
  evidenceRequired: boolean;
  /** Whether a customer's own request reverses it at once. */
  customerReverses: boolean;
  availableFrom: Date | null;
  availableUntil: Date | null;
}

/** `perUnit` points pay for `unitMinor` of a discount. */
export interface PlainPayment {
  perUnit: number;
  unitMinor: number;
  step: number;
  minimum: number;
  maximum: number | null;
  /** The percentage of an order that can be paid; null for all of it. */
  percent: number | null;
}

export interface PlainVersion {
  version: number;
  effectiveFrom: Date;
  publishedAt: Date;
  program: PlainProgram;
}

/** Time zones of programs with daylight saving time, on either half of the earth; UTC for others. */
const TIME_ZONES: Readonly<Record<string, string>> = { coffee: 'America/New_York', tea: 'Pacific/Auckland' };

const ROUNDINGS: readonly Rounding[] = ['floor', 'ceil', 'nearest_half_up', 'nearest_half_even'];
const DAY_MS = 86_400_000;
export const TIERS = ['first', 'second', 'third', 'fourth', 'fifth'];

/** The reward that is paid with points. */
export const VOUCHER = 'voucher';
export const REWARDS = ['mug', 'sack', 'tour', 'grinder', VOUCHER];

export interface InventedProgram {
  id: string;
  /** Decimal places of a point. Never changes between versions. */
  precision: number;
  now: Date;
  /** The least amount of anything limited that members share. */
  leastLimit: number;
}

/** Invents a program, or its next version. */
export function inventProgram(
  random: Random,
  { id, precision, now, leastLimit }: InventedProgram,
): PlainProgram {
  const unit = 10 ** precision;
  let threshold = 0;
  // A version may remove tiers of the one before, and bring back tiers that were removed.
  const tiers = TIERS.filter((_, index) => index === 0 || random.chance(0.6)).map((tier, index) => {
    if (index > 0) threshold += random.between(50, 600) * unit;
    return { id: tier, threshold, numerator: random.between(1, 7), denominator: random.between(1, 4) };
  });
  const frame = { unit, now, leastLimit, tiers: tiers.map((tier) => tier.id) };
  const byLine = random.chance(0.5);
  const campaigns = inventCampaigns(random, { ...frame, byLine });
  return {
    id,
    timeZone: TIME_ZONES[id] ?? 'UTC',
    precision,
    rules: Array.from({ length: random.between(1, 4) }, (_, index) =>
      inventRule(random, `rule-${index}`, byLine),
    ),
    tiers,
    countsBy: random.pick(['lifetime', 'calendar_year', 'rolling_12_months']),
    falls: random.pick(['to_reached', 'one_tier', 'never']),
    limit: random.chance(0.5)
      ? {
          points: random.between(100, 3000) * unit,
          period: random.pick(['day', 'week', 'month', 'year', 'lifetime']),
          onExceed: random.pick(['trim', 'reject']),
        }
      : null,
    pendingDays: random.pick([0, 0, 7, 30]),
    expiry: inventExpiry(random),
    rewards: REWARDS.filter(() => random.chance(0.8)).map((reward) =>
      inventReward(random, { id: reward, unit, now, leastLimit, tiers: tiers.map((tier) => tier.id) }),
    ),
    onShortfall: random.pick(['record', 'record', 'refuse']),
    graceDays: random.pick([0, 1, 30]),
    noticeDays: random.pick([null, 1, 30, 365]),
    ...campaigns,
    ...inventEngagement(random, { ...frame, audiences: campaigns.audiences.map((audience) => audience.id) }),
  };
}

function inventExpiry(random: Random): PlainExpiry {
  return random.pick<PlainExpiry>([
    { policy: 'never' },
    { policy: 'rolling_days', days: random.pick([1, 40, 365]) },
    { policy: 'inactivity', days: random.pick([2, 20, 90]) },
    {
      policy: 'end_of_period',
      period: random.pick(['month', 'quarter', 'year']),
      offsetDays: random.pick([0, 0, 10]),
    },
  ]);
}

interface RewardFrame extends Pick<InventedProgram, 'id' | 'now' | 'leastLimit'> {
  unit: number;
  /** Ids of the version's tiers. */
  tiers: string[];
}

function inventReward(random: Random, { id, unit, now, leastLimit, tiers }: RewardFrame): PlainReward {
  const day = (low: number, high: number): Date =>
    new Date(now.getTime() + random.between(low, high) * DAY_MS);
  return {
    id,
    points:
      id === VOUCHER
        ? 0
        : random.pick([random.between(1, 20), random.between(1, 60), random.between(1, 800)]) * unit,
    payment: id === VOUCHER ? inventPayment(random, unit) : null,
    inventory: random.chance(0.4) ? leastLimit + random.below(25) : null,
    holdSeconds: random.pick([60, 1800, 1800, 86_400, 604_800]),
    tiers: random.chance(0.25) ? [...new Set([random.pick(tiers), random.pick(tiers)])] : null,
    evidenceRequired: random.chance(0.3),
    customerReverses: random.chance(0.5),
    availableFrom: random.chance(0.15) ? day(-5, 5) : null,
    availableUntil: random.chance(0.15) ? day(6, 40) : null,
  };
}

function inventPayment(random: Random, unit: number): PlainPayment {
  const perUnit = random.between(1, 12) * random.pick([1, unit]);
  const unitMinor = random.pick([1, 6, 10, 100]);
  let least = 1;
  while ((least * unitMinor) % perUnit > 0) least += 1;
  const step = least * random.between(1, 3);
  const minimum = step * random.pick([1, 1, 2, 5]);
  return {
    perUnit,
    unitMinor,
    step,
    minimum,
    maximum: random.chance(0.3) ? minimum + step * random.below(40) : null,
    percent: random.chance(0.5) ? random.between(1, 100) : null,
  };
}

function inventRule(random: Random, id: string, byLine: boolean): PlainRule {
  return {
    id,
    channel: random.pick(['web', 'store', 'app', null, null]),
    category: random.chance(0.3) ? random.pick(CATEGORIES) : null,
    lines: byLine && random.chance(0.6) ? inventLines(random) : null,
    numerator: random.between(0, 9),
    denominator: random.between(1, 5),
    rounding: random.pick(ROUNDINGS),
    tierRounding: random.pick(ROUNDINGS),
  };
}

const documents = new WeakMap<PlainProgram, ProgramDocument>();

/** The document of the same program, as a merchant would publish it; made once. */
export function documentOf(program: PlainProgram): ProgramDocument {
  const document = documents.get(program) ?? madeDocument(program);
  documents.set(program, document);
  return document;
}

function madeDocument(program: PlainProgram): ProgramDocument {
  const { id, precision, rules, tiers, countsBy, limit, pendingDays } = program;
  return {
    id,
    name: id,
    unitName: 'points',
    currency: 'USD',
    locale: 'en-US',
    timeZone: program.timeZone,
    loyaltyUnitPrecision: precision,
    earn: {
      rules: rules.map((rule) => ({
        id: rule.id,
        match: 'all',
        conditions: [
          ...(rule.channel
            ? [{ field: 'purchase.channel', operator: 'equals' as const, value: rule.channel }]
            : []),
          ...(rule.category
            ? [{ field: 'items.category', operator: 'equals' as const, value: rule.category }]
            : []),
        ],
        ...(rule.lines ? { lines: linesOf(rule.lines) } : {}),
        earn: {
          currencyExponent: 2,
          loyaltyUnitPrecision: precision,
          rateNumerator: rule.numerator,
          rateDenominator: rule.denominator,
          rounding: rule.rounding,
          tierRounding: rule.tierRounding,
        },
      })),
    },
    tiers: tiers.map((tier) => ({
      id: tier.id,
      name: tier.id,
      threshold: tier.threshold,
      multiplier: { numerator: tier.numerator, denominator: tier.denominator },
    })),
    qualification: { window: countsBy, downgrade: program.falls },
    ...(limit ? { memberLimit: limit } : {}),
    pending: { days: pendingDays },
    expiration: program.expiry,
    rewards: program.rewards.map(rewardOf),
    returns: { onShortfall: program.onShortfall },
    graceDays: program.graceDays,
    ...(program.noticeDays === null ? {} : { expiryNoticeDays: program.noticeDays }),
    ...campaignSections(program),
    ...engagementSections(program),
  };
}

function rewardOf(reward: PlainReward): Reward {
  const { id, points, payment, inventory, holdSeconds, tiers, evidenceRequired } = reward;
  const { availableFrom, availableUntil } = reward;
  return {
    id,
    name: id,
    ...(payment ? { payWithPoints: paymentOf(payment) } : { points }),
    ...(inventory === null ? {} : { inventory }),
    holdSeconds,
    ...(tiers
      ? {
          eligibility: {
            match: 'all',
            conditions: [{ field: 'profile.tier', operator: 'in', value: tiers }],
          },
        }
      : {}),
    cancellationEvidenceRequired: evidenceRequired,
    ...(reward.customerReverses ? { customerReversal: 'immediate' } : {}),
    ...(availableFrom ? { availableFrom: availableFrom.toISOString() } : {}),
    ...(availableUntil ? { availableUntil: availableUntil.toISOString() } : {}),
  };
}

function paymentOf({ perUnit, unitMinor, step, minimum, maximum, percent }: PlainPayment): PayWithPoints {
  return {
    ...{ pointsPerUnit: perUnit, unitMinor, step, minimumPoints: minimum },
    ...(maximum === null ? {} : { maximumPoints: maximum }),
    ...(percent === null ? {} : { maximumShareOfOrder: { numerator: percent, denominator: 100 } }),
  };
}
