import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'graphql';
import { measureDocument, type OperationCost } from '../../../src/graphql/limits/document-cost.ts';

/** A selection of a random document: a field, an inline fragment, or a spread of a later fragment. */
type Shape =
  | { kind: 'field'; name: string; alias: boolean; children: Shape[] }
  | { kind: 'inline'; children: Shape[] }
  | { kind: 'spread'; fragment: number };

interface Document {
  root: Shape[];
  /** Fragment n spreads only fragments after n, so that none is a cycle. */
  fragments: Shape[][];
}

const fragmentCount = 4;

function shapes(spreadFrom: number, levels: number): fc.Arbitrary<Shape[]> {
  const children =
    levels === 0 ? fc.constant<Shape[]>([]) : fc.array(shape(spreadFrom, levels - 1), { maxLength: 3 });
  return fc.array(shape(spreadFrom, levels, children), { minLength: 1, maxLength: 3 });
}

function shape(
  spreadFrom: number,
  levels: number,
  children: fc.Arbitrary<Shape[]> = levels === 0 ? fc.constant<Shape[]>([]) : shapes(spreadFrom, levels - 1),
): fc.Arbitrary<Shape> {
  const field = fc.record({
    kind: fc.constant('field' as const),
    name: fc.constantFrom('a', 'b', '__typename', '__schema', '__type'),
    alias: fc.boolean(),
    children,
  });
  const inline = fc.record({
    kind: fc.constant('inline' as const),
    children: fc.array(field, { minLength: 1, maxLength: 2 }),
  });
  if (spreadFrom >= fragmentCount) return fc.oneof(field, inline);
  const spread = fc.record({
    kind: fc.constant('spread' as const),
    fragment: fc.integer({ min: spreadFrom, max: fragmentCount - 1 }),
  });
  return fc.oneof({ arbitrary: field, weight: 3 }, inline, { arbitrary: spread, weight: 3 });
}

const documents: fc.Arbitrary<Document> = fc.record({
  root: shapes(0, 3),
  fragments: fc.tuple(...Array.from({ length: fragmentCount }, (_, index) => shapes(index + 1, 2))),
});

function print(selections: Shape[]): string {
  return `{ ${selections.map(printOne).join(' ')} }`;
}

function printOne(selection: Shape): string {
  if (selection.kind === 'spread') return `...F${selection.fragment}`;
  if (selection.kind === 'inline') return `... ${print(selection.children)}`;
  const name = `${selection.alias ? 'x: ' : ''}${selection.name}`;
  return selection.children.length === 0 ? name : `${name} ${print(selection.children)}`;
}

/** The same cost, computed by walking every fragment each time that it is spread. */
function expand(document: Document, selections: Shape[]) {
  const cost = {
    fields: 0,
    introspectionFields: 0,
    depth: 0,
    introspectionDepth: 0,
    selections: 0,
    aliases: 0,
  };
  walk(selections, 1, false, 1);
  return cost;

  function walk(list: Shape[], level: number, introspecting: boolean, top: number): void {
    for (const selection of list) {
      if (selection.kind === 'inline') walk(selection.children, level, introspecting, top);
      else if (selection.kind === 'spread') {
        walk(document.fragments[selection.fragment] as Shape[], level, introspecting, top);
      } else {
        const introspects = selection.name === '__schema' || selection.name === '__type';
        if (level === top && selection.name !== '__typename') {
          cost.fields += 1;
          if (introspects) cost.introspectionFields += 1;
        }
        cost.selections += 1;
        if (selection.alias) cost.aliases += 1;
        const inside = introspecting || introspects;
        if (inside) cost.introspectionDepth = Math.max(cost.introspectionDepth, level);
        else cost.depth = Math.max(cost.depth, level);
        walk(selection.children, level + 1, inside, top);
      }
    }
  }
}

function measure(text: string): OperationCost {
  return measureDocument(parse(text))[0] as OperationCost;
}

describe('the cost of an operation', () => {
  test('is that of its naive expansion, in every shape of fragments', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const text = [
          print(document.root),
          ...document.fragments.map((fragment, index) => `fragment F${index} on T ${print(fragment)}`),
        ].join('\n');
        const { kind: _kind, name: _name, conditional: _conditional, ...cost } = measure(text);
        expect(cost).toEqual(expand(document, document.root));
      }),
      { numRuns: 500 },
    );
  });

  test('of 60 fragments that each spread the next twice is multiplied, not walked', () => {
    const doubling = Array.from(
      { length: 60 },
      (_, n) => `fragment F${n} on T { a ...F${n + 1} ...F${n + 1} }`,
    );
    // Walking it would take 2^60 steps: the test would not end.
    const cost = measure(`{ ...F0 } ${doubling.join(' ')} fragment F60 on T { a }`);
    expect(cost.selections).toBe(2 ** 61 - 1);
  });

  test.each([
    ['a fragment that spreads itself', '{ a ...F } fragment F on T { b ...F }'],
    ['two that spread each other', '{ a ...F } fragment F on T { b ...G } fragment G on T { c ...F }'],
    ['an unknown fragment', '{ a ...Nowhere }'],
  ])('ends on %s', (_name, text) => {
    expect(measure(text).depth).toBe(1);
  });

  test.each([
    ['on the field', 'mutation { earn @include(if: true) }', true],
    ['on an inline fragment around it', 'mutation { ... @skip(if: false) { earn } }', true],
    [
      'on a spread above it',
      'mutation { ...F @include(if: true) } fragment F on M { ...G } fragment G on M { earn }',
      true,
    ],
    ['inside a fragment', 'mutation { ...F } fragment F on M { ... @include(if: true) { earn } }', true],
    ['on `__typename` beside it', 'mutation { earn __typename @skip(if: true) }', false],
    ['on a field below it', 'mutation { earn { id @skip(if: true) } }', false],
    ['another directive', 'mutation { earn @deprecated }', false],
  ])('knows a condition %s', (_name, text, expected) => {
    expect(measure(text).conditional).toBe(expected);
  });
});
