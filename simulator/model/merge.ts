import { grantTiers, remainingOf } from './choices.ts';
import type { ModelGrant } from './grant.ts';
import type { LayeredTable } from './layered-table.ts';
import { settledBalance, storeBalance } from './ledger.ts';
import type { Adopted, ModelUndo, MovedProgram } from './merge-undo.ts';
import { type Model, type ModelReservation, nameOf, type Prediction } from './model.ts';
import { type ModelLot, type Part, PointBalance, sumOf } from './points.ts';
import type { ModelProfile } from './profile.ts';
import type { ModelProgress } from './progress.ts';
import { standingNow, tellOfTier, tierReached } from './standing.ts';

type Refused = Extract<Prediction, { code: unknown }>;

/** What is merged in one program: everything is computed before anything is stored. */
interface MergedProgram {
  programId: string;
  giver: PointBalance;
  receiver: PointBalance;
  /** The target's profile; null where it had none. */
  targetProfile: ModelProfile | null;
  points: number;
  lots: number;
  /** The index of each of the source's lots among the target's. */
  lotIndexes: readonly number[];
  /** The indexes of the source's lots that were moved. */
  moved: readonly number[];
}

/** Merges the account of one customer into that of another one. Both are members. */
export function mergeAccounts(
  model: Model,
  source: string,
  target: string,
  now: Date,
): Refused | { programs: { programId: string; points: number; lots: number }[]; undo: ModelUndo } {
  const others = [...model.targets.rows()].filter(([name, other]) => name !== other);
  const merged: MergedProgram[] = [];
  for (const programId of [...model.programs.keys()].sort()) {
    const from = model.profiles.get(nameOf(programId, source));
    if (!from) continue;
    const result = mergeProgram(model, { programId, from, source, target, now });
    if ('code' in result) return result;
    merged.push(result);
  }
  const grants = moveGrants(model, source, target);
  const programs = merged.map((each) => store(model, { source, target, now }, each));
  const counted = moveCounters(model, source, target);
  const adopted = merged.map(({ programId, lotIndexes }) =>
    adopt(model, { programId, source, target, lotIndexes }),
  );
  const events = namesOf(model.events, (event) => event.externalCustomerId === source);
  const claims = namesOf(model.claims, ({ claimed }) => claimed.split(' ')[0] === source);
  const codes = namesOf(model.codes, ({ assigned }) => assigned === source);
  const followers = others.filter(([, other]) => other === source).map(([name]) => name);
  moveNames(model, { events, claims, codes, followers }, { source, target });
  model.targets.set(source, target);
  return {
    programs: merged.map(({ programId, points, lots }) => ({ programId, points, lots })),
    undo: {
      followers,
      earlier: others.filter(([, other]) => other === target).map(([name]) => name),
      programs: programs.map((each, index) => ({ ...each, ...(adopted[index] as Adopted) })),
      ...{ counted, events, claims, codes, ...grants },
    },
  };
}

/** The names of the rows of a table that are as wanted. */
function namesOf<V>(table: LayeredTable<V>, matches: (row: V) => boolean): string[] {
  return [...table.rows()].filter(([, row]) => matches(row)).map(([name]) => name);
}

function mergeProgram(
  model: Model,
  {
    programId,
    from,
    source,
    target,
    now,
  }: { programId: string; from: ModelProfile; source: string; target: string; now: Date },
): MergedProgram | Refused {
  const targetProfile = model.profiles.get(nameOf(programId, target));
  const giver = settledBalance(from, now);
  const receiver = targetProfile
    ? settledBalance(targetProfile, now)
    : new PointBalance({ lots: [], holds: [], lastActivityAt: null }, now);
  if (sumOf(giver, 'reserved') > 0) return { code: 'reservation_open' };
  const points = giver.available + sumOf(giver, 'pending');
  if (points > 0 && !(targetProfile ?? from).enrolled) return { code: 'enrollment_required' };
  const lotIndexes: number[] = [];
  const [giving, taking] = [nameOf(programId, source), nameOf(programId, target)];
  const indexByOrigin = new Map(receiver.lots.map((lot, index) => [originOf(lot, taking, index), index]));
  const moving = [...giver.lots.entries()]
    .filter(([, lot]) => isMoved(lot))
    .sort(([, a], [, b]) => (a.rank ?? 0) - (b.rank ?? 0));
  for (const [index, lot] of moving) {
    const origin = originOf(lot, giving, index);
    // It may have been there before, by a merge that was undone.
    lotIndexes[index] =
      indexByOrigin.get(origin) ?? receiver.add({ ...lot, ...NOTHING, noticed: false }, origin);
    receiver.touch(lotIndexes[index]);
    moveAmounts(lot, receiver.lot(lotIndexes[index]));
  }
  for (const [index, lot] of giver.lots.entries()) {
    if (lotIndexes[index] !== undefined) continue;
    const origin = originOf(lot, giving, index);
    // Nothing of it is left: it comes to the target with the first points that come back to it.
    lotIndexes[index] =
      indexByOrigin.get(origin) ??
      receiver.lots.push({ ...lot, ...NOTHING, noticed: false, rank: null, origin }) - 1;
    const waiting = receiver.lot(lotIndexes[index]);
    if (waiting.rank === null) waiting.expiresAt = lot.expiresAt;
  }
  receiver.lastActivityAt = latest(receiver.lastActivityAt, giver.lastActivityAt);
  const moved = moving.map(([index]) => index);
  return { programId, giver, receiver, targetProfile, points, lots: moving.length, lotIndexes, moved };
}

