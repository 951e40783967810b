import type { Intent } from '../client/intent.ts';

/** Whether an intent's command is a batch of its own. */
export function runsAlone({ operation }: Intent): boolean {
  return operation === 'approveMemberUnmerge';
}

/** The batches of intents of which some run alone. */
export function apart(intents: readonly Intent[]): Intent[][] {
  const batches: Intent[][] = [];
  for (const [index, intent] of intents.entries()) {
    const before = intents[index - 1];
    if (before && !runsAlone(intent) && !runsAlone(before)) batches.at(-1)?.push(intent);
    else batches.push([intent]);
  }
  return batches;
}
