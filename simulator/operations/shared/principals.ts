import type { Caller } from '../../../src/commands/shared/caller.ts';

/** The ids of the API keys that request and decide adjustments. */
export const PRINCIPALS = ['ann', 'bob', 'cat'] as const;

export function asPrincipal(caller: Caller, principal: string): Caller {
  return { ...caller, actor: { type: 'api_key', id: principal } };
}
