import type { LineSelection } from '../../programs/document/document-values.ts';
import { describeCondition } from '../conditions/conditions.ts';
import { compileMatch } from '../conditions/match.ts';
import type { Basket, BasketPart, Chosen } from '../shared/basket.ts';

/** The lines that a rule or campaign works on, compiled for evaluation. */
export interface CompiledLines {
  /** The parts of a basket that match. */
  choose(basket: Basket): Chosen;
  /** The reason where no part of a basket matches. */
  whyNone: string;
}

/** Compiles `lines` of a checked document. @returns null where the document has none: the whole purchase is meant */
export function compileLines(lines: LineSelection | undefined): CompiledLines | null {
  if (lines === undefined) return null;
  if (lines === 'none') {
    return {
      choose: (basket) => basket.map(({ index, valueMinor }) => index === null && valueMinor > 0),
      whyNone: 'The lines explain the whole amount.',
    };
  }
  const whyNot = compileMatch(lines);
  const [only] = lines.conditions;
  return {
    choose: (basket) => basket.map(({ facts }: BasketPart) => facts !== null && whyNot(facts) === null),
    whyNone:
      lines.conditions.length === 1 && only
        ? `Does not hold for any line: ${describeCondition(only)}.`
        : 'No line matches.',
  };
}
