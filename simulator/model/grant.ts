/** A grant of choices of one choice set. */
export interface ModelGrant {
  programId: string;
  choiceSetId: string;
  /** What it was granted for: a tier, or a completion of a challenge. */
  milestone: string;
  choices: number;
  /** Ids of the rewards that were claimed. */
  chosen: readonly string[];
  grantedAt: number;
  /** Orders grants of the same instant: later grants have higher numbers. */
  number: number;
  /** Null where the grant is valid for as long as the member is enrolled. */
  expiresAt: number | null;
  /** Whether the member has left the program since, with unused choices. */
  forfeited: boolean;
}
