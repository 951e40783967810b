import { describe, expect, test } from '@jest/globals';
import { axisTop, barChart, rowChart } from '../../src/what-if/charts.ts';
import { simulationPage } from '../../src/what-if/html-page.ts';
import type { SimulationReport } from '../../src/what-if/report.ts';
import { grouped, money, percentOf, signed, verdict, withTrueMinus } from '../../src/what-if/words.ts';

const hostile = `<script>alert("x")</script>&'`;

function change(now: number, draft: number) {
  return { now: `${now}`, draft: `${draft}`, difference: `${draft - now}` };
}

const report: SimulationReport = {
  environmentId: 'env_01h455vb4pex5vsknk084sn02q',
  programId: 'coffee-club',
  programName: hostile,
  unitName: hostile,
  loyaltyUnitPrecision: 0,
  clock: 'receipt',
  from: null,
  to: '2027-01-01T00:00:00.000Z',
  publishedVersion: 1,
  purchases: 3,
  engagementEvents: 0,
  refused: [{ code: 'member_limit_reached', purchases: 1 }],
  points: {
    total: change(100, 150),
    base: change(100, 150),
    campaigns: change(0, 0),
    challenges: change(0, 0),
    referrals: change(0, 0),
  },
  sources: [{ kind: 'earn_rule', id: hostile, ...change(100, 150), countNow: 3, countDraft: 3 }],
  tiers: [{ id: hostile, name: hostile, ...change(100, 150), countNow: 3, countDraft: 3 }],
  months: [
    { id: '2026-11', ...change(40, 60), countNow: 1, countDraft: 1 },
    { id: '2026-12', ...change(60, 90), countNow: 2, countDraft: 2 },
  ],
  liability: {
    at: '2027-01-01T00:00:00.000Z',
    expired: change(0, 0),
    open: change(80, 120),
    openShare: { numerator: '4', denominator: '5' },
    pending: change(0, 0),
    amountMinor: change(80, 120),
    currency: 'USD',
    currencyExponent: 2,
  },
  members: {
    withPoints: 1,
    better: { members: 1, points: '50' },
    worse: { members: 0, points: '0' },
    same: 0,
    bands: [{ label: '+10 to +50 %', members: 1 }],
    topWinners: [{ externalCustomerId: hostile, now: 100, draft: 150, difference: 50 }],
    topLosers: [],
  },
};

describe('the verdict', () => {
  const members = (better: number, worse: number) => ({
    ...report.members,
    ...{ better: { members: better, points: '50' }, worse: { members: worse, points: '-5' } },
  });
  const said = (now: number, draft: number, better: number, worse: number, refused = 0) =>
    verdict({
      ...report,
      unitName: 'Beans',
      points: { ...report.points, total: change(now, draft) },
      members: members(better, worse),
      refused: refused > 0 ? [{ code: 'member_limit_reached', purchases: refused }] : [],
    });

  test.each([
    [
      said(10_000, 10_410, 312, 0),
      'The draft would have issued 4.1 % more points (+410 Beans): 312 members better off, none worse.',
    ],
    [
      said(10_000, 9_000, 1, 1_024),
      'The draft would have issued 10.0 % fewer points (-1,000 Beans): 1 member better off, 1,024 worse.',
    ],
    [
      said(500, 400, 0, 1, 1),
      'The draft would have issued 20.0 % fewer points (-100 Beans): 1 member ' +
        'worse off, none better. It refuses 1 purchase.',
    ],
    [
      said(1_500, 1_500, 0, 0),
      'The draft would have issued as many points, 1,500 Beans: no member better or worse off.',
    ],
    [
      said(0, 70, 2, 0),
      'The draft would have issued 70 Beans, where there were none: 2 members better off, none worse.',
    ],
  ])('is one sentence: %s', (sentence, expected) => {
    expect(sentence).toBe(expected);
  });
});

