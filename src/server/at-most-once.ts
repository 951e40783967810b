/**
 * Makes something that is costly to find out be found out at most once in a while, however many ask: who asks meanwhile
 * shares the answer, or the error, of the one who asked first.
 * @param milliseconds how old an answer may be, counted from when it was asked for
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
