import type { ProgramDocument, Tier } from '../programs/document/program-document.ts';
import { type Standing, standingAt } from './standing.ts';

/** The tier above a member's. */
export interface NextTier extends Pick<Tier, 'id' | 'name' | 'threshold'> {
  /**
   * Qualification points that are missing; 0 where the tier is reached by the next event, since its threshold was
   * lowered.
   */
  missing: number;
}

/**
 * The tier above that of a standing; null where there is none, and where the document does not have the member's tier.
 */
export function nextTierOf(
  { tiers }: Pick<ProgramDocument, 'tiers'>,
  { tier, qualificationPoints }: Pick<Standing, 'tier' | 'qualificationPoints'>,
): NextTier | null {
  const rank = tiers.findIndex(({ id }) => id === tier);
  const next = tiers[rank + 1];
  if (rank === -1 || !next) return null;
  const { id, name, threshold } = next;
  return { id, name, threshold, missing: Math.max(0, threshold - qualificationPoints) };
}

/**
 * When a tier falls if nothing more is earned and the document stays as it is; null where it never does.
 * @param standing as `standingAt` gives it for now
 */
export function tierUntil(document: ProgramDocument, standing: Standing): Date | null {
  const rankOf = (tier: string): number => document.tiers.findIndex(({ id }) => id === tier);
  let course = standing;
  // Each step takes a day or a year out of the window, so there are few.
  while (course.requalifyAt) {
    const at = course.requalifyAt;
    course = standingAt(document, course, at);
    if (rankOf(course.tier) < rankOf(standing.tier)) return at;
  }
  return null;
}
