/** What a bounded step has done. */
export interface Step {
  /** How many rows. */
  done: number;
  /** Whether there may be more to do. */
  more: boolean;
}

/**
 * Takes a step of each piece of work in turn, until none has more to do, so that a long one does not delay the others.
 * @param works such as environments
 * @param signal aborted when the process stops: the current step is finished, and no other is begun
 * @returns how many rows all steps together have done
 * @throws AggregateError where a step failed, after the other pieces of work are done
 */
export async function inRounds<Work>(
  works: readonly Work[],
  signal: AbortSignal | undefined,
  take: (work: Work) => Promise<Step>,
): Promise<number> {
  const errors: unknown[] = [];
  let done = 0;
  for (let open = [...works]; open.length > 0; ) {
    const going: Work[] = [];
    for (const work of open) {
      if (signal?.aborted) break;
      try {
        const step = await take(work);
        done += step.done;
        if (step.more) going.push(work);
      } catch (error) {
        errors.push(error);
      }
    }
    open = going;
  }
  if (errors.length > 0) throw new AggregateError(errors, 'Some of the work has failed');
  return done;
}
