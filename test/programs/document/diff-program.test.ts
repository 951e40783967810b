import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { diffProgram, type ProgramChange } from '../../../src/programs/document/diff-program.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { parseProgram } from '../../../src/programs/parse/parse-program.ts';
import { program, rule, tier } from '../../support/rules/fixtures.ts';

const demoText = readFileSync(new URL('../../../demo/coffee-club.yaml', import.meta.url), 'utf8');

function parsed(text: string): ProgramDocument {
  const result = parseProgram(text);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.document;
}

const demo = parsed(demoText);

/** The changes when pieces of the demo's text are replaced. */
function diffOf(...replaced: [from: string, to: string][]): ProgramChange[] {
  let text = demoText;
  for (const [from, to] of replaced) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  return diffProgram(demo, parsed(text));
}

describe('what differs', () => {
  test.each<[string, [string, string][], ProgramChange[]]>([
    [
      'a setting',
      [['name: Coffee Club', 'name: Coffee House']],
      [
        {
          section: 'name',
          id: null,
          change: 'changed',
          path: '',
          before: 'Coffee Club',
          after: 'Coffee House',
        },
      ],
    ],
    [
      'a property of a section',
      [['  days: 0', '  days: 14']],
      [{ section: 'pending', id: null, change: 'changed', path: 'days', before: 0, after: 14 }],
    ],
    [
      'a section that is gone',
      [['graceDays: 30\n', '']],
      [{ section: 'graceDays', id: null, change: 'removed', path: '', before: 30 }],
    ],
    [
      'a property deep in an entry',
      [['multiplier: { numerator: 5,', 'multiplier: { numerator: 6,']],
      [
        {
          section: 'tiers',
          id: 'silver',
          change: 'changed',
          path: 'multiplier.numerator',
          before: 5,
          after: 6,
        },
      ],
    ],
    [
      'a property that is new',
      [['award: { bonusPoints: 25 }', 'award: { bonusPoints: 25 }\n    priority: 5']],
      [{ section: 'campaigns', id: 'big-basket', change: 'added', path: 'priority', after: 5 }],
    ],
    [
      'an entry that is new',
      [['coupons:\n', 'coupons:\n  - code: TEA\n']],
      [{ section: 'coupons', id: 'TEA', change: 'added', path: '', after: { code: 'TEA' } }],
    ],
    [
      'another id is another entry',
      [
        ['  - code: BEANS10 #', '  - code: BEANS20 #'],
        ['[BEANS10]', '[BEANS20]'],
      ],
      [
        { section: 'coupons', id: 'BEANS10', change: 'removed', path: '', before: { code: 'BEANS10' } },
        { section: 'coupons', id: 'BEANS20', change: 'added', path: '', after: { code: 'BEANS20' } },
        {
          ...{ section: 'offers', id: 'ten-off-beans', change: 'changed', path: 'couponCodes' },
          ...{ before: ['BEANS10'], after: ['BEANS20'] },
        },
      ],
    ],
    [
      'a condition is gone and another one new',
      [
        [
          '{ field: purchase.amountMinor, operator: gte, value: 5000 }',
          '{ field: purchase.amountMinor, operator: gte, value: 4000 }',
        ],
      ],
      [
        {
          ...{ section: 'campaigns', id: 'big-basket', change: 'removed', path: 'conditions' },
          before: { field: 'purchase.amountMinor', operator: 'gte', value: 5000 },
        },
        {
          ...{ section: 'campaigns', id: 'big-basket', change: 'added', path: 'conditions' },
          after: { field: 'purchase.amountMinor', operator: 'gte', value: 4000 },
        },
      ],
    ],
    [
      'a reward to choose, by its id',
      [['inventory: 12', 'inventory: 20']],
      [
        {
          ...{ section: 'choiceSets', id: 'gifts', change: 'changed', path: 'rewards.workshop.inventory' },
          ...{ before: 12, after: 20 },
        },
      ],
    ],
    [
      'a value of another kind',
      [
        [
          'award: { bonusPoints: 50 }',
          'award: { multiplier: { numerator: 2, denominator: 1 }, rounding: floor }',
        ],
      ],
      [
        { section: 'coupons', id: 'COFFEE50', change: 'removed', path: 'award.bonusPoints', before: 50 },
        {
          ...{ section: 'coupons', id: 'COFFEE50', change: 'added', path: 'award.multiplier' },
          after: { numerator: 2, denominator: 1 },
        },
        { section: 'coupons', id: 'COFFEE50', change: 'added', path: 'award.rounding', after: 'floor' },
      ],
    ],
  ])('%s', (_what, replaced, expected) => {
    expect(diffOf(...replaced)).toEqual(expected);
  });

  test('rules that are asked in another order', () => {
    const [a, b, c] = [rule('1'), rule('2'), rule('10')];
    const before = program({ earn: { rules: [a, b, c] } });
    expect(diffProgram(before, program({ earn: { rules: [c, a, b] } }))).toEqual([
      {
        ...{ section: 'earn.rules', id: null, change: 'moved', path: '' },
        ...{ before: ['1', '2', '10'], after: ['10', '1', '2'] },
      },
    ]);
    // Adding or removing a rule moves none of the others.
    expect(diffProgram(before, program({ earn: { rules: [a, c] } }))).toMatchObject([
      { id: '2', change: 'removed' },
    ]);
    expect(diffProgram(program({ earn: { rules: [a, c] } }), before)).toMatchObject([
      { id: '2', change: 'added' },
    ]);
  });

  test('a tier by its id, wherever it stands', () => {
    const before = program({ tiers: [tier('a', 0, 1), tier('c', 10, 2)] });
    const after = program({ tiers: [tier('a', 0, 1), tier('b', 5, 1), tier('c', 10, 2)] });
    expect(diffProgram(before, after)).toMatchObject([{ section: 'tiers', id: 'b', change: 'added' }]);
  });
});

