/** How far a member has come with a challenge in a window. */
export interface ModelProgress {
  start: number;
  /** Events; or a sum, in thousandths. */
  reached: number;
  completions: number;
  /** What was to be reached when it was last counted. */
  whole: number;
}
