import type { DocumentNode, GraphQLError, Token } from 'graphql';
import { LRUCache } from 'lru-cache';
import { type OperationCost, tokenLimit } from '../limits/document-cost.ts';
import type { PreparedOperation } from './prepared-operation.ts';

/**
 * A document that was parsed within the token limit, with everything known of it that does not depend on the caller.
 */
export interface CachedDocument {
  ast: DocumentNode;
  operations: readonly OperationCost[];
  /** Null until the document is validated; empty if it is valid. */
  validationErrors: readonly GraphQLError[] | null;
  /** Null if it cannot be prepared and goes to the executor; undefined until it is first executed. */
  prepared?: PreparedOperation | null;
}

/** Documents by their text. */
export type DocumentCache = LRUCache<string, CachedDocument>;

/** Most bytes that all cached documents may take together, by the estimate below. */
export const cacheLimitBytes = 32 * 1024 * 1024;
/**
 * An upper estimate of the bytes of a token, with the nodes that are made of it and its part of a prepared operation.
 */
const tokenBytes = 512;
/** An upper estimate of the bytes of a document besides its tokens and its text: most are those of twenty errors. */
const otherBytes = 32 * 1024;

/**
 * Makes a cache of parsed, measured and validated documents. Clients send few documents again and again; the limit is
 * for a client that sends many. Documents with syntax errors are not cached: to refuse them again is cheap.
 */
export function createDocumentCache(): DocumentCache {
  return new LRUCache({
    maxSize: cacheLimitBytes,
    sizeCalculation: ({ ast }, text) => otherBytes + tokensOf(ast, text) * tokenBytes + 2 * text.length,
  });
}

/** The number of tokens of a document; an upper bound where they were not kept. */
function tokensOf({ loc }: DocumentNode, text: string): number {
  if (!loc) return Math.min(text.length, tokenLimit);
  let tokens = 0;
  for (let token: Token | null = loc.startToken; token; token = token.next) tokens += 1;
  return tokens;
}
