/**
 * Makes a function that calls a costly one at most once in a period. Other calls in the period share the promise of the
 * first, with its result or its error. A call that takes longer than the period is shared until it is settled.
 * @param milliseconds the period, counted from the start of a call
 */
export function atMostOnceIn<Answer>(
  milliseconds: number,
  find: () => Promise<Answer>,
): () => Promise<Answer> {
  let shared: Promise<Answer> | null = null;
  let asked = 0;
  let settled = true;
  return () => {
    const now = performance.now();
    if (shared !== null && (!settled || now - asked < milliseconds)) return shared;
    asked = now;
    settled = false;
    const answer = find().finally(() => {
      settled = true;
    });
    shared = answer;
    return answer;
  };
}
