import type { Caller } from '../../../commands/shared/caller.ts';

/** Who holds the keys. */
export const PRINCIPALS = ['ann', 'bob', 'cat'] as const;

export function as(caller: Caller, principal: string): Caller {
  return { ...caller, actor: { type: 'api_key', id: principal } };
}
