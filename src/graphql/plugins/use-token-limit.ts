import { Lexer, Source, TokenKind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { GraphqlRequest } from '../execution/graphql-request.ts';

const tokenLimit = 1_000;

const tooManyTokens = refuse('budget_exceeded', `The document has more than ${tokenLimit} tokens`);

/**
 * At most 1,000 tokens. Counted before parsing, so that a document a thousand levels deep never meets a recursive
 * parser; everything after this works on a document of bounded size.
 */
export function useTokenLimit(): Plugin<GraphqlRequest, GraphqlRequest> {
  return {
    onParse({ context, params }) {
      if (context.document === null && exceedsTokens(params.source as string)) {
        throw refusalError(tooManyTokens, context.requestId);
      }
    },
  };
}

function exceedsTokens(text: string): boolean {
  const lexer = new Lexer(new Source(text));
  try {
    for (let count = 0; count <= tokenLimit; count += 1) {
      if (lexer.advance().kind === TokenKind.EOF) return false;
    }
  } catch {
    // Not a token: the parser will say so, with the place.
    return false;
  }
  return true;
}
