import type { DocumentNode, GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { OperationCost } from './document-cost.ts';

/** A document that parsed within the token budget, with all that is known of it whoever asks. */
export interface CachedDocument {
  ast: DocumentNode;
  operations: readonly OperationCost[];
  /** Null until it was validated; empty where it is valid. */
  validationErrors: readonly GraphQLError[] | null;
}

/** Documents by their text. */
export type DocumentCache = LRUCache<string, CachedDocument>;

/** What the cached documents may take together, by the estimate below. */
const cacheLimitBytes = 32 * 1024 * 1024;
/** An upper estimate of a parsed document within the token budget, its text apart. */
const parsedBytes = 64 * 1024;

/**
 * Makes a cache of parsed, measured and validated documents. Clients send few documents again and again; what is
 * bounded is what one client could fill it with. Documents that do not parse are not kept: they are refused in less
 * time than it takes to remember them.
 */
export function createDocumentCache(): DocumentCache {
  return new LRUCache({
    maxSize: cacheLimitBytes,
    sizeCalculation: (_document, text) => parsedBytes + 2 * text.length,
  });
}
