/**
 * Shows why the service has a depth limit of its own: compares it with `@envelop/depth-limit` at 12 on the same
 * documents.
 *
 *   node bench/depth-limit.ts
 */
import { useDepthLimit as useStockDepthLimit } from '@envelop/depth-limit';
import { buildSchema, parse, type ValidationRule, validate } from 'graphql';
import { measureDocument } from '../src/graphql/limits/document-cost.ts';

const schema = buildSchema('type Query { a: Query b: Int }');

const stockRules: ValidationRule[] = [];
useStockDepthLimit({ maxDepth: 12 }).onValidate?.({
  addValidationRule: (rule: ValidationRule) => stockRules.push(rule),
} as never);

/** Fragments that each spread the next one twice. */
function doubling(fragments: number): string {
  const name = (index: number) => `F${index.toString(36)}`;
  const body = Array.from(
    { length: fragments },
    (_, n) => `fragment ${name(n)} on Query{...${name(n + 1)} ...${name(n + 1)}}`,
  );
  return `{...${name(0)}}${body.join('')}fragment ${name(fragments)} on Query{b}`;
}

const documents: Record<string, string> = {
  '12 fields': `${'{ a '.repeat(11)}{ b }${'}'.repeat(11)}`,
  '13 fields': `${'{ a '.repeat(12)}{ b }${'}'.repeat(12)}`,
  '40 levels under __type': `{ __type(name: "Query") ${'{ ofType '.repeat(38)}{ name }${' }'.repeat(38)} }`,
  '20 doubling fragments': doubling(20),
  '22 doubling fragments': doubling(22),
  '24 doubling fragments': doubling(24),
};

const rows = Object.entries(documents).map(([name, text]) => {
  const document = parse(text);
  let started = performance.now();
  const stockAccepts = validate(schema, document, stockRules).length === 0;
  const stockMs = performance.now() - started;
  started = performance.now();
  const cost = measureDocument(document)[0];
  const oursMs = performance.now() - started;
  return {
    document: name,
    bytes: text.length,
    'stock accepts': stockAccepts,
    'stock ms': Number(stockMs.toFixed(1)),
    'ours: depth': cost?.depth,
    'ours: introspection': cost?.introspectionDepth,
    'ours ms': Number(oursMs.toFixed(2)),
  };
});
console.table(rows);
