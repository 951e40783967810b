import type { Page } from '../../contract/generated/types.ts';

/** One page of a list. */
export interface Listed<Item> {
  data: Item[];
  page: Page;
}

/** A page ends with the record that brings its JSON to this many bytes. */
export const MOST_PAGE_BYTES = 1_048_576;