describe('the page of a simulation', () => {
  const page = simulationPage(report, 'drafts/<spring>.yaml');

  test('asks for nothing from anywhere, and runs nothing', () => {
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(page).not.toMatch(/https?:|url\(|@import|<script|<link|<img|<iframe|\son\w+=|src=/);
  });

  test('names the draft and what it is compared with', () => {
    expect(page).toContain(
      'The draft drafts/&lt;spring&gt;.yaml compared with what is published (version 1).',
    );
    const later = simulationPage({ ...report, publishedVersion: 3 }, 'spring.yaml');
    expect(later).toContain('The draft spring.yaml compared with what is published (versions up to 3).');
  });

  test('labels of the members chart leave room for each other', () => {
    const labels = ['below -90 %', '-90 to -60 %', 'the same', '+60 to +90 %', 'over +90 %'];
    const bands = labels.map((label) => ({ label, members: 1 }));
    const text = simulationPage({ ...report, members: { ...report.members, bands } }, 'spring.yaml');
    const chart = /<section class="card members">.*?<\/svg>/s.exec(text)?.[0];
    const drawn = Array.from(chart?.matchAll(/text-anchor="middle">([^<]*)</g) ?? [], ([, label]) => label);
    expect(drawn).toEqual(['below −90', '−90 to −60', 'the same', '+60 to +90', 'over +90']);
    expect(text).toContain('<th scope="row">+60 to +90 %</th>');
  });

  test('draws each chart once more for a telephone, where a unit is a pixel', () => {
    const widths = (kind: string) =>
      Array.from(
        page.matchAll(new RegExp(`<div class="${kind}"><svg viewBox="0 0 (\\d+) `, 'g')),
        ([, width]) => Number(width),
      );
    expect(widths('wide')).toEqual([720, 720, 720, 720, 720]);
    expect(widths('narrow')).toEqual([330, 330, 330, 330, 330]);
    expect(page).toMatch(/\.narrow \{ display: none; \}\n@media screen and \(max-width: 34rem\) \{/);
  });

  test('says first what the draft would change', () => {
    expect(page).toMatch(
      /<h1>[^<]*<\/h1>\n<p class="verdict">The draft would have issued 50\.0 % more points \(\+50 /,
    );
  });

  test('names the unit of every figure and of every chart', () => {
    const text = simulationPage({ ...report, unitName: 'Beans' }, 'spring.yaml');
    const figures = Array.from(
      text.matchAll(/<div class="card figure">(.*?)<\/div>/g),
      ([, inner = '']) => inner,
    );
    expect(figures).toHaveLength(4);
    for (const figure of figures) expect(figure).toMatch(/\d Beans|\d members/);
    const sections = Array.from(text.matchAll(/<section.*?<\/section>/gs), ([whole]) => whole);
    expect(sections).toHaveLength(5);
    for (const section of sections) expect(section).toMatch(/[Ii]n Beans/);
    for (const [, caption] of text.matchAll(/<caption>(.*?)<\/caption>/g))
      expect(caption).toMatch(/in Beans|Members|In Beans/);
  });

  test('has true minuses before numbers, and leaves ids and dates alone', () => {
    expect(withTrueMinus('-1,234, -5.0 %, (-3) 2026-12 a-1')).toBe('−1,234, −5.0 %, (−3) 2026-12 a-1');
  });

  test('names tiers beside their ids', () => {
    const tiers = [{ id: 'fan', name: 'Fan', ...change(100, 150), countNow: 3, countDraft: 3 }];
    const sources = [{ kind: 'tier', id: 'fan', ...change(10, 20), countNow: 3, countDraft: 3 }];
    const text = simulationPage({ ...report, tiers, sources }, 'spring.yaml');
    expect(text).toContain('<th scope="row">Fan (fan)</th><td>3</td>');
    expect(text).toContain('<th scope="row">tier multiplier Fan (fan)</th>');
    expect(text.match(/>Fan \(fan\)</g)?.length).toBeGreaterThan(3);
  });

  test('shows what others wrote as text', () => {
    expect(page).not.toContain('<script>');
    expect(page).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;');
  });

  test('says every chart in words, and every number in a table', () => {
    const charts = page.match(/<svg [^>]*>/g) ?? [];
    // Each for a screen and for a telephone: the style sheet shows one of them.
    expect(charts).toHaveLength(10);
    for (const chart of charts) expect(chart).toMatch(/role="img" aria-label="[^"]{10,}"/);
    expect(page).toContain('<th scope="row">2026-12</th><td>60</td><td>90</td><td>+30</td><td>+50.0 %</td>');
    expect(page).toContain('80.0 % are still on the books');
    expect(page).toContain('1.20 USD');
    expect(page).toContain('The draft refuses 1 of the purchases: member_limit_reached.');
  });

  test('closes what it opens', () => {
    for (const name of ['main', 'section', 'svg', 'table', 'tr', 'details', 'g', 'text', 'div']) {
      const opened = page.match(new RegExp(`<${name}[ >]`, 'g'))?.length ?? 0;
      const closed = page.match(new RegExp(`</${name}>`, 'g'))?.length ?? 0;
      expect([name, closed]).toEqual([name, opened]);
    }
    expect(page).not.toMatch(/NaN|Infinity|undefined|null/);
  });

  test('is there for a period in which nothing happened', () => {
    const nothing = simulationPage(
      {
        ...report,
        refused: [],
        sources: [],
        tiers: [],
        months: [],
        members: { ...report.members, withPoints: 0, topWinners: [], bands: [] },
      },
      'spring.yaml',
    );
    expect(nothing).toContain('No difference.');
    expect(nothing).not.toMatch(/NaN|Infinity|undefined/);
  });
});

describe('charts', () => {
  test.each([
    [0, 1],
    [1, 1],
    [7, 8],
    [99, 100],
    [101, 120],
    [527_000, 600_000],
  ])('the axis for %d ends at %d', (most, top) => {
    expect(axisTop(most)).toBeCloseTo(top, 6);
  });

  test.each([
    [1, ['0', '1']],
    [2, ['0', '1', '2']],
    [3, ['0', '3']],
    [10, ['0', '5', '10']],
    [11, ['0', '3', '6', '9', '12']],
    [1_000, ['0', '250', '500', '750', '1k']],
  ])('the ticks up to %d are whole numbers', (most, expected) => {
    const chart = barChart([{ label: 'a', values: [most] }], { title: 'One bar', series: ['x'] });
    const ticks = Array.from(chart.matchAll(/text-anchor="end">([^<]*)</g), ([, tick]) => tick);
    expect(ticks).toEqual(expected);
  });

  test('a bar is as high as its share of the axis', () => {
    const chart = barChart([{ label: 'a', values: [50, 100] }], { title: 'Two bars', series: ['x', 'y'] });
    const heights = Array.from(chart.matchAll(/ height="([\d.]+)" rx/g), ([, height]) => Number(height));
    expect(heights[1]).toBe(216);
    expect(heights[0]).toBe(108);
  });
});

test('a row chart gives each number room behind its bar, and says gains and losses by colour and sign', () => {
  const places = [
    { label: 'rule base', values: [-400] },
    { label: 'campaign', values: [100] },
  ];
  const chart = rowChart(places, { title: 'Differences', series: ['Difference'] }, 'difference');
  const bars = Array.from(
    chart.matchAll(/class="(less|more)" x="0" y="\d+" width="([\d.]+)"/g),
    ([, kind, width]) => [kind, Number(width)],
  );
  expect(bars).toEqual([
    ['less', 240],
    ['more', 60],
  ]);
  expect(Array.from(chart.matchAll(/class="value"[^>]*>([^<]*)</g), ([, text]) => text)).toEqual([
    '−400',
    '+100',
  ]);
});

describe('numbers for people', () => {
  test('in groups, with a sign, in percent and in money', () => {
    expect({ '-1234567': grouped('-1234567'), 999: grouped(999) }).toEqual({
      '-1234567': '-1,234,567',
      999: '999',
    });
    expect({ 1000: signed(1000), '-5': signed('-5'), 0: signed('0') }).toEqual({
      1000: '+1,000',
      '-5': '-5',
      0: '0',
    });
    expect({
      'from 200 to 225': percentOf(change(200, 225)),
      'from 200 to 100': percentOf(change(200, 100)),
      'from 3 to 3': percentOf(change(3, 3)),
      'from 0 to 5': percentOf(change(0, 5)),
      'from -10 to -20': percentOf(change(-10, -20)),
    }).toEqual({
      'from 200 to 225': '+12.5 %',
      'from 200 to 100': '-50.0 %',
      'from 3 to 3': '0 %',
      'from 0 to 5': 'new',
      'from -10 to -20': '-100.0 %',
    });
    expect({
      '5': money('5', 2, 'USD'),
      '-123456': money('-123456', 2, 'EUR'),
      '70': money('70', 0, 'JPY'),
    }).toEqual({ '5': '0.05 USD', '-123456': '-1,234.56 EUR', '70': '70 JPY' });
  });
});
