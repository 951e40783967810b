import type { Command, Decision, State } from '../../ledger/command.ts';
import { versionAt } from '../../programs/published/published-program.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { requalifiedAt, standingAt } from '../../rules/standing.ts';
import { type Grantee, grantsForTier } from '../shared/choice-grants.ts';
import { tierChange } from '../shared/tier-change.ts';
import { type TimesInput, timesCommand } from '../shared/times-command.ts';

/** What a re-qualification is answered with. */
export interface RequalificationReceipt {
  /** Null where nothing was due. `from` and `to` are one tier where it was kept. */
  requalified: { from: string; to: string; qualificationPoints: number } | null;
}

/** How a re-qualification is to look at a profile. */
export interface RequalificationOptions {
  /** As if its window had ended now, due or not: what thresholds and policies that have changed make of its points. */
  asIfEnded?: boolean;
}

/**
 * Writes down what the end of a qualification window has done to a profile (decisions, "Earning": tiers rise at once and
 * fall at re-qualification). A second one finds nothing to do. Refusal: `profile_not_found`.
 */
export function requalifyProfile(
  input: TimesInput,
  { asIfEnded = false }: RequalificationOptions = {},
): Command {
  return timesCommand('requalifyProfile', input, [], (state, now) => decide(input, asIfEnded, state, now));
}

function decide(
  { programId, externalCustomerId }: TimesInput,
  asIfEnded: boolean,
  state: State,
  now: Date,
): Decision | Refusal {
  const profile = state.profile(programId, externalCustomerId);
  if (!profile) return refuse('profile_not_found', 'The member was never enrolled in this program.');
  const program = state.program(programId);
  const version = program && versionAt(program, now);
  const standing = version && (asIfEnded ? requalifiedAt : standingAt)(version.document, profile, now);
  // Who has left stands nowhere; who comes back is looked at then.
  if (!standing || !profile.enrolled || isSame(standing, profile)) return answer({ requalified: null });
  const { tier: to, qualificationPoints } = standing;
  const member = { id: profile.memberId };
  const grantee: Grantee = { member, programId, now, newId: () => state.newId() };
  return {
    ...answer({ requalified: { from: profile.tier, to, qualificationPoints } }),
    // Where a version has lowered what a tier takes.
    inserts: { choiceGrants: grantsForTier(version.document, profile.tier, to, grantee) },
    updates: { profiles: [{ ...profile, ...standing }] },
    audits: tierChange(profile, standing),
  };
}

function answer(receipt: RequalificationReceipt): Decision {
  return { receipt, inserts: {}, updates: {}, audits: [], webhookEvents: [] };
}

function isSame(a: ReturnType<typeof standingAt>, b: typeof a): boolean {
  return (
    a.tier === b.tier &&
    a.qualificationPoints === b.qualificationPoints &&
    a.qualificationSince?.getTime() === b.qualificationSince?.getTime() &&
    a.requalifyAt?.getTime() === b.requalifyAt?.getTime() &&
    JSON.stringify(a.qualificationDays) === JSON.stringify(b.qualificationDays)
  );
}
