import { remainingOf } from './choices.ts';
import { settledBalance, storeBalance } from './ledger.ts';
import { addGrant, latest, moveAmounts, moveNames, returnsOf, spentOf } from './merge.ts';
import type { ModelUndo } from './merge-undo.ts';
import { type Model, type ModelMerge, nameOf, type Prediction } from './model.ts';
import type { ModelLot, Part, PointBalance } from './points.ts';
import type { ModelProfile } from './profile.ts';
import type { ModelProgress } from './progress.ts';
import { standingNow, tellOfTier, tierReached } from './standing.ts';

type Refused = Extract<Prediction, { code: unknown }>;
type ProgramOfUndo = ModelUndo['programs'][number];

/** An undo that is under way: both names, and when the two were merged. */
interface Unmerging {
  source: string;
  target: string;
  mergedAt: Date;
  now: Date;
}

/** Gives the account of a customer back that was merged into that of another one. */
export function unmergeAccounts(
  model: Model,
  { source, target, done }: ModelMerge,
  now: Date,
): Refused | { programId: string; points: number; lots: number }[] {
  if (!done) throw new Error('the model undoes a merge that was not approved');
  const { undo, at } = done;
  const merged = [...model.targets.rows()].filter(([name, other]) => name !== other && other === target);
  if (merged.length !== undo.followers.length + undo.earlier.length + 1) return { code: 'merged_again' };
  for (const name of [source, target])
    if (model.members.get(name)?.suspended !== false) return { code: 'member_not_found' };
  const unmerging = { source, target, mergedAt: new Date(at), now };
  if (undo.programs.some((program) => isTouched(model, program))) return { code: 'merged_points_used' };
  if (isEngaged(model, undo, target)) return { code: 'merged_engagement_used' };
  const balances: PointBalance[] = [];
  for (const program of undo.programs) {
    const targetProfile = mustHave(model, nameOf(program.programId, target));
    const balance = settledBalance(targetProfile, now);
    const origins = [source, ...undo.followers].map((name) => nameOf(program.programId, name));
    if (isUsed(balance, program, origins)) return { code: 'merged_points_used' };
    if (!separated(model, targetProfile, program, unmerging)) return { code: 'merged_engagement_used' };
    balances.push(balance);
  }
  giveGrantsBack(model, undo, unmerging);
  undo.programs.forEach((program, index) => {
    giveBack(model, program, balances[index] as PointBalance, unmerging);
    releaseRows(model, program, unmerging);
  });
  for (const { key, other, amount } of undo.counted) {
    model.counted.set(other, (model.counted.get(other) ?? 0) - amount);
    model.counted.set(key, amount);
  }
  moveNames(model, undo, { source: target, target: source });
  model.targets.set(source, source);
  return undo.programs.map(({ programId, lots }) => ({
    programId,
    points: lots.reduce((sum, { points }) => sum + points, 0),
    lots: lots.length,
  }));
}

/** Whether something that the source had brought was returned, reversed or posted since. */
function isTouched(model: Model, { orders, reservations, adjustments, settlements }: ProgramOfUndo): boolean {
  return (
    orders.some(({ name, isOwn, returnCount }) => isOwn && returnsOf(model, name) !== returnCount) ||
    reservations.some(({ name, spentAtMerge }) => {
      const reservation = model.reservations.get(name);
      return !reservation || spentOf(reservation) !== spentAtMerge;
    }) ||
    adjustments.some(({ name, stateAtMerge }) => {
      const state = model.adjustments.get(name)?.state;
      return state !== stateAtMerge && (state === 'posted' || state === 'reversed');
    }) ||
    settlements.some(({ name, reversedAtMerge }) => model.settlements.get(name)?.reversed !== reversedAtMerge)
  );
}

/** Whether joined progress has gone on, or a choice that was moved was claimed. */
function isEngaged(model: Model, { programs, grants }: ModelUndo, target: string): boolean {
  const windowIn = (list: readonly ModelProgress[], start: number) =>
    list.find((each) => each.start === start);
  const wentOn = programs
    .flatMap(({ progress }) => progress)
    .some(({ other, sourceWindows, joinedWindows }) =>
      sourceWindows
        .filter(({ reached, completions }) => reached + completions > 0)
        .some(({ start }) => {
          const [now, then] = [
            windowIn(model.progress.get(other) ?? [], start),
            windowIn(joinedWindows, start),
          ];
          return !now || !then || windowText(now) !== windowText(then);
        }),
    );
  const claimed = programs
    .flatMap(({ programId }) => model.grants.get(nameOf(programId, target)) ?? [])
    .some(({ number, chosen }) => grants.includes(number) && chosen.length > 0);
  return wentOn || claimed;
}

