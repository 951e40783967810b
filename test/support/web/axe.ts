import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe finds wrong with a page, in open shadow trees too: each rule with its places. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<{ id: string; places: string[] }[]>(
    `axe.run().then(({ violations }) =>
      violations.map(({ id, nodes }) => ({ id, places: nodes.map(({ html }) => html) })))`,
  );
  return found.map(({ id, places }) => `${id}: ${places.join('\n')}`);
}
