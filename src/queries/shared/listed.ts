import type { Page } from '../../contract/generated/types.ts';
import type { Connections } from '../../db/pool.ts';
import type { Cursors } from './cursors.ts';

/** What a list of an environment is read with. */
export interface ListAccess {
  /** Those of the environment. */
  connections: Connections;
  cursors: Cursors;
  /** UUID. */
  environmentId: string;
}

/** Which page of a list is wanted. */
export interface PageRequest {
  /** The most records: 1 to 200, and to 50 in lists for customers. */
  limit: number;
  /** Where the page before ended; null for the first page. */
  cursor: string | null;
}

/** One page of a list. */
export interface Listed<Item> {
  data: Item[];
  page: Page;
}

/** A page ends with the record that brings its JSON to this many bytes. */
export const MOST_PAGE_BYTES = 1_048_576;
