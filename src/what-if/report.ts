import { toTypeId } from '../ids.ts';
import { currencyExponent } from '../programs/document/currency-exponent.ts';
import type { Fraction } from '../programs/document/document-values.ts';
import type { ProgramDocument } from '../programs/document/program-document.ts';
import { type PublishedProgram, versionAt } from '../programs/published/published-program.ts';
import { roundFraction } from '../rules/shared/rounding.ts';
import type { OpenPoints } from './open-points.ts';
import type { SimulationClock } from './simulated-program.ts';
import type { Simulation } from './simulation.ts';
import type { Counted, MemberPoints, Points } from './tally.ts';

/** A sum now, under the draft, and the difference, as decimal strings because sums may exceed 2^53. */
export interface Change {
  now: string;
  draft: string;
  difference: string;
}

/** A row of a breakdown: points in the smallest loyalty unit, and how often they were given or taken. */
export interface BreakdownRow extends Change {
  id: string;
  countNow: number;
  countDraft: number;
}

export interface Mover {
  externalCustomerId: string;
  now: number;
  draft: number;
  difference: number;
}

/** The number of members whose points would change by a percentage within a band. */
export interface MoveBand {
  label: string;
  members: number;
}

/** The report of what a draft would have awarded. */
export interface SimulationReport {
  environmentId: string;
  programId: string;
  programName: string;
  unitName: string;
  loyaltyUnitPrecision: number;
  clock: SimulationClock;
  /** RFC 3339; null for the beginning of the history. */
  from: string | null;
  to: string;
  /** The published version in effect at the end of the period, or else the newest one. */
  publishedVersion: number | null;
  purchases: number;
  engagementEvents: number;
  /** Purchases that the draft would have refused, by code. */
  refused: { code: string; purchases: number }[];
  points: { total: Change; base: Change; campaigns: Change; challenges: Change; referrals: Change };
  /**
   * The sources that gave or took points: earn rules, tiers, campaigns, caps, limits, coupons, challenges, referrals.
   */
  sources: (BreakdownRow & { kind: string })[];
  /**
   * Purchases by the tier under which they were evaluated. `name` is the tier's name in the draft, or else as
   * published.
   */
  tiers: (BreakdownRow & { name: string | null })[];
  /** By UTC month, such as `2027-01`. */
  months: BreakdownRow[];
  liability: Liability;
  members: {
    withPoints: number;
    better: { members: number; points: string };
    worse: { members: number; points: string };
    same: number;
    bands: MoveBand[];
    topWinners: Mover[];
    topLosers: Mover[];
  };
}

/** Of the points that the period gave, those that would still be owed at its end. */
export interface Liability {
  /** RFC 3339. */
  at: string;
  /** Expired by the end of the period. */
  expired: Change;
  /** Not expired and, by the assumption of `openShare`, neither redeemed nor returned. */
  open: Change;
  /**
   * Of the points really awarded that have not expired, the share that is neither redeemed nor returned. Assumed for
   * both sides.
   */
  openShare: { numerator: string; denominator: string };
  /** Not expired and not available yet, if no points were redeemed. */
  pending: Change;
  /**
   * The value of `open` in minor currency units, for each side by its document's valuation, or by the other document's
   * where it has none; null where neither document has one.
   */
  amountMinor: Change | null;
  currency: string;
  /** Decimals of the currency's minor unit. */
  currencyExponent: number;
}

export interface ReportInput {
  environmentId: string;
  draft: ProgramDocument;
  published: PublishedProgram;
  clock: SimulationClock;
  from: Date | null;
  to: Date;
  top: number;
  simulation: Simulation;
  open: OpenPoints;
}

/**
 * Makes the report from the sums of a simulation.
 * @param namesOf finds the externalCustomerIds of members, by their ids
 */
