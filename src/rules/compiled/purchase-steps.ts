import type { Campaign } from '../../programs/document/campaign-document.ts';
import type { Condition, LineSelection } from '../../programs/document/document-values.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import {
  compileSteps,
  type FieldSizes,
  STEPS_OF_LOCAL_TIME,
  STEPS_OF_SHARE,
} from '../shared/evaluation-steps.ts';

/** For each rule and campaign that is looked at, whatever its conditions. */
const STEPS_OF_RULE = 10;

type StepsFor = (sizes: FieldSizes) => number;

/** What a purchase takes at most under a document. */
export interface PurchaseSteps {
  /**
   * Counted before the work is done, so that the same purchase under the same document is always accepted or refused.
   */
  stepsFor: StepsFor;
  /**
   * How often a line can stand in a receipt: once for all rules, once for each campaign on lines, and once for its
   * sum.
   */
  mentionsOfLine: number;
}

/** Compiles what the earn rules and campaigns of a document take. */
export function compilePurchaseSteps({
  earn,
  campaigns = [],
  audiences = [],
}: Pick<ProgramDocument, 'earn' | 'campaigns' | 'audiences'>): PurchaseSteps {
  const ofAudience = new Map(audiences.map(({ id, conditions }) => [id, compileSteps(conditions, 'cart')]));
  const parts = [
    ...earn.rules.map((rule) => stepsOfPart(rule)),
    ...campaigns.map((campaign) => stepsOfPart(campaign)),
    ...campaigns.flatMap(({ audiences: named = [] }) => named.flatMap((id) => ofAudience.get(id) ?? [])),
  ];
  const onLocalTime = campaigns.filter(isOnLocalTime).length * STEPS_OF_LOCAL_TIME;
  return {
    stepsFor: (sizes) => parts.reduce((sum, steps) => sum + steps(sizes), onLocalTime),
    mentionsOfLine: 2 + campaigns.filter(({ lines }) => lines !== undefined).length,
  };
}

function isOnLocalTime({ schedule }: Campaign): boolean {
  return schedule !== undefined;
}

/** Of a rule or campaign: its conditions, those of each line, and what it divides over the lines. */
function stepsOfPart({
  conditions,
  lines,
}: {
  conditions: readonly Condition[];
  lines?: LineSelection;
}): StepsFor {
  const ofConditions = compileSteps(conditions, 'cart');
  if (lines === undefined) return (sizes) => STEPS_OF_RULE + ofConditions(sizes);
  const ofLines = compileSteps(lines === 'none' ? [] : lines.conditions, 'each_line');
  return (sizes) => STEPS_OF_RULE + ofConditions(sizes) + ofLines(sizes) + sizes.lines * STEPS_OF_SHARE;
}
