/** What a prediction needs besides the input. */
export interface Moment {
  now: Date;
  /** Operation and idempotency key. In the model it names what the command makes. */
  name: string;
  /** Whether the look-up of what the input names found something when the command was made. */
  found: boolean;
}
