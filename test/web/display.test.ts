import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { violations } from '../support/web/axe.ts';
import { describeWithChromium } from '../support/web/browser.ts';
import { openWidgetWorld, seenBy, TWELVE_REWARDS, type WidgetWorld } from '../support/web/widget-world.ts';

const FIRST_RENDER_MS = 100;

/** Texts that would do harm where they were taken for anything but text. */
const HOSTILE = [
  '<img src="http://127.0.0.1:9/x" onerror="globalThis.harmed=1">',
  '<script>globalThis.harmed=1</script><svg onload="globalThis.harmed=1">',
  'javascript:globalThis.harmed=1',
  '"><a href="http://127.0.0.1:9/">free</a> #{globalThis.harmed=1} {{harmed}} {amount}',
  '\u202Edesrever si siht\u202C \u2066 isolated without an end',
  'zero\u200Bwidth\u200D\uFEFF and a bell \u2407',
  '👩‍👩‍👧‍👦 🏳️‍🌈 é̂̃̄̅',
  'قسيمة مجانية قهوة',
];

describeWithChromium('the widget in a browser', () => {
  let world: WidgetWorld;

  beforeAll(async () => {
    world = await openWidgetWorld();
    await world.addMember('ada');
  }, 180_000);

  afterAll(() => world.close());

  const closing = async (page: Page): Promise<void> => page.context().close();

  describe.each(['en-US', 'ar-EG'])('in %s', (locale) => {
    beforeAll(() => world.publish({ locale }));

    test.each([
      ['desktop, light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
      ['desktop, dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
      ['phone, light', { viewport: { width: 390, height: 844 }, colorScheme: 'light' }],
      ['phone, dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
    ] satisfies [string, BrowserContextOptions][])(
      '%s: axe finds nothing, and nothing is cut off',
      async (_, options) => {
        for (const customer of ['ada', null]) {
          const page = await world.open(customer, options);
          expect(await violations(page)).toEqual([]);
          const frame = page.locator('svc-rewards [part=widget]');
          expect(await frame.getAttribute('dir')).toBe(locale === 'ar-EG' ? 'rtl' : 'ltr');
          expect(
            await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
          ).toBeLessThanOrEqual(0);
          if (customer !== null) {
            await page.locator('svc-rewards [data-reward]').first().click();
            expect(await violations(page)).toEqual([]);
          }
          await closing(page);
        }
      },
    );
  });

  test('nothing moves after the first paint, with 12 rewards and 20 activities', async () => {
    await world.publish({});
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1280, height: 900 },
    ]) {
      const page = await world.open('ada', { viewport });
      await page.locator('svc-rewards .activity li').last().waitFor();
      expect(await page.locator('svc-rewards li.reward').count()).toBe(TWELVE_REWARDS.length);
      expect(await page.locator('svc-rewards .activity li').count()).toBe(20);
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 200)))');
      const { shifts, violations: forbidden } = await seenBy(page);
      expect({ shifts, forbidden }).toEqual({ shifts: [], forbidden: [] });
      await closing(page);
    }
  });

  test(`is drawn within ${FIRST_RENDER_MS} ms of its script, and again of its surface`, async () => {
    // The fastest of several: what else runs on the machine may take its time from any of them.
    const fastest = { frame: Infinity, surface: Infinity, whole: Infinity };
    for (let round = 0; round < 20; round += 1) {
      const page = await world.open('ada', { viewport: { width: 390, height: 844 } });
      await page.locator('svc-rewards .activity li').last().waitFor();
      const { firstFrameAt, events } = await seenBy(page);
      const loadedAt = events.find(({ name }) => name === 'loaded')?.timeStamp ?? Infinity;
      const [script, surface] = [
        await answeredAt(page, '/svc-rewards.js'),
        await answeredAt(page, '/surface'),
      ];
      fastest.frame = Math.min(fastest.frame, (firstFrameAt ?? Infinity) - script);
      fastest.surface = Math.min(fastest.surface, loadedAt - surface);
      fastest.whole = Math.min(fastest.whole, loadedAt - script);
      await closing(page);
      if (round >= 4 && Math.max(fastest.frame, fastest.surface) <= FIRST_RENDER_MS) break;
    }
    const { frame, surface, whole } = fastest;
    console.log(
      `The first frame ${frame.toFixed(0)} ms after the script, the surface drawn ` +
        `${surface.toFixed(0)} ms after its answer, all in ${whole.toFixed(0)} ms.`,
    );
    expect(frame).toBeLessThanOrEqual(FIRST_RENDER_MS);
    expect(surface).toBeLessThanOrEqual(FIRST_RENDER_MS);
  }, 300_000);

  test('a page of an origin that is not published is told in the console which one to add, once', async () => {
    const page = await (await world.browser.newContext()).newPage();
    const warned: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'warning') warned.push(message.text());
    });
    const origin = world.shop.url.replace('127.0.0.1', 'localhost');
    await page.goto(`${origin}/`);
    await page.locator('svc-rewards .failed').waitFor({ timeout: 60_000 });
    await until(async () => warned.length > 0, 'a word in the console');
    expect(warned).toEqual([expect.stringContaining(`Add "${origin}" to the origins of its document`)]);
    const { events } = await seenBy(page);
    expect(events.map(({ name, detail }) => [name, detail.code])).toEqual([['error', 'network_error']]);
    await closing(page);
  });

  test('a service that is away is no matter of origins: nothing is said in the console', async () => {
    world.proxy.fault = ({ path }) => (path.endsWith('/surface') ? 'refuse' : null);
    const warned: string[] = [];
    const page = await (await world.browser.newContext()).newPage();
    page.on('console', (message) => {
      if (message.type() === 'warning') warned.push(message.text());
    });
    const asked = world.proxy.passed.length;
    await page.goto(`${world.shop.url}/`);
    await page.locator('svc-rewards .failed').waitFor({ timeout: 60_000 });
    const surfaces = () => world.proxy.passed.slice(asked).filter(({ path }) => path.endsWith('/surface'));
    await until(() => surfaces().length >= 2, 'the second request, which found out');
    world.proxy.fault = () => null;
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 100))');
    expect(warned).toEqual([]);
    await closing(page);
  });

  test('texts of a program and of a deployment are text, whatever is in them', async () => {
    const long = 'x'.repeat(10_000);
    const label = (index: number): string => HOSTILE[index % HOSTILE.length] ?? '';
    await world.publishRewards(
      HOSTILE.map((name, index) => ({
        id: `hostile-${index}`,
        name,
        description: index === 0 ? long.slice(0, 2_000) : label(index + 1),
        points: 100,
      })),
    );
    await world.publish({
      components: [
        { id: 'balance', kind: 'svc.balance', label: label(0), helper: label(1) },
        { id: 'tier', kind: 'svc.tier_progress', label: label(4) },
        { id: 'rewards', kind: 'svc.reward_catalog', label: label(3), emptyLabel: label(1) },
        { id: 'activity', kind: 'svc.activity', label: label(7) },
      ],
    });
    const requested = new Set<string>();
    const page = await world.open(null);
    page.on('request', (request) => requested.add(new URL(request.url()).origin));
    await page.goto(`${world.shop.url}/?customer=ada`);
    await page.locator('svc-rewards [data-reward]').first().waitFor();
    const text = await page.locator('svc-rewards [part=body]').textContent();
    for (const hostile of HOSTILE) expect(text).toContain(hostile);
    await page.locator('svc-rewards [data-reward]').first().click();
    expect(await page.locator('svc-rewards dialog h2').textContent()).toContain(HOSTILE[0] ?? '');
    expect(await page.locator('svc-rewards').locator('img, script, svg, a:not([slot])').count()).toBe(0);
    expect(await page.evaluate('globalThis.harmed')).toBeUndefined();
    expect([...requested].toSorted()).toEqual([world.shop.url, world.proxy.url].toSorted());
    expect((await seenBy(page)).violations).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(await violations(page)).toEqual([]);
    await closing(page);
    await world.publishRewards(TWELVE_REWARDS);
    await world.publish({});
  });
});

/** When the answer to the last request of a path was there. */
function answeredAt(page: Page, path: string): Promise<number> {
  return page.evaluate<number>(
    `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('${path}')).at(-1).responseEnd`,
  );
}
