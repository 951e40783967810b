import { expect, test } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { keptErrors } from '../../../src/graphql/errors/kept-errors.ts';
import {
  type CachedDocument,
  cacheLimitBytes,
  createDocumentCache,
} from '../../../src/graphql/execution/document-cache.ts';
import { typeDefs } from '../../support/graphql/edge-server.ts';
import { hostileDocuments } from '../../support/graphql/hostile-documents.ts';

const document = (text: string): CachedDocument => ({
  ast: parse(text),
  operations: [],
  validationErrors: null,
});

test('the cache counts tokens and text, and drops the documents that were used least recently', () => {
  const cache = createDocumentCache();
  const texts = Array.from({ length: 1_500 }, (_, index) => `{ a${index} ${'b '.repeat(900)} }`);
  for (const text of texts) {
    cache.set(text, document(text));
    expect(cache.calculatedSize).toBeLessThanOrEqual(cacheLimitBytes);
  }
  // Each takes some 500 KiB, by the estimate.
  expect(cache.size).toBeGreaterThan(40);
  expect(cache.size).toBeLessThan(80);
  expect(cache.has(texts[0] as string)).toBe(false);
  expect(cache.has(texts.at(-1) as string)).toBe(true);
});

test('small documents count little, so that many are kept; empty lines count as text', () => {
  const cache = createDocumentCache();
  for (let index = 0; index < 500; index += 1) cache.set(`{ a${index} }`, document(`{ a${index} }`));
  expect(cache.size).toBe(500);
  for (let index = 0; index < 500; index += 1) {
    const text = `{ a${index} }${'\n'.repeat(60_000)}`;
    cache.set(text, { ...document(text), ast: parse(text, { noLocation: true }) });
  }
  expect(cache.size).toBeLessThan(60);
});

test.each(Object.entries(hostileDocuments))(
  'what is kept of %s is short and refers to nothing',
  (_name, make) => {
    const schema = buildSchema(typeDefs);
    const errors = validate(schema, parse(make('1')), undefined, { maxErrors: 19 });
    const kept = keptErrors(errors);
    expect(kept.length).toBe(errors.length);
    expect(kept.length).toBeGreaterThan(0);
    for (const [index, error] of kept.entries()) {
      expect(error.message.length).toBeLessThanOrEqual(300);
      expect(error.message.slice(0, 299)).toBe(errors[index]?.message.slice(0, 299));
      expect(error.nodes).toBeUndefined();
      expect(error.stack).toBe(error.message);
      expect(error.locations).toEqual(errors[index]?.locations?.slice(0, 20));
    }
  },
);
