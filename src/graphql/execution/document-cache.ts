import type { DocumentNode, GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { OperationCost } from '../limits/document-cost.ts';
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
const cacheLimitBytes = 32 * 1024 * 1024;
/** An upper estimate of the bytes of a parsed and prepared document within the token limit, without its text. */
const parsedBytes = 128 * 1024;

/**
 * Makes a cache of parsed, measured and validated documents. Clients send few documents again and again; the limit is
 * for a client that sends many. Documents with syntax errors are not cached: to refuse them again is cheap.
 */
export function createDocumentCache(): DocumentCache {
  return new LRUCache({
    maxSize: cacheLimitBytes,
    sizeCalculation: (_document, text) => parsedBytes + 2 * text.length,
  });
}
