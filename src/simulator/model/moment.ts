/** What a prediction needs beside the input. */
export interface Moment {
  now: Date;
  /** The name of the answer. What the command makes is called by it in the model. */
  name: string;
  /** Whether what the input names was there when the command was made. */
  found: boolean;
}
