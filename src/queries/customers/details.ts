import type { CustomerDetails } from '../../contract/generated/types.ts';
import type { DetailedProfile, MemberDetails } from '../shared/member-details.ts';

/**
 * What a customer is on the way to, program by program, without what is the merchant's: ids, references, who is
 * targeted.
 */
export function customerDetails({ profiles }: MemberDetails): CustomerDetails[] {
  return profiles.filter(({ document }) => document !== null).map(detailsOf);
}

function detailsOf(profile: DetailedProfile): CustomerDetails {
  const { programId, nextTier, tierUntil, challenges, choices, holds, expirations } = profile;
  return {
    programId,
    pointsToNextTier: nextTier?.missing ?? null,
    tierUntil: tierUntil?.toISOString() ?? null,
    // One that is for others alone says whom the merchant is after.
    challenges: challenges
      .filter(({ open }) => open)
      .map(({ challenge, reached, goal, completions, windowEnd }) => ({
        ...{ id: challenge.id, name: challenge.name ?? null, reached, goal, completions },
        windowEnd: windowEnd?.toISOString() ?? null,
      })),
    choices: choices.map(({ choiceSetId, name, remaining, expiresAt }) => ({
      ...{ choiceSetId, name, remaining },
      expiresAt: expiresAt?.toISOString() ?? null,
    })),
    holds: holds.map(({ rewardId, rewardName, points, expiresAt }) => ({
      ...{ rewardId, rewardName, points },
      expiresAt: expiresAt.toISOString(),
    })),
    expirations: expirations.map(({ points, at }) => ({ points, at: at.toISOString() })),
  };
}
