import type { Audience } from '../../programs/document/campaign-document.ts';
import type { EvaluationFacts } from './evaluation-facts.ts';
import { compileMatch } from './match.ts';

/** Compiled audiences by id. Each returns null where the member is in the audience, else the reason why not. */
export type CompiledAudiences = ReadonlyMap<string, (facts: EvaluationFacts) => string | null>;

/** Compiles the audiences of a checked document. */
export function compileAudiences(audiences: readonly Audience[] | undefined): CompiledAudiences {
  return new Map((audiences ?? []).map((audience) => [audience.id, compileMatch(audience)]));
}

/**
 * The same audiences, each of which tests the same facts once. For evaluations that ask for one audience many times.
 */
export function remembering(audiences: CompiledAudiences): CompiledAudiences {
  return new Map(
    [...audiences].map(([id, whyNot]) => {
      const cache = new WeakMap<EvaluationFacts, string | null>();
      return [
        id,
        (facts) => {
          let why = cache.get(facts);
          if (why === undefined) {
            why = whyNot(facts);
            cache.set(facts, why);
          }
          return why;
        },
      ];
    }),
  );
}

/**
 * Compiles the audiences that something is limited to: the member has to be in at least one of them. An unknown
 * customer is in no audience.
 * @param ids of audiences of the document. Where absent everyone matches; an empty list matches no member
 * @returns a function that returns null where the member is in one of them, else the reason why not
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