test('the order of conditions, plain lists, keys and entries says nothing', () => {
  expect(
    diffOf(
      [
        '      - { field: purchase.channel, operator: equals, value: store }\n      - { ' +
          'field: purchase.amountMinor, operator: gte, value: 5000 }',
        '      - { value: 5000, field: purchase.amountMinor, operator: gte }\n      - { ' +
          'field: purchase.channel, operator: equals, value: store }',
      ],
      ['[saturday, sunday]', '[sunday, saturday]'],
      ['value: [beans, capsules]', 'value: [capsules, beans]'],
    ),
  ).toEqual([]);
  const reversed = {
    ...demo,
    offers: demo.offers?.toReversed() ?? [],
    audiences: demo.audiences?.toReversed() ?? [],
  };
  expect(diffProgram(demo, reversed)).toEqual([]);
});

/** Every way to take one value out of the demo, or to put another one there. */
const edits: ((document: unknown) => void)[] = [];
function collect(value: unknown, reach: (document: unknown) => Record<string, unknown> | unknown[]): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    // Entries are called by these, and rules every document has.
    if (['id', 'code', 'type', 'earn'].includes(name)) continue;
    edits.push((document) => {
      const at = reach(document);
      if (Array.isArray(at)) at.splice(Number(name), 1);
      else delete at[name];
    });
    if (typeof part !== 'object') {
      const other = typeof part === 'number' ? part + 1 : typeof part === 'boolean' ? !part : 'another';
      edits.push((document) => Object.assign(reach(document), { [name]: other }));
    }
    collect(part, (document) => Reflect.get(reach(document), name));
  }
}
collect(demo, (document) => document as Record<string, unknown>);
collect(demo.earn.rules, (document) => (document as ProgramDocument).earn.rules);

describe('laws', () => {
  const drafts = fc.subarray(edits, { maxLength: 5 }).map((chosen) => {
    const document = structuredClone(demo);
    for (const edit of chosen) {
      try {
        edit(document);
      } catch (error) {
        // An earlier edit has removed what this one changes.
        if (!(error instanceof TypeError)) throw error;
      }
    }
    return document;
  });

  test('a document does not differ from itself', () => {
    expect(diffProgram(demo, structuredClone(demo))).toEqual([]);
  });

  test('nothing that changes goes unseen, and the way back is the way there', () => {
    const opposite = { added: 'removed', removed: 'added', changed: 'changed', moved: 'moved' } as const;
    const text = (changes: ProgramChange[]) => changes.map((change) => canonicalize(change) ?? '').toSorted();
    let differing = 0;
    fc.assert(
      fc.property(drafts, (draft) => {
        const there = diffProgram(demo, draft);
        if (canonicalize(draft) !== canonicalize(demo)) {
          differing += 1;
          expect(there).not.toEqual([]);
        }
        const back = there.map(({ change, before, after, ...at }) => ({
          ...at,
          change: opposite[change],
          ...(after === undefined ? {} : { before: after }),
          ...(before === undefined ? {} : { after: before }),
        }));
        expect(text(diffProgram(draft, demo))).toEqual(text(back));
      }),
      { numRuns: 200 },
    );
    expect(differing).toBeGreaterThan(80);
  });
});

describe('where order and place say something', () => {
  const tuple = (...types: string[]) =>
    program({
      eventDefinitions: [
        {
          type: 'review',
          attributesSchema: { properties: { pair: { prefixItems: types.map((type) => ({ type })) } } },
        },
      ],
    });

  test('the schemas of a tuple that change places are another schema', () => {
    const [change, ...more] = diffProgram(tuple('string', 'integer'), tuple('integer', 'string'));
    expect({ section: change?.section, id: change?.id, change: change?.change, more }).toEqual({
      section: 'eventDefinitions',
      id: 'review',
      change: 'changed',
      more: [],
    });
    expect(diffProgram(tuple('string', 'integer'), tuple('string', 'integer'))).toEqual([]);
  });

  test('a condition that is added deep in an entry is named by itself', () => {
    const conditions = ['a', 'b', 'c'].map((value) => ({
      field: 'profile.tier',
      operator: 'not_equals' as const,
      value,
    }));
    const of = (count: number) =>
      program({
        rewards: [
          {
            id: 'mug',
            name: 'Mug',
            points: 1,
            eligibility: { match: 'all', conditions: conditions.slice(0, count) },
          },
        ],
      });
    expect(diffProgram(of(2), of(3))).toEqual([
      {
        section: 'rewards',
        id: 'mug',
        change: 'added',
        path: 'eligibility.conditions',
        after: conditions[2],
      },
    ]);
  });
});

test('a number and its digits are two values', () => {
  const of = (value: string | number | boolean) =>
    program({ earn: { rules: [rule('base', [{ field: 'attributes.x', operator: 'in', value: [value] }])] } });
  for (const [before, after] of [
    [1, '1'],
    [true, 'true'],
  ] as const) {
    expect(diffProgram(of(before), of(after)).map(({ change }) => change)).toEqual(['removed', 'added']);
  }
});