/** The profile and the index of the lot that a lot was to begin with. */
export function originOf({ origin }: ModelLot, profile: string, index: number): string {
  return origin ?? `${profile} ${index}`;
}

const NOTHING = { available: 0, pending: 0, claimed: 0, lent: 0 };

/** Moves what a lot has into another one of the same origin. */
export function moveAmounts(from: ModelLot, into: ModelLot): void {
  const { available, pending, claimed, lent, expiresAt } = from;
  Object.assign(into, { available, pending, claimed, lent, expiresAt });
  Object.assign(from, NOTHING);
}

function isMoved({ available, pending, claimed, lent }: ModelLot): boolean {
  return available + pending + claimed > 0 || lent !== 0;
}

export function latest(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.max(a, b);
}

function store(
  model: Model,
  { source, target, now }: { source: string; target: string; now: Date },
  { programId, giver, receiver, targetProfile, lotIndexes, moved }: MergedProgram,
): MovedProgram {
  const [from, to] = [nameOf(programId, source), nameOf(programId, target)];
  const done = (): MovedProgram => ({
    programId,
    sourceProfile,
    targetProfile,
    joinedProfile: model.profiles.get(to) as ModelProfile,
    lotIndexes,
    lots: moved.map((index) => {
      const { available, pending, claimed, lent } = receiver.lot(lotIndexes[index] as number);
      return { from: index, points: available + pending, claimed, lent };
    }),
  });
  const sourceProfile = model.profiles.get(from) as ModelProfile;
  const program = model.versionAt(programId, now)?.program;
  if (!program) throw new Error(`the model has no version of ${programId}`);
  const { tier, qualificationPoints, countedSince, earned } = sourceProfile;
  const sourceStanding = { tier, qualificationPoints, countedSince, earned };
  const past = {
    purchases: sourceProfile.purchases,
    spentMinor: sourceProfile.spentMinor,
    referrals: sourceProfile.referrals,
  };
  for (const each of sourceProfile.quotes) {
    const quote = model.quotes.get(each);
    const state = quote && quote.expiresAt <= now.getTime() ? 'expired' : 'cancelled';
    if (quote) model.quotes.set(each, { ...quote, state });
  }
  storeBalance(model, from, giver, {
    ...{ enrolled: false, quotes: [], qualificationPoints: 0, earned: earned && [] },
    ...{ purchases: 0, spentMinor: 0, referrals: 0 },
  });
  if (!targetProfile) {
    const start = { enrolled: sourceProfile.enrolled, quotes: [], hasCode: false, referredBy: null };
    model.profiles.set(to, { ...receiver.points, ...sourceStanding, ...past, ...start });
    return done();
  }
  const [one, other] = [standingNow(program, targetProfile, now), standingNow(program, sourceStanding, now)];
  const days = one.earned && other.earned ? [...one.earned, ...other.earned] : one.earned;
  const total = days
    ? days.reduce((sum, { points }) => sum + points, 0)
    : one.qualificationPoints + other.qualificationPoints;
  const rank = (id: string): number => program.tiers.findIndex((each) => each.id === id);
  const best = [tierReached(program, total), one.tier, other.tier].sort((a, b) => rank(b) - rank(a))[0] ?? '';
  const standing = {
    tier: best,
    qualificationPoints: total,
    countedSince: latest(one.countedSince, other.countedSince),
    earned: days,
  };
  storeBalance(model, to, receiver, {
    ...standing,
    purchases: targetProfile.purchases + past.purchases,
    spentMinor: targetProfile.spentMinor + past.spentMinor,
    referrals: targetProfile.referrals + past.referrals,
  });
  tellOfTier(model, to, targetProfile.tier, standing);
  grantTiers(model, target, program, { from: targetProfile.tier, to: best, now: now.getTime() });
  return done();
}