function windowText({ reached, completions, asks, streak }: ModelProgress): string {
  return JSON.stringify([reached, completions, asks, streak && [streak.asks, [...streak.windows]]]);
}

/**
 * Whether a lot that was moved is not what it was, or anything else of the source has come to the target.
 * @param origins names of the profiles of the accounts that are given back
 */
function isUsed(
  balance: PointBalance,
  { lots, lotIndexes }: ProgramOfUndo,
  origins: readonly string[],
): boolean {
  const moved = new Set(lots.map(({ from }) => from));
  const changed = lots.some(({ from, points, claimed, lent }) => {
    const lot = balance.lot(lotIndexes[from] as number);
    const isUntouched = lot.reserved === 0 && lot.available + lot.pending === points;
    return !isUntouched || lot.claimed !== claimed || lot.lent !== lent;
  });
  const came = lotIndexes.some((lotIndex, index) => {
    const lot = balance.lot(lotIndex);
    const isOfSource = origins.some((name) => lot.origin?.startsWith(`${name} `));
    return !moved.has(index) && isOfSource && hasAnything(lot);
  });
  return changed || came;
}

function hasAnything({ available, pending, reserved, claimed, lent }: ModelLot): boolean {
  return available + pending + reserved + claimed > 0 || lent !== 0;
}

type Standing = Pick<ModelProfile, 'tier' | 'qualificationPoints' | 'countedSince' | 'earned'>;

/** The target's standing without what the source had brought; null where the kind of window has changed. */
function separated(
  model: Model,
  presentProfile: ModelProfile,
  { programId, sourceProfile, targetProfile, joinedProfile }: ProgramOfUndo,
  { mergedAt, now }: Unmerging,
): Standing | null {
  const program = model.versionAt(programId, now)?.program;
  if (!program) throw new Error(`the model has no version of ${programId}`);
  const joined = standingNow(program, presentProfile, now);
  const sourceStanding = standingNow(program, sourceProfile, mergedAt);
  if (kindOf(joined) !== kindOf(joinedProfile)) return null;
  let { qualificationPoints, earned } = joined;
  if (earned) {
    const rest = [...earned];
    for (const each of sourceStanding.earned ?? []) {
      const at = rest.findIndex(({ day, points }) => day === each.day && points === each.points);
      if (at >= 0) rest.splice(at, 1);
    }
    earned = rest;
    qualificationPoints = rest.reduce((sum, { points }) => sum + points, 0);
  } else if (joined.countedSince === joinedProfile.countedSince) {
    qualificationPoints -= Math.min(qualificationPoints, sourceStanding.qualificationPoints);
  }
  const rank = (id: string): number => program.tiers.findIndex((each) => each.id === id);
  const reached = tierReached(program, qualificationPoints);
  const without = targetProfile ? standingNow(program, targetProfile, now).tier : reached;
  const tier = rank(without) > rank(reached) ? without : reached;
  return { tier, qualificationPoints, countedSince: joined.countedSince, earned };
}

function kindOf({ earned, countedSince }: Standing): string {
  return earned ? 'days' : countedSince === null ? 'lifetime' : 'year';
}

/** Gives the lots of one program back, and parts standing and history. */
function giveBack(model: Model, program: ProgramOfUndo, balance: PointBalance, unmerging: Unmerging): void {
  const { programId, sourceProfile, lotIndexes, lots } = program;
  const { source, target } = unmerging;
  const [from, to] = [nameOf(programId, source), nameOf(programId, target)];
  const present = mustHave(model, to);
  const standing = separated(model, present, program, unmerging);
  if (!standing) throw new Error('the model undoes what it cannot part');
  const emptied = mustHave(model, from);
  const back = emptied.lots.map((lot) => ({ ...lot }));
  for (const { from: index } of lots)
    moveAmounts(balance.lot(lotIndexes[index] as number), back[index] as ModelLot);
  const { enrolled, tier, qualificationPoints, countedSince, earned, purchases, spentMinor, referrals } =
    sourceProfile;
  const lastActivityAt = latest(sourceProfile.lastActivityAt, balance.lastActivityAt);
  model.profiles.set(from, {
    ...emptied,
    ...{ lots: back, enrolled, tier, qualificationPoints, countedSince, earned, lastActivityAt },
    ...{ purchases, spentMinor, referrals },
  });
  storeBalance(model, to, balance, {
    ...standing,
    purchases: present.purchases - purchases,
    spentMinor: present.spentMinor - spentMinor,
    referrals: present.referrals - referrals,
  });
  tellOfTier(model, to, present.tier, standing);
}

