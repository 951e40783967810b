import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { simulationPage } from '../../src/what-if/html-page.ts';
import { bandsOf, type SimulationReport } from '../../src/what-if/report.ts';
import { violations } from '../support/web/axe.ts';
import { describeWithChromium, openBrowser } from '../support/web/browser.ts';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

function change(now: number, draft: number) {
  return { now: `${now}`, draft: `${draft}`, difference: `${draft - now}` };
}

const counts = { countNow: 69_659, countDraft: 57_432 };
const mover = (now: number, draft: number) => ({
  ...{ externalCustomerId: 'customer-with-a-long-id-0001', now, draft, difference: draft - now },
});

/** A history of a year and a half, with numbers as long as they come. */
const many: SimulationReport = {
  ...{
    environmentId: 'env_01h455vb4pex5vsknk084sn02q',
    programId: 'record-club',
    programName: 'Record Club',
  },
  ...{ unitName: 'Grooves', loyaltyUnitPrecision: 0, clock: 'event', from: null, publishedVersion: 3 },
  to: '1998-07-01T00:00:00.000Z',
  ...{ purchases: 69_659, engagementEvents: 12 },
  refused: [{ code: 'cart_too_large', purchases: 3 }],
  points: {
    total: change(2_453_159_000, 2_430_203_000),
    base: change(2_453_159, 2_380_203),
    campaigns: change(0, 50_000),
    ...{ challenges: change(0, 0), referrals: change(0, 0) },
  },
  sources: [
    { kind: 'earn_rule', id: 'base', ...change(2_453_159_000, 2_213_348_000), ...counts },
    { kind: 'tier', id: 'fan', ...change(0, 114_047_000), ...counts },
    { kind: 'campaign', id: 'welcome-back', ...change(0, 63_860_000), ...counts },
    { kind: 'campaign_cap', id: 'welcome-back.total', ...change(0, -13_860_000), ...counts },
  ],
  tiers: [
    { id: 'member', name: 'Member', ...change(2_453_159_000, 1_704_436_000), ...counts },
    { id: 'fan', name: 'Fan', ...change(0, 568_203_000), ...counts },
  ],
  months: Array.from({ length: 18 }, (_, index) => ({
    id: `199${index < 12 ? 7 : 8}-${String((index % 12) + 1).padStart(2, '0')}`,
    ...change(93_084_000 + index * 1_000_000, 98_662_000 - index * 700_000),
    ...counts,
  })),
  liability: {
    at: '1998-07-01T00:00:00.000Z',
    expired: change(0, 1_248_658_000),
    open: change(2_453_159_000, 1_181_545_000),
    openShare: { numerator: '4', denominator: '5' },
    pending: change(0, 25_107_000),
    amountMinor: change(2_453_159_000, 1_181_545_000),
    ...{ currency: 'USD', currencyExponent: 2 },
  },
  members: {
    withPoints: 23_570,
    better: { members: 2_746, points: '95506000' },
    worse: { members: 20_334, points: '-118462000' },
    same: 490,
    bands: bandsOf([
      ...Array.from({ length: 200 }, (_, index) => ({ now: 1_000, draft: 940 + ((index * 7) % 110) })),
      { now: 0, draft: 5 },
    ]),
    topWinners: [mover(13_860_000, 18_362_000), mover(8_826, 11_677)],
    topLosers: [mover(1_119_000, 1_007_000), mover(845, 760)],
  },
};

const none = change(0, 0);
const empty: SimulationReport = {
  ...many,
  ...{ purchases: 0, engagementEvents: 0, refused: [], sources: [], tiers: [], months: [] },
  points: { total: none, base: none, campaigns: none, challenges: none, referrals: none },
  liability: { ...many.liability, expired: none, open: none, pending: none, amountMinor: null },
  members: {
    ...{ withPoints: 0, same: 0, bands: bandsOf([]), topWinners: [], topLosers: [] },
    better: { members: 0, points: '0' },
    worse: { members: 0, points: '0' },
  },
};

/** Texts that are seen and touch another one, of a cell or of a chart: each with the other one. */
const COVERED = `(() => {
  const seen = Array.from(document.querySelectorAll('td, tbody th, svg text, .figure b'), (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return { text: element.textContent, box: range.getBoundingClientRect() };
  }).filter(({ box }) => box.width > 0 && box.height > 0);
  return seen.flatMap(({ text, box }, index) => seen.slice(index + 1)
    .filter(({ box: other }) => box.left < other.right + 2 && other.left < box.right + 2
      && box.top + 2 < other.bottom && other.top + 2 < box.bottom)
    .map(({ text: other }) => text + ' | ' + other));
})()`;

describeWithChromium('the page of a simulation', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);

  afterAll(() => browser.close());

  test.each([
    ['full', 'light', many],
    ['full', 'dark', many],
    ['empty', 'light', empty],
    ['empty', 'dark', empty],
  ] as const)(
    '%s, in %s, is accessible and keeps each number whole on a screen and on a telephone',
    async (state, colorScheme, report) => {
      for (const viewport of SIZES) {
        const page = await (await browser.newContext({ viewport, colorScheme, bypassCSP: true })).newPage();
        await page.setContent(simulationPage(report, 'drafts/spring.yaml'));
        for (const summary of await page.locator('summary').all()) await summary.click();
        expect(await violations(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
        // A number over two lines would leave its sign at the end of the first one.
        const broken: string[] = await page.evaluate(`Array.from(document.querySelectorAll('td, .figure b'))
          .filter((cell) => {
            const range = document.createRange();
            range.selectNodeContents(cell.firstChild);
            return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size > 1;
          }).map((cell) => cell.textContent)`);
        expect(broken).toEqual([]);
        expect(await page.evaluate(COVERED)).toEqual([]);
        const hidden: string[] = await page.evaluate(`Array.from(document.querySelectorAll('.scroll'))
          .filter((region) => region.scrollWidth > region.clientWidth).map((region) => region.ariaLabel)`);
        expect(hidden).toEqual([]);
        if (process.env.SHOTS) {
          const path = `${process.env.SHOTS}-${state}-${colorScheme}-${viewport.width}.png`;
          await page.screenshot({ path, fullPage: true });
        }
        await page.context().close();
      }
    },
    60_000,
  );
});
