import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type DemoServer, startDemoServer } from '../support/demo-server.ts';
import { describeWithChromium, openBrowser } from '../support/web/browser.ts';

const PATIENCE = { timeout: 60_000 };

describeWithChromium('GraphiQL with the demo', () => {
  let demo: DemoServer;
  let browser: Browser;

  beforeAll(async () => {
    demo = await startDemoServer();
    browser = await openBrowser();
  }, 180_000);

  afterAll(async () => {
    await browser.close();
    await demo.close();
  });

  test('a redemption that is run a second time is a second one, and no replay of an old quote', async () => {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(`${demo.url}/graphiql`);
    await page.getByRole('tab', { name: 'Redemption' }).click(PATIENCE);
    const quoteIds: string[] = [];
    for (let run = 0; run < 2; run += 1) {
      const answered = page.waitForResponse((response) => response.url().endsWith('/api/graphql'), PATIENCE);
      await page.getByRole('button', { name: /execute query/i }).click(PATIENCE);
      await page.getByRole('menuitem', { name: 'Redemption' }).click(PATIENCE);
      const { data } = (await (await answered).json()) as {
        data: { quoteRedemption: { quote: { id: string; state: string } } };
      };
      expect(data.quoteRedemption.quote.state).toBe('quoted');
      quoteIds.push(data.quoteRedemption.quote.id);
    }
    expect(new Set(quoteIds).size).toBe(2);
    expect(problems).toEqual([]);
  }, 180_000);
});