/** Everything that has named the source's profile before names it again. */
function releaseRows(model: Model, program: ProgramOfUndo, { source }: Unmerging): void {
  const { programId, lotIndexes } = program;
  const from = nameOf(programId, source);
  const owner = { profile: from, externalCustomerId: source };
  const lotOf = (place: number | null): number | null => (place === null ? null : lotIndexes.indexOf(place));
  const partsOf = (parts: readonly Part[]): Part[] =>
    parts.map(({ lot, points }) => ({ lot: lotIndexes.indexOf(lot), points }));
  for (const { name, isOwn, referred } of program.orders) {
    const order = model.orders.get(name);
    if (!order) continue;
    const { referral } = order;
    model.orders.set(name, {
      ...order,
      ...(isOwn && { ...owner, lot: lotOf(order.lot) }),
      referral: referral && {
        referrer: referred ? from : referral.referrer,
        referrerLot: referred ? lotOf(referral.referrerLot) : referral.referrerLot,
        refereeLot: isOwn ? lotOf(referral.refereeLot) : referral.refereeLot,
      },
    });
  }
  for (const name of program.quotes) {
    const quote = model.quotes.get(name);
    if (quote) model.quotes.set(name, { ...quote, ...owner });
  }
  for (const { name } of program.reservations) {
    const row = model.reservations.get(name);
    if (!row) continue;
    model.reservations.set(name, { ...row, quote: { ...row.quote, ...owner }, spent: partsOf(row.spent) });
  }
  for (const { name } of program.adjustments) {
    const row = model.adjustments.get(name);
    if (row) model.adjustments.set(name, { ...row, ...owner, parts: partsOf(row.parts) });
  }
  for (const { name } of program.settlements) {
    const row = model.settlements.get(name);
    if (row) model.settlements.set(name, { ...row, profile: from, parts: partsOf(row.parts) });
  }
  for (const { key, other, sourceWindows, targetWindows } of program.progress) {
    const parted = (model.progress.get(other) ?? []).map((each) => {
      const isFromSource = sourceWindows.some(
        ({ start, reached, completions }) => start === each.start && reached + completions > 0,
      );
      if (!isFromSource) return each;
      const before = targetWindows.find(({ start }) => start === each.start);
      return before ?? { ...each, reached: 0, completions: 0, streak: null };
    });
    model.progress.set(other, parted);
    model.progress.set(key, sourceWindows);
  }
}

/** What is left of the source's choices is granted to it again; the target's milestones are its own. */
function giveGrantsBack(model: Model, undo: ModelUndo, { source, target }: Unmerging): void {
  const all = undo.programs
    .flatMap(({ programId }) => model.grants.get(nameOf(programId, target)) ?? [])
    .filter(({ number, forfeited }) => undo.grants.includes(number) && !forfeited)
    .sort((a, b) => a.number - b.number);
  for (const { programId } of undo.programs) {
    const name = nameOf(programId, target);
    const grants = model.grants.get(name);
    if (!grants) continue;
    const parted = grants.map((each) => {
      if (undo.milestones.includes(each.number)) return { ...each, milestone: `unmerged:${each.number}` };
      return all.includes(each) ? { ...each, forfeited: true } : each;
    });
    model.grants.set(name, parted);
  }
  for (const each of all) {
    const freshState = { choices: remainingOf(each), chosen: [], milestone: `merge:${each.number}` };
    addGrant(model, nameOf(each.programId, source), { ...each, ...freshState });
  }
}

function mustHave(model: Model, name: string): ModelProfile {
  const profile = model.profiles.get(name);
  if (!profile) throw new Error(`the model has no profile ${name}`);
  return profile;
}
