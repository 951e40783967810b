import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type DemoServer, startDemoServer } from '../support/demo-server.ts';
import { violations } from '../support/web/axe.ts';
import { describeWithChromium, openBrowser } from '../support/web/browser.ts';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

describeWithChromium('the front page', () => {
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

  test.each(['light', 'dark'] as const)(
    'is accessible in %s, and has the background of the widget’s page',
    async (colorScheme) => {
      for (const viewport of SIZES) {
        const page = await (await browser.newContext({ viewport, colorScheme, bypassCSP: true })).newPage();
        const backgroundOf = async (path: string, element: string): Promise<string> => {
          await page.goto(demo.url + path);
          return page.evaluate(`getComputedStyle(document.querySelector('${element}')).backgroundColor`);
        };
        const other = await backgroundOf('/demo/widget', 'body');
        expect(await backgroundOf('/', 'html')).toBe(other);
        expect(await violations(page)).toEqual([]);
        expect(await page.getByRole('main').count()).toBe(1);
        const overflows: boolean = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
        expect(overflows).toBe(false);
        if (process.env.SHOTS)
          await page.screenshot({ path: `${process.env.SHOTS}-${colorScheme}-${viewport.width}.png` });
        await page.context().close();
      }
    },
    120_000,
  );
});