/** Everything that names the source's profile and its lots names those of the target from now on. */
function adopt(
  model: Model,
  {
    programId,
    source,
    target,
    lotIndexes,
  }: { programId: string; source: string; target: string; lotIndexes: readonly number[] },
): Adopted {
  const adopted: Adopted = {
    orders: [],
    quotes: [],
    reservations: [],
    adjustments: [],
    settlements: [],
    progress: [],
  };
  const [from, to] = [nameOf(programId, source), nameOf(programId, target)];
  const owner = { profile: to, externalCustomerId: target };
  const indexOfLot = (lot: number | null): number | null => (lot === null ? null : (lotIndexes[lot] ?? null));
  const partsOf = (parts: readonly Part[]): Part[] =>
    parts.map(({ lot, points }) => ({ lot: lotIndexes[lot] as number, points }));
  for (const [name, order] of model.orders.rows()) {
    const isOwn = order.profile === from;
    const { referral } = order;
    const referred = referral?.referrer === from;
    if (!isOwn && !referred) continue;
    adopted.orders.push({ name, isOwn, referred, returnCount: isOwn ? returnsOf(model, name) : 0 });
    model.orders.set(name, {
      ...order,
      ...(isOwn && { ...owner, lot: indexOfLot(order.lot) }),
      referral: referral && {
        referrer: referral.referrer === from ? to : referral.referrer,
        referrerLot: referral.referrer === from ? indexOfLot(referral.referrerLot) : referral.referrerLot,
        refereeLot: isOwn ? indexOfLot(referral.refereeLot) : referral.refereeLot,
      },
    });
  }
  for (const [name, quote] of model.quotes.rows()) {
    if (quote.profile !== from) continue;
    adopted.quotes.push(name);
    model.quotes.set(name, { ...quote, ...owner });
  }
  for (const [name, reservation] of model.reservations.rows()) {
    const { quote, spent } = reservation;
    if (quote.profile !== from) continue;
    const adoptedReservation = { ...reservation, quote: { ...quote, ...owner }, spent: partsOf(spent) };
    adopted.reservations.push({ name, spentAtMerge: spentOf(adoptedReservation) });
    model.reservations.set(name, adoptedReservation);
  }
  for (const [name, adjustment] of model.adjustments.rows()) {
    if (adjustment.profile !== from) continue;
    adopted.adjustments.push({ name, stateAtMerge: adjustment.state });
    model.adjustments.set(name, { ...adjustment, ...owner, parts: partsOf(adjustment.parts) });
  }
  for (const [name, settlement] of model.settlements.rows()) {
    if (settlement.profile !== from) continue;
    adopted.settlements.push({ name, reversedAtMerge: settlement.reversed });
    model.settlements.set(name, { ...settlement, profile: to, parts: partsOf(settlement.parts) });
  }
  adoptProgress(model, { from, to }, adopted);
  return adopted;
}

/** What the source has reached counts for the target. */
function adoptProgress(
  model: Model,
  { from, to }: { from: string; to: string },
  { progress }: Adopted,
): void {
  for (const [key, windows] of model.progress.rows()) {
    if (!key.startsWith(`${from} `)) continue;
    const other = `${to} ${key.slice(from.length + 1)}`;
    const targetWindows = model.progress.get(other) ?? [];
    const joinedWindows = joined(targetWindows, windows);
    progress.push({ key, other, sourceWindows: windows, targetWindows, joinedWindows });
    model.progress.set(other, joinedWindows);
    model.progress.set(
      key,
      windows.map((each) => ({ ...each, reached: 0, completions: 0, streak: null })),
    );
  }
}

/** How many returns there are of an order. */
export function returnsOf(model: Model, order: string): number {
  return namesOf(model.returns, ({ sourceReference }) => sourceReference === order).length;
}

