import type { DocumentNode, GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { OperationCost } from '../limits/document-cost.ts';
import type { PreparedOperation } from './prepared-operation.ts';

/** A document that parsed within the token budget, with all that is known of it whoever asks. */
export interface CachedDocument {
  ast: DocumentNode;
  operations: readonly OperationCost[];
  /** Null until it was validated; empty where it is valid. */
  validationErrors: readonly GraphQLError[] | null;
  /** Null where it is for the executor; undefined until it was executed. */
  prepared?: PreparedOperation | null;
}

/** Documents by their text. */
export type DocumentCache = LRUCache<string, CachedDocument>;

/** What the cached documents may take together, by the estimate below. */
const cacheLimitBytes = 32 * 1024 * 1024;
/** An upper estimate of a parsed and prepared document within the token budget, its text apart. */
const parsedBytes = 128 * 1024;

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
