import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { programSchema } from '../../../src/programs/document/program-schema.ts';
import { parseProgram } from '../../../src/programs/parse/parse-program.ts';
import { evaluatePurchase } from '../../../src/rules/earning/evaluate-purchase.ts';
import { input, purchase } from '../../support/rules/fixtures.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

function parsed(text: string) {
  const result = parseProgram(text);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.document;
}

/** The fenced blocks of a language in a page. */
function blocks(page: string, language: string): string[] {
  return [...read(page).matchAll(/```(\w+)\n(.*?)```/gs)]
    .filter(([, fence]) => fence === language)
    .map(([, , text]) => text ?? '');
}

test('the smallest document of docs/guide/programs.md is one, and all that is shown after it fits in', () => {
  const yaml = blocks('docs/guide/programs.md', 'yaml').filter((text) => /^\w+:/.test(text));
  expect(parsed(yaml[0] ?? '')).toMatchObject({ id: 'tea-club' });
  // Section by section: a later one replaces that of the smallest document.
  const whole = Object.assign({}, ...yaml.map((text) => parse(text)));
  expect(parsed(JSON.stringify(whole))).toMatchObject({
    expiration: { policy: 'end_of_period' },
    rewards: [{ id: 'pot-of-tea' }, { id: 'points-at-checkout' }],
    campaigns: [{ id: 'rainy-days' }, { id: 'big-basket' }],
    challenges: [{ eventType: 'review' }],
    offers: [{ couponCodes: ['TINS'] }],
  });
});

test('the demo uses every section that there is, and docs/guide/programs.md names them all', () => {
  const sections = Object.keys(programSchema.properties as object);
  const demo = parsed(read('demo/coffee-club.yaml'));
  expect(Object.keys(demo).toSorted()).toEqual(sections.toSorted());
  const page = read('docs/guide/programs.md');
  expect(sections.filter((section) => !page.includes(`\n| \`${section}`))).toEqual([]);
});

test('the example by hand of docs/guide/earning.md comes out as written there', () => {
  const [written = ''] = blocks('docs/guide/earning.md', 'json');
  const result = evaluatePurchase(
    input({
      program: parsed(read('demo/coffee-club.yaml')),
      purchase: purchase({
        amountMinor: 8_998,
        channel: 'app',
        items: [
          { lineReference: 'beans', category: 'beans', unitPriceMinor: 3_998 },
          { lineReference: 'card', category: 'gift-card', unitPriceMinor: 5_000 },
        ],
      }),
      profile: { tier: 'silver', qualificationPoints: 1_200 },
      limitUsed: 9_999_970,
    }),
  );
  expect(result).toMatchObject({
    points: 30,
    basePoints: 30,
    campaignPoints: 0,
    qualificationPoints: 79,
    ruleDecisions: JSON.parse(written),
  });
});

test('the demo names the JSON Schema for editors where it is', () => {
  for (const name of ['coffee-club', 'record-club', 'record-club-draft']) {
    const [, path = ''] = /\$schema=(\S+)/.exec(read(`demo/${name}.yaml`)) ?? [];
    expect(JSON.parse(read(`demo/${path}`))).toHaveProperty('$id');
  }
});
