import { Lexer, Source, TokenKind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { GraphqlRequest } from '../execution/graphql-request.ts';
import { tokenLimit } from '../limits/document-cost.ts';

const tooManyTokens = refuse('budget_exceeded', `The document has more than ${tokenLimit} tokens`);

/**
 * Limits a document to 1,000 tokens. They are counted before parsing, so that the recursive parser never sees a deeper
 * document than that, and everything later works on a document of limited size.
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
    // A syntax error: the parser reports it, with its position.
    return false;
  }
  return true;
}
