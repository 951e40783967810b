import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type DemoServer, startDemoServer } from '../support/demo-server.ts';
import { violations } from '../support/web/axe.ts';
import { describeWithChromium, openBrowser } from '../support/web/browser.ts';

/**
 * The pictures of docs/guide/widget.md are taken anew where UPDATE_SCREENSHOTS is set; otherwise nothing is written.
 */
const PICTURES = process.env.UPDATE_SCREENSHOTS
  ? fileURLToPath(new URL('../../docs/guide/images/', import.meta.url))
  : null;
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const PATIENCE = { timeout: 60_000 };

describeWithChromium("the page of the demo's widget", () => {
  let demo: DemoServer;
  let browser: Browser;

  beforeAll(async () => {
    demo = await startDemoServer();
    browser = await openBrowser();
    if (PICTURES) await mkdir(PICTURES, { recursive: true });
  }, 180_000);

  afterAll(async () => {
    await browser.close();
    await demo.close();
  });

  /** Opens the page, and waits until it shows Grace's points. */
  async function open(options: BrowserContextOptions): Promise<{ page: Page; problems: string[] }> {
    const page = await (
      await browser.newContext({ reducedMotion: 'reduce', timezoneId: 'UTC', ...options })
    ).newPage();
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(`${demo.url}/demo/widget`);
    await page.locator('svc-rewards [data-reward]').first().waitFor(PATIENCE);
    return { page, problems };
  }

  const choose = (page: Page, name: string, value: string): Promise<void> =>
    page.evaluate(`{
      const input = document.querySelector('input[name="${name}"][value="${value}"]');
      input.checked = true;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }`);

  const variants = (['desktop', 'phone'] as const).flatMap((device) =>
    (['light', 'dark'] as const).flatMap((colorScheme) =>
      (['ltr', 'rtl'] as const).map((direction) => ({ device, colorScheme, direction })),
    ),
  );

  test.each(variants)('$device, $colorScheme, $direction', async ({ device, colorScheme, direction }) => {
    const { page, problems } = await open({
      viewport: device === 'desktop' ? DESKTOP : PHONE,
      colorScheme,
    });
    if (direction === 'rtl') await choose(page, 'locale', 'ar-EG');
    await page.locator(`svc-rewards [part=widget][dir=${direction}]`).waitFor(PATIENCE);
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    const picture = await page.screenshot(
      PICTURES ? { path: `${PICTURES}widget-${device}-${colorScheme}-${direction}.png` } : {},
    );
    expect(picture.length).toBeGreaterThan(10_000);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('redeems, and shows each of its states', async () => {
    const { page } = await open({ viewport: DESKTOP, colorScheme: 'light' });
    await page.locator('svc-rewards [data-reward]').first().click();
    await page.locator('svc-rewards dialog[open]').waitFor(PATIENCE);
    if (PICTURES) await page.screenshot({ path: `${PICTURES}widget-confirm.png` });
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Redeem now' }).click();
    await page.getByRole('button', { name: 'Close' }).waitFor(PATIENCE);
    expect(await page.locator('svc-rewards dialog [role=status]').textContent()).toContain('is held for you');
    await page.getByRole('button', { name: 'Close' }).click();
    await choose(page, 'network', 'down');
    await page.locator('svc-rewards [part~=notice] button').waitFor(PATIENCE);
    await choose(page, 'network', 'expired');
    await page.locator('#log').getByText('svc-rewards:loaded').nth(1).waitFor(PATIENCE);
    await choose(page, 'customer', '');
    await page.locator('svc-rewards').getByText('Sign in to see your points').waitFor(PATIENCE);
    expect(await violations(page)).toEqual([]);
    await page.context().close();
  });

  test('a purchase raises the balance', async () => {
    const { page } = await open({ viewport: DESKTOP });
    const figure = page.locator('svc-rewards .figure').first();
    const before = await figure.textContent();
    await page.getByRole('button', { name: 'Buy for $150' }).click();
    await expect(figure.filter({ hasNotText: before ?? '' }).waitFor(PATIENCE)).resolves.toBeUndefined();
    await page.context().close();
  });

  test('is linked from the front page, and is for this machine alone', async () => {
    const html = await (await fetch(demo.url, { headers: { accept: 'text/html' } })).text();
    expect(html).toContain('href="/demo/widget"');
    const statusFrom = async (path: string, init: RequestInit): Promise<number> =>
      (await fetch(`${demo.url}${path}`, init)).status;
    const forwarded = { headers: { 'x-forwarded-for': '203.0.113.9' } };
    for (const path of ['/demo/widget', '/demo/widget.js', '/demo/widget.css']) {
      expect(await statusFrom(path, {})).toBe(200);
      expect(await statusFrom(path, forwarded)).toBe(404);
    }
    const session = (headers: Record<string, string>, externalCustomerId: unknown = 'customer-ada') =>
      statusFrom('/demo/widget/session', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ externalCustomerId }),
      });
    expect(await session({ origin: demo.url })).toBe(201);
    expect(await session({ origin: demo.url }, 'somebody-else')).toBe(403);
    expect(await session({ origin: 'https://evil.example' })).toBe(403);
    expect(await session({})).toBe(403);
    expect(await session({ origin: demo.url, 'x-forwarded-for': '203.0.113.9' })).toBe(404);
  });
});
