import type { Listed } from '../../queries/shared/listed.ts';
import type { Refusal } from '../../refusal.ts';
import { orFail } from './failure.ts';

/** The longest page of a list. */
const LONGEST_PAGE = 200;

/**
 * Reads pages of a list until there are enough records.
 * @param limit most records, 1 or more
 * @throws CliFailure where a page is refused
 */
export async function readPages<Item>(
  limit: number,
  readPage: (limit: number, cursor: string | null) => Promise<Listed<Item> | Refusal>,
): Promise<Item[]> {
  const records: Item[] = [];
  let cursor: string | null = null;
  do {
    const most = Math.min(limit - records.length, LONGEST_PAGE);
    const { data, page }: Listed<Item> = orFail(await readPage(most, cursor));
    records.push(...data);
    cursor = page.nextCursor ?? null;
  } while (cursor !== null && records.length < limit);
  return records;
}
