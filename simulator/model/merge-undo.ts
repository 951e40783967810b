import type { ModelProfile } from './profile.ts';
import type { ModelProgress } from './progress.ts';

/** What a merge has changed, as its undoing needs it. */
export interface ModelUndo {
  /** The names that answered for the source before. */
  followers: readonly string[];
  /** The names that answered for the target before, besides its own. */
  earlier: readonly string[];
  programs: readonly (MovedProgram & Adopted)[];
  counted: readonly { key: string; other: string; amount: number }[];
  /** Numbers of the target's grants with what was left of the source's, and of those of tiers. */
  grants: readonly number[];
  milestones: readonly number[];
  events: readonly string[];
  claims: readonly string[];
  codes: readonly string[];
}

/** The profiles of a merge in one program: the source's and the target's before, and the target's after it. */
export interface MovedProgram {
  programId: string;
  sourceProfile: ModelProfile;
  targetProfile: ModelProfile | null;
  joinedProfile: ModelProfile;
  lotIndexes: readonly number[];
  /** The source's lots that were moved, by index, and what they had. */
  lots: readonly { from: number; points: number; claimed: number; lent: number }[];
}

/** What names the target's profile since, and how it was left where it tells whether it was used. */
export interface Adopted {
  /** `joinedProfile` is the number of returns. */
  orders: { name: string; isOwn: boolean; referred: boolean; returnCount: number }[];
  quotes: string[];
  reservations: { name: string; spentAtMerge: string }[];
  /** `joinedProfile` is the state. */
  adjustments: { name: string; stateAtMerge: string }[];
  settlements: { name: string; reversedAtMerge: boolean }[];
  progress: {
    key: string;
    other: string;
    sourceWindows: readonly ModelProgress[];
    targetWindows: readonly ModelProgress[];
    joinedWindows: readonly ModelProgress[];
  }[];
}
