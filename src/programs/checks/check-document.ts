import { currencyExponent } from '../document/currency-exponent.ts';
import { namesOf } from '../document/document-names.ts';
import { type DocumentProblem, under } from '../document/document-problem.ts';
import type { EarnRule, ProgramDocument, Tier } from '../document/program-document.ts';
import { checkCampaigns } from './check-campaigns.ts';
import { checkEngagement } from './check-engagement.ts';
import { checkFinance } from './check-finance.ts';
import { checkLocale } from './check-locale.ts';
import { checkLines, checkMatch } from './check-match.ts';
import { checkUnique } from './check-names.ts';
import { checkOffers } from './check-offers.ts';
import { checkReward } from './check-reward.ts';
import { isTimeZone, noTimeZone } from './check-schedule.ts';

/** Checks what the JSON Schema cannot say of a document that satisfies it. */
export function checkDocument(document: ProgramDocument): DocumentProblem[] {
  const names = namesOf(document);
  return [
    ...checkSettings(document),
    ...checkUnique(document.earn.rules, 'id', ['earn', 'rules']),
    ...document.earn.rules.flatMap((rule, index) =>
      under(['earn', 'rules', index], checkRule(rule, document, names.tiers)),
    ),
    ...checkUnique(document.tiers, 'id', ['tiers']),
    ...checkThresholds(document.tiers),
    ...checkFinance(document),
    ...checkUnique(document.rewards, 'id', ['rewards']),
    ...(document.rewards ?? []).flatMap((reward, index) =>
      under(['rewards', index], checkReward(reward, names.tiers)),
    ),
    ...checkCampaigns(document, names),
    ...checkEngagement(document, names),
    ...checkOffers(document.offers, names),
  ];
}

/** Checks that currency, locale and time zone exist. */
function checkSettings({ currency, locale, timeZone }: ProgramDocument): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  if (!Intl.supportedValuesOf('currency').includes(currency)) {
    problems.push({ path: ['currency'], message: 'is no ISO 4217 currency' });
  }
  problems.push(...checkLocale(locale, ['locale']));
  if (timeZone !== undefined && !isTimeZone(timeZone)) problems.push(noTimeZone);
  return problems;
}

function checkRule(
  rule: EarnRule,
  document: ProgramDocument,
  tierIds: ReadonlySet<string>,
): DocumentProblem[] {
  const problems = [
    ...checkMatch(rule, 'purchase', 'it never applies', tierIds),
    ...checkLines(rule.lines, tierIds),
  ];
  if (rule.earn.loyaltyUnitPrecision !== document.loyaltyUnitPrecision) {
    problems.push({
      path: ['earn', 'loyaltyUnitPrecision'],
      message: `must be the document's, ${document.loyaltyUnitPrecision}`,
    });
  }
  const exponent = currencyExponent(document.currency);
  if (rule.earn.currencyExponent !== exponent) {
    problems.push({
      path: ['earn', 'currencyExponent'],
      message: `must be ${exponent}, the decimals of ${document.currency}`,
    });
  }
  return problems;
}

function checkThresholds(tiers: readonly Tier[]): DocumentProblem[] {
  return tiers.flatMap(({ threshold }, index) => {
    const path = ['tiers', index, 'threshold'];
    const below = tiers[index - 1]?.threshold;
    if (below === undefined) return threshold === 0 ? [] : [{ path, message: "the first tier's must be 0" }];
    return threshold > below ? [] : [{ path, message: `must be above the tier's before, ${below}` }];
  });
}
