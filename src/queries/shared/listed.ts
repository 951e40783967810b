import type { Page } from '../../contract/generated/types.ts';

/** One page of a list. */
export interface Listed<Item> {
  data: Item[];
  page: Page;
}
