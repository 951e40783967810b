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

/** A sum as it was, as it would have been, and the difference: decimal strings, since sums can be beyond 2^53. */
export interface Change {
  now: string;
  draft: string;
  difference: string;
}

/** A row of a breakdown: points in the smallest loyalty unit, and how often. */
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

/** Members by how much of their points they would have more or less. */
export interface MoveBand {
  label: string;
  members: number;
}

/** What a draft would have done. */
export interface SimulationReport {
  environmentId: string;
  programId: string;
  programName: string;
  unitName: string;
  loyaltyUnitPrecision: number;
  clock: SimulationClock;
  /** RFC 3339; null for the beginning. */
  from: string | null;
  to: string;
  /** Of the newest published version that the period was awarded under at its end. */
  publishedVersion: number | null;
  purchases: number;
  engagementEvents: number;
  /** Purchases that the draft would have refused, by code. */
  refused: { code: string; purchases: number }[];
  points: { total: Change; base: Change; campaigns: Change; challenges: Change; referrals: Change };
  /** What gave and took points: earn rules, tiers, campaigns, caps, limits, coupons, challenges, referrals. */
  sources: (BreakdownRow & { kind: string })[];
  /** Purchases by the tier that they were evaluated under, with its name in the draft, or else as published. */
  tiers: (BreakdownRow & { name: string | null })[];
  /** By month of UTC, such as `2027-01`. */
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

/** What would still be owed at the end of the period, of the points that the period gave. */
export interface Liability {
  /** RFC 3339. */
  at: string;
  /** Expired by then. */
  expired: Change;
  /** Neither expired nor, by assumption, redeemed or returned. */
  open: Change;
  /** Of the real points that live on, this part is still on the books: assumed of both sides. */
  openShare: { numerator: string; denominator: string };
  /** Not expired but not available yet, were nothing redeemed. */
  pending: Change;
  /** Minor currency units that `open` is worth by each document's valuation, or the other's; null without any. */
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

/** Lays out what a simulation has added up. @param namesOf finds the externalCustomerId of members */
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

function row(id: string, counted: Counted): BreakdownRow {
  const { countNow, countDraft } = counted;
  return { id, ...change(counted), countNow, countDraft };
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
  const place = ({ kind }: { kind: string }): number => {
    const index = KINDS.indexOf(kind);
    return index === -1 ? KINDS.length : index;
  };
  // Of one kind, in the order in which they were first met.
  return rows.sort((a, b) => place(a) - place(b));
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

const BANDS: readonly { label: string; holds(now: number, draft: number): boolean }[] = [
  { label: 'below -50 %', holds: (now, draft) => draft * 2 < now },
  { label: '-50 to -10 %', holds: (now, draft) => draft * 10 < now * 9 },
  { label: '-10 to 0 %', holds: (now, draft) => draft < now },
  { label: 'the same', holds: (now, draft) => draft === now },
  { label: '0 to +10 %', holds: (now, draft) => draft * 10 <= now * 11 },
  { label: '+10 to +50 %', holds: (now, draft) => draft * 2 <= now * 3 },
  { label: '+50 to +100 %', holds: (now, draft) => draft <= now * 2 },
  { label: 'over +100 %', holds: () => true },
];

async function membersOf(
  members: ReadonlyMap<string, MemberPoints>,
  top: number,
  namesOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<SimulationReport['members']> {
  const sums = { better: { members: 0, points: 0n }, worse: { members: 0, points: 0n } };
  const inBand = BANDS.map(() => 0);
  const moved: { id: string; now: number; draft: number; difference: number }[] = [];
  for (const [id, { now, draft }] of members) {
    const band = BANDS.findIndex(({ holds }) => holds(now, draft));
    inBand[band] = (inBand[band] ?? 0) + 1;
    if (now === draft) continue;
    const difference = draft - now;
    const side = difference > 0 ? sums.better : sums.worse;
    side.members += 1;
    side.points += BigInt(difference);
    moved.push({ id, now, draft, difference });
  }
  // Of equal differences, the one who joined first: ids are of version 7.
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
    bands: BANDS.map(({ label }, index) => ({ label, members: inBand[index] ?? 0 })),
    topWinners: winners.map(named),
    topLosers: losers.map(named),
  };
}
