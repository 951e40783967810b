/** The data that a prediction needs besides the input. */
export interface Moment {
  now: Date;
  /**
   * The name that the input came with, of the member that it is about: another one than in the input, where it was
   * merged.
   */
  asked: string;
  /** Operation and idempotency key. The model stores the record that the command creates under this name. */
  name: string;
  /** Whether the resource or referral code that the input names was found when the command was made. */
  isFound: boolean;
}
