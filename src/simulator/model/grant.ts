/** Choices that a member was granted together. */
export interface ModelGrant {
  programId: string;
  choiceSetId: string;
  /** What it was granted for. */
  milestone: string;
  choices: number;
  /** Rewards that were chosen. */
  chosen: readonly string[];
  grantedAt: number;
  /** Grants of a later number were made later. */
  number: number;
  /** Null for as long as the member is enrolled. */
  expiresAt: number | null;
  /** Whether the member has left the program since, with choices left. */
  left: boolean;
}
