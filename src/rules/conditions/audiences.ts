import type { Audience } from '../../programs/document/campaign-document.ts';
import type { EvaluationFacts } from './evaluation-facts.ts';
import { compileMatch } from './match.ts';

/** Audiences made ready to be asked, by id. @returns null where the member is in it, else why not */
export type CompiledAudiences = ReadonlyMap<string, (facts: EvaluationFacts) => string | null>;

/** Compiles the audiences of a checked document. */
export function compileAudiences(audiences: readonly Audience[] | undefined): CompiledAudiences {
  return new Map((audiences ?? []).map((audience) => [audience.id, compileMatch(audience)]));
}

/**
 * Makes the test of something that is for some audiences alone: the member is in any one of them. A customer
 * who is not known is in none.
 * @param ids of audiences of the document; for everyone where absent. An empty list is for nobody
 * @returns what gives null where the member is in one, else why not, in words
 * @throws RangeError for an audience that does not exist (the document was not checked)
 */
export function compileTargets(
  ids: readonly string[] | undefined,
  audiences: CompiledAudiences,
): (facts: EvaluationFacts) => string | null {
  if (!ids) return () => null;
  const tests = ids.map((id) => {
    const whyNot = audiences.get(id);
    if (!whyNot) throw new RangeError(`No such audience: ${id}`);
    return whyNot;
  });
  const only = ids.length === 1 ? ids[0] : null;
  return (facts) => {
    if (facts.member === null) return 'It is for some members alone, and the customer is not known.';
    let why: string | null = null;
    for (const whyNot of tests) {
      why = whyNot(facts);
      if (why === null) return null;
    }
    return only === null
      ? `The member is in none of the audiences ${ids.join(', ')}.`
      : `The member is not in audience ${only}: ${why}`;
  };
}
