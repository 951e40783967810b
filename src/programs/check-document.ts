import { checkCondition } from './check-condition.ts';
import { checkFinance } from './check-finance.ts';
import { checkReward } from './check-reward.ts';
import { currencyExponent } from './currency-exponent.ts';
import { type DocumentPath, type DocumentProblem, under } from './document-problem.ts';
import type { EarnRule, ProgramDocument, Tier } from './program-document.ts';

/** Checks what the JSON Schema cannot say of a document that satisfies it. */
export function checkDocument(document: ProgramDocument): DocumentProblem[] {
  const tierIds = new Set(document.tiers.map((tier) => tier.id));
  return [
    ...checkNames(document),
    ...checkUnique(document.earn.rules, ['earn', 'rules']),
    ...document.earn.rules.flatMap((rule, index) =>
      under(['earn', 'rules', index], checkRule(rule, document, tierIds)),
    ),
    ...checkUnique(document.tiers, ['tiers']),
    ...checkThresholds(document.tiers),
    ...checkFinance(document),
    ...checkUnique(document.rewards ?? [], ['rewards']),
    ...(document.rewards ?? []).flatMap((reward, index) =>
      under(['rewards', index], checkReward(reward, tierIds)),
    ),
  ];
}

/** Currency, locale and time zone have to be ones that exist. */
function checkNames({ currency, locale, timeZone }: ProgramDocument): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  if (!Intl.supportedValuesOf('currency').includes(currency)) {
    problems.push({ path: ['currency'], message: 'is no ISO 4217 currency' });
  }
  if (throwsRangeError(() => Intl.getCanonicalLocales(locale))) {
    problems.push({ path: ['locale'], message: 'is no BCP 47 language tag, such as en-US' });
  }
  if (timeZone !== undefined && throwsRangeError(() => new Intl.DateTimeFormat('en-US', { timeZone }))) {
    problems.push({ path: ['timeZone'], message: 'is no IANA time zone, such as Europe/Berlin' });
  }
  return problems;
}

function checkRule(
  rule: EarnRule,
  document: ProgramDocument,
  tierIds: ReadonlySet<string>,
): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  if (rule.match === 'any' && rule.conditions.length === 0) {
    problems.push({
      path: ['conditions'],
      message: 'match any needs a condition; without any it never applies',
    });
  }
  rule.conditions.forEach((condition, index) => {
    problems.push(...under(['conditions', index], checkCondition(condition, 'purchase', tierIds)));
  });
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

function checkUnique(entries: readonly { id: string }[], path: DocumentPath): DocumentProblem[] {
  const seen = new Set<string>();
  return entries.flatMap(({ id }, index) => {
    if (seen.has(id))
      return [{ path: [...path, index, 'id'], message: `${JSON.stringify(id)} stands here twice` }];
    seen.add(id);
    return [];
  });
}

function throwsRangeError(attempt: () => unknown): boolean {
  try {
    attempt();
    return false;
  } catch (error) {
    if (error instanceof RangeError) return true;
    throw error;
  }
}