/** What a reversal changes of a reservation, as text. */
export function spentOf({ state, spent, reversedMinor }: ModelReservation): string {
  return JSON.stringify({ state, spent, reversedMinor });
}

/** What both have counted toward limits. */
function moveCounters(model: Model, source: string, target: string): ModelUndo['counted'] {
  const moved: { key: string; other: string; amount: number }[] = [];
  for (const [key, amount] of model.counted.rows()) {
    const [programId = '', customer, ...what] = key.split(' ');
    if (customer !== source || amount === 0) continue;
    const other = [programId, target, ...what].join(' ');
    model.counted.set(other, (model.counted.get(other) ?? 0) + amount);
    model.counted.set(key, 0);
    moved.push({ key, other, amount });
  }
  return moved;
}

/** The windows of both, each with the progress of both. */
function joined(
  targetWindows: readonly ModelProgress[],
  sourceWindows: readonly ModelProgress[],
): ModelProgress[] {
  const all = [...targetWindows];
  for (const each of sourceWindows) {
    if (each.reached + each.completions === 0) continue;
    const index = all.findIndex(({ start }) => start === each.start);
    const existing = all[index];
    if (existing) all[index] = together(existing, each);
    else all.push(each);
  }
  return all;
}

function together(target: ModelProgress, source: ModelProgress): ModelProgress {
  const completions = target.completions + source.completions;
  // Toward another goal: the next event begins at the completions.
  if (target.asks !== source.asks)
    return { ...target, reached: 0, completions, fullWorth: -1, asks: '-', streak: null };
  if (target.streak) return { ...(source.reached > target.reached ? source : target), completions };
  return { ...target, reached: target.reached + source.reached, completions };
}

/**
 * The target gets what is left of the source's choices; tiers that have granted the source something grant it no more.
 */
function moveGrants(model: Model, source: string, target: string): Pick<ModelUndo, 'grants' | 'milestones'> {
  const milestones: number[] = [];
  const grants: number[] = [];
  const all = [...model.programs.keys()]
    .flatMap((programId) => model.grants.get(nameOf(programId, source)) ?? [])
    .sort((a, b) => a.number - b.number);
  for (const each of all.filter(({ milestone }) => milestone.startsWith('tier:'))) {
    const name = nameOf(each.programId, target);
    const existing = model.grants.get(name) ?? [];
    if (existing.some((row) => row.choiceSetId === each.choiceSetId && row.milestone === each.milestone))
      continue;
    milestones.push(addGrant(model, name, { ...each, chosen: [], forfeited: true }));
  }
  const open = all.filter((each) => remainingOf(each) > 0 && !each.forfeited);
  open.sort((a, b) => a.grantedAt - b.grantedAt || a.number - b.number);
  for (const each of open) {
    const freshState = { choices: remainingOf(each), chosen: [], milestone: `merge:${each.number}` };
    grants.push(addGrant(model, nameOf(each.programId, target), { ...each, ...freshState }));
  }
  for (const programId of model.programs.keys()) {
    const name = nameOf(programId, source);
    const grants = model.grants.get(name);
    if (!grants) continue;
    const ended = grants.map((each) => (open.includes(each) ? { ...each, forfeited: true } : each));
    model.grants.set(name, ended);
  }
  return { grants, milestones };
}

/** @returns the number of the new grant */
export function addGrant(model: Model, name: string, grant: ModelGrant): number {
  const number = model.nextNumber();
  model.grants.set(name, [...(model.grants.get(name) ?? []), { ...grant, number }]);
  return number;
}

/** What names a customer, and the names that answer for it, name another one from now on. */
export function moveNames(
  model: Model,
  { events, claims, codes, followers }: Pick<ModelUndo, 'events' | 'claims' | 'codes' | 'followers'>,
  { source, target }: { source: string; target: string },
): void {
  for (const name of events) {
    const event = model.events.get(name);
    if (event) model.events.set(name, { ...event, externalCustomerId: target });
  }
  for (const name of claims) {
    const claim = model.claims.get(name);
    const [, ...rest] = claim?.claimed.split(' ') ?? [];
    if (claim) model.claims.set(name, { ...claim, claimed: [target, ...rest].join(' ') });
  }
  for (const name of codes) {
    const code = model.codes.get(name);
    if (code?.assigned === source) model.codes.set(name, { ...code, assigned: target });
  }
  for (const name of followers) model.targets.set(name, target);
}