export async function makeReport(
  input: ReportInput,
  namesOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<SimulationReport> {
  const { environmentId, draft, published, clock, from, to, simulation } = input;
  const { tally } = simulation;
  const tierOrder = draft.tiers.map(({ id }) => id);
  const documents = [...published.versions.map(({ document }) => document), draft];
  const tierNames = new Map(
    documents.flatMap(({ tiers }) => tiers.map(({ id, name }) => [id, name] as const)),
  );
  const current = versionAt(published, to) ?? published.versions.at(-1) ?? null;
  return {
    environmentId: toTypeId('env', environmentId),
    programId: draft.id,
    programName: draft.name,
    unitName: draft.unitName,
    loyaltyUnitPrecision: draft.loyaltyUnitPrecision,
    clock,
    from: from?.toISOString() ?? null,
    to: to.toISOString(),
    publishedVersion: current?.version ?? null,
    purchases: tally.purchases,
    engagementEvents: tally.engagementEvents,
    refused: [...tally.refused].map(([code, purchases]) => ({ code, purchases })),
    points: {
      total: change(tally.total),
      base: change(tally.base),
      campaigns: change(tally.campaigns),
      challenges: change(tally.challenges),
      referrals: change(tally.referrals),
    },
    sources: sourcesOf(tally.sources()),
    tiers: [...tally.tiers]
      .map(([id, counted]) => ({ ...row(id, counted), name: tierNames.get(id) ?? null }))
      .sort((a, b) => tierOrder.indexOf(a.id) - tierOrder.indexOf(b.id)),
    months: [...tally.months].map(([id, counted]) => row(id, counted)).sort((a, b) => (a.id < b.id ? -1 : 1)),
    liability: liabilityOf(input, current?.document ?? draft),
    members: await membersOf(tally.members, input.top, namesOf),
  };
}

function change({ now, draft }: Points): Change {
  return { now: String(now), draft: String(draft), difference: String(draft - now) };
}

function row(id: string, counts: Counted): BreakdownRow {
  const { countNow, countDraft } = counts;
  return { id, ...change(counts), countNow, countDraft };
}

const KINDS = [
  'earn_rule',
  'tier',
  'campaign',
  'coupon',
  'campaign_cap',
  'member_limit',
  'challenge',
  'referral',
];

function sourcesOf(sources: Iterable<{ kind: string; id: string } & Counted>) {
  const rows = Array.from(sources, ({ kind, id, ...counted }) => ({ kind, ...row(id, counted) }));
  const rank = ({ kind }: { kind: string }): number => {
    const index = KINDS.indexOf(kind);
    return index === -1 ? KINDS.length : index;
  };
  // The sort is stable: sources of one kind stay in the order in which the simulation first met them.
  return rows.sort((a, b) => rank(a) - rank(b));
}

function liabilityOf({ simulation, open, draft, to }: ReportInput, current: ProgramDocument): Liability {
  const simulated = simulation.remaining();
  const { granted, open: stillOpen } = open.alive;
  const share =
    granted > 0n ? { numerator: stillOpen, denominator: granted } : { numerator: 1n, denominator: 1n };
  const owed = (unexpired: bigint): bigint =>
    roundFraction(unexpired * share.numerator, share.denominator, 'nearest_half_up');
  const owedPoints = { now: owed(open.unexpired), draft: owed(simulated.unexpired) };
  const [valued, valuedByDraft] = [current, draft].map(({ finance }) => finance?.valuation?.amountMinor);
  const [valuedNow, valuedThen] = [valued ?? valuedByDraft, valuedByDraft ?? valued];
  return {
    at: to.toISOString(),
    expired: change({ now: open.expired, draft: simulated.expired }),
    open: change(owedPoints),
    openShare: { numerator: String(share.numerator), denominator: String(share.denominator) },
    pending: change({ now: open.pending, draft: simulated.pending }),
    amountMinor:
      valuedNow && valuedThen
        ? change({ now: worth(owedPoints.now, valuedNow), draft: worth(owedPoints.draft, valuedThen) })
        : null,
    currency: draft.currency,
    currencyExponent: currencyExponent(draft.currency),
  };
}

function worth(points: bigint, { numerator, denominator }: Fraction): bigint {
  return roundFraction(points * BigInt(numerator), BigInt(denominator), 'nearest_half_up');
}

/** How many bands of one width there are on each side of the members whose points would be the same. */
const BANDS_A_SIDE = 3;
/** The widths of a band, in percent, of which the narrowest is taken that leaves few members beyond the bands. */
const BAND_WIDTHS = [1, 2, 5, 10, 20, 30];
const MOST_BEYOND = 0.1;

/** How much more or less a member would get, in percent; Infinity where it has nothing now. */
function percentChange({ now, draft }: MemberPoints): number {
  return draft === now ? 0 : ((draft - now) * 100) / Math.abs(now);
}

/** Members by their change, in bands of one width; those beyond them on either side are counted together. */
export function bandsOf(members: Iterable<MemberPoints>): MoveBand[] {
  const changes = Array.from(members, percentChange);
  const moved = changes.filter((change) => change !== 0);
  const beyond = (width: number) => moved.filter((change) => Math.abs(change) > width * BANDS_A_SIDE).length;
  const width = BAND_WIDTHS.find((each) => beyond(each) <= moved.length * MOST_BEYOND) ?? 30;
  // By the number of widths, rounded away from 0: a change of exactly one width is in the first band.
  const sides = [-1, 1].map((sign) => {
    const counts = Array.from({ length: BANDS_A_SIDE + 1 }, () => 0);
    for (const change of moved) {
      const index = Math.min(Math.ceil((change * sign) / width), BANDS_A_SIDE + 1) - 1;
      if (index >= 0) counts[index] = (counts[index] ?? 0) + 1;
    }
    return counts;
  });
  const [less = [], more = []] = sides;
  const edge = BANDS_A_SIDE * width;
  const inner = Array.from({ length: BANDS_A_SIDE }, (_, index) => index);
  return [
    { label: `below -${edge} %`, members: less[BANDS_A_SIDE] ?? 0 },
    ...inner.toReversed().map((index) => ({
      label: `-${(index + 1) * width} to ${index === 0 ? '0' : `-${index * width}`} %`,
      members: less[index] ?? 0,
    })),
    { label: 'the same', members: changes.length - moved.length },
    ...inner.map((index) => ({
      label: `${index === 0 ? '0' : `+${index * width}`} to +${(index + 1) * width} %`,
      members: more[index] ?? 0,
    })),
    { label: `over +${edge} %`, members: more[BANDS_A_SIDE] ?? 0 },
  ];
}

async function membersOf(
  members: ReadonlyMap<string, MemberPoints>,
  top: number,
  namesOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<SimulationReport['members']> {
  const sums = { better: { members: 0, points: 0n }, worse: { members: 0, points: 0n } };
  const moved: { id: string; now: number; draft: number; difference: number }[] = [];
  for (const [id, { now, draft }] of members) {
    if (now === draft) continue;
    const difference = draft - now;
    const side = difference > 0 ? sums.better : sums.worse;
    side.members += 1;
    side.points += BigInt(difference);
    moved.push({ id, now, draft, difference });
  }
  // Members with equal differences are ordered by the time of joining, with which a UUID of version 7 begins.
  moved.sort((a, b) => b.difference - a.difference || (a.id < b.id ? -1 : 1));
  const winners = moved.slice(0, top).filter(({ difference }) => difference > 0);
  const losers = moved
    .slice(-top)
    .filter(({ difference }) => difference < 0)
    .reverse();
  const names = await namesOf([...winners, ...losers].map(({ id }) => id));
  const named = ({ id, ...points }: (typeof moved)[number]): Mover => ({
    externalCustomerId: names.get(id) ?? '',
    ...points,
  });
  return {
    withPoints: members.size,
    better: { members: sums.better.members, points: String(sums.better.points) },
    worse: { members: sums.worse.members, points: String(sums.worse.points) },
    same: members.size - moved.length,
    bands: bandsOf(members.values()),
    topWinners: winners.map(named),
    topLosers: losers.map(named),
  };
}
