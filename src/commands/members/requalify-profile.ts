import type { Command, Decision } from '../../ledger/command.ts';
import { mergeDecisions } from '../../ledger/merge-decisions.ts';
import type { State } from '../../ledger/state.ts';
import { versionAt } from '../../programs/published/published-program.ts';
import { profileNotFound, type Refusal } from '../../refusal.ts';
import { requalifiedAt, standingAt } from '../../rules/standing.ts';
import { type Grantee, grantChoices, grantsForTier } from '../shared/choice-grants.ts';
import { tierChange } from '../shared/tier-change.ts';
import { type TimeDrivenInput, timeDrivenCommand } from '../shared/time-driven-command.ts';

/** The receipt of a re-qualification. */
export interface RequalificationReceipt {
  /** Null where nothing was due. `from` and `to` are equal where the member keeps the tier. */
  requalified: { from: string; to: string; qualificationPoints: number } | null;
}

/** How a re-qualification treats a profile. */
export interface RequalificationOptions {
  /** Re-qualifies as if the window had ended now, so that changed thresholds and policies apply at once. */
  asIfEnded?: boolean;
}

/**
 * Re-qualifies a profile whose qualification window has ended (decisions, "Earning": tiers rise at once and fall at
 * re-qualification). A second one finds nothing to do. Refusal: `profile_not_found`.
 */
export function requalifyProfile(
  input: TimeDrivenInput,
  { asIfEnded = false }: RequalificationOptions = {},
): Command {
  return timeDrivenCommand('requalifyProfile', input, [], (state, now) =>
    decide(input, asIfEnded, state, now),
  );
}

function decide(
  { programId, externalCustomerId }: TimeDrivenInput,
  asIfEnded: boolean,
  state: State,
  now: Date,
): Decision | Refusal<'profile_not_found'> {
  const profile = state.profile(programId, externalCustomerId);
  if (!profile) return profileNotFound;
  const program = state.program(programId);
  const version = program && versionAt(program, now);
  const standing = version && (asIfEnded ? requalifiedAt : standingAt)(version.document, profile, now);
  // A member who has left is in no tier. One who enrolls again is re-qualified then.
  if (!standing || !profile.enrolled || isSame(standing, profile)) return receiptOnly({ requalified: null });
  const { tier: to, qualificationPoints } = standing;
  const member = { id: profile.memberId };
  const grantee: Grantee = { member, programId, now, newId: () => state.newId() };
  return {
    receipt: {
      requalified: { from: profile.tier, to, qualificationPoints },
    } satisfies RequalificationReceipt,
    ...mergeDecisions(
      { updates: { profiles: [{ ...profile, ...standing }] } },
      tierChange(profile, standing),
      // A member rises here where a version has lowered a threshold.
      grantChoices(grantsForTier(version.document, profile.tier, to, grantee)),
    ),
  };
}

function receiptOnly(receipt: RequalificationReceipt): Decision {
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
