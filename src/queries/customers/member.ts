import type { CustomerMemberResult, CustomerProgram } from '../../contract/generated/types.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import { versionAt } from '../../programs/published/published-program.ts';
import type { CurrentPrograms } from '../shared/current-programs.ts';
import type { MemberView, ProfileView } from '../shared/member-view.ts';

/** A member as it sees itself, with the programs that it is enrolled in. */
export type CustomerView = Omit<CustomerMemberResult, 'requestId'>;

/** Leaves out of a member what is the merchant's or says who it is. */
export function customerView(
  { member, profiles }: MemberView,
  { programs, at }: CurrentPrograms,
): CustomerView {
  return {
    member: { displayName: member.displayName, status: member.status },
    programs: profiles.flatMap((profile) => {
      const program = profile.enrolled ? programs.get(profile.programId) : undefined;
      const version = program && versionAt(program, at);
      return version ? [programView(profile, version.document)] : [];
    }),
  };
}

function programView(profile: ProfileView, { name, unitName, tiers }: ProgramDocument): CustomerProgram {
  const rank = tiers.findIndex(({ id }) => id === profile.tier);
  const tier = tiers[rank];
  const next = tiers[rank + 1];
  const { programId, qualificationPoints, available, pending, reserved, nextExpiry } = profile;
  return {
    ...{ programId, name, unitName },
    // A tier that the present version does not have any more keeps its id until the member is re-qualified.
    tier: { id: profile.tier, name: tier?.name ?? profile.tier },
    nextTier: tier && next ? next.name : null,
    nextTierAt: tier && next ? next.threshold : null,
    qualificationPoints,
    balances: { available, pending, reserved },
    nextExpiry: nextExpiry && { points: nextExpiry.points, at: nextExpiry.at.toISOString() },
  };
}
