import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parseProgram } from '../../src/programs/parse-program.ts';
import { evaluatePurchase } from '../../src/rules/evaluate-purchase.ts';
import { input, purchase } from '../rules/fixtures.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

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

test('the smallest document of docs/programs.md is one, and its expiration and rewards fit in', () => {
  const yaml = blocks('docs/programs.md', 'yaml');
  const [smallest = ''] = yaml.filter((text) => text.startsWith('id:'));
  const [expiration = ''] = yaml.filter((text) => text.startsWith('expiration:'));
  const [rewards = ''] = yaml.filter((text) => text.startsWith('rewards:'));
  expect(parsed(smallest + expiration + rewards)).toMatchObject({
    id: 'tea-club',
    expiration: { policy: 'end_of_period' },
    rewards: [{ id: 'pot-of-tea' }],
  });
});

test('the example by hand of docs/earning.md comes out as written there', () => {
  const [written = ''] = blocks('docs/earning.md', 'json');
  const result = evaluatePurchase(
    input({
      program: parsed(read('demo/coffee-club.yaml')),
      purchase: purchase({ amountMinor: 3_998, channel: 'app', items: [{ sku: 'b', category: 'beans' }] }),
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
