import type { PageRequest } from '../../../queries/shared/listed.ts';

/** The default of `limit` in the SDL, but for lists for customers. */
const DEFAULT_LIMIT = 50;

/**
 * The page of a list that a request asks for.
 * @param defaultLimit the default of `limit` in the SDL, which a null stands for too
 */
export function pageOf(
  request: { limit?: number | null | undefined; cursor?: string | null | undefined },
  defaultLimit = DEFAULT_LIMIT,
): PageRequest {
  return { limit: request.limit ?? defaultLimit, cursor: request.cursor ?? null };
}
