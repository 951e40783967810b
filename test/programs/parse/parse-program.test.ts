import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { conditionFields } from '../../../src/programs/document/condition-fields.ts';
import type { Condition } from '../../../src/programs/document/document-values.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { programSchema } from '../../../src/programs/document/program-schema.ts';
import { hashDocument } from '../../../src/programs/parse/parse-document.ts';
import { parseProgram, programLimitBytes } from '../../../src/programs/parse/parse-program.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { evaluatePurchase } from '../../../src/rules/earning/evaluate-purchase.ts';
import { input, program, purchase, rule, tier } from '../../support/rules/fixtures.ts';

const demoText = readFileSync(new URL('../../../demo/coffee-club.yaml', import.meta.url), 'utf8');

function parsed(text: string): ProgramDocument {
  const result = parseProgram(text);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.document;
}

/** Problems as `path line:column message`. */
function problems(text: string): string[] {
  const result = parseProgram(text);
  return result.ok
    ? []
    : result.problems.map(({ path, line, column, message }) => `${path} ${line}:${column} ${message}`);
}

function problemsOf(document: unknown): string[] {
  const result = parseProgram(JSON.stringify(document));
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path}: ${message}`);
}

/** The demo's text with one piece replaced; fails where the piece is not there. */
function changed(from: string, to: string): string {
  expect(demoText).toContain(from);
  return demoText.replace(from, to);
}

describe('the demo', () => {
  const demo = parsed(demoText);
  const points = (facts: Parameters<typeof purchase>[0], tierId = 'bronze') => {
    const profile = { tier: tierId, qualificationPoints: 0 };
    const result = evaluatePurchase(input({ program: demo, purchase: purchase(facts), profile }));
    return isRefusal(result) ? result.code : result.points;
  };

  test('earns a point for each full dollar', () => {
    expect(points({ amountMinor: 1_999 })).toBe(19);
    expect(points({ amountMinor: 1_999 }, 'silver')).toBe(24);
    expect(points({ amountMinor: 1_999 }, 'gold')).toBe(29);
  });

  test('doubles beans in the app and gives nothing for gift cards', () => {
    const items = [{ sku: 'b', category: 'beans' }];
    expect(points({ amountMinor: 1_999, channel: 'app', items })).toBe(39);
    expect(points({ amountMinor: 1_999, channel: 'web', items })).toBe(19);
    expect(points({ amountMinor: 1_999, channel: 'app', items: [{ sku: 'g', category: 'gift-card' }] })).toBe(
      0,
    );
  });

  test('is what the demo promises', () => {
    expect(demo).toMatchObject({ id: 'coffee-club', currency: 'USD' });
    expect(demo.tiers.map(({ multiplier }) => multiplier)[0]).toEqual({ numerator: 1, denominator: 1 });
    expect(demo.tiers).toHaveLength(3);
  });
});

test('YAML and JSON of the same document have the same hash, whatever the order of keys', () => {
  const demo = parsed(demoText);
  const reversed = Object.fromEntries(Object.entries(demo).toReversed());
  const texts = [demoText, JSON.stringify(demo), JSON.stringify(reversed, null, '\t'), stringify(demo)];
  const hashes = texts.map((text) => hashDocument(parsed(text)).toString('hex'));
  expect(new Set(hashes).size).toBe(1);
  expect(hashDocument(parsed(changed('threshold: 1000', 'threshold: 1001'))).toString('hex')).not.toBe(
    hashes[0],
  );
});

test('the hash is SHA-256 over RFC 8785', () => {
  // printf '%s' '{"a":1,"b":[true,"é"]}' | sha256sum
  const document = { b: [true, 'é'], a: 1 } as unknown as ProgramDocument;
  expect(hashDocument(document).toString('hex')).toBe(
    '6926743e6611e69d70d02dfefee1d1fc193edf9d3252ac387436edf1db976b4d',
  );
});

describe('the text', () => {
  test.each([
    ['nothing', '', [' 1:1 must be object']],
    ['a list', '[1]', [' 1:1 must be object']],
    ['a key twice', 'id: a\nname: b\nid: c', ['id 3:1 stands here twice']],
    ['a key twice, deep', 'tiers:\n  - {id: a, "id": b}', ['tiers[0].id 2:13 stands here twice']],
    ['an unknown tag', 'id: !shell rm', [' 1:5 Unresolved tag: !shell']],
    ['an integer beyond 2^53-1', 'a: {b: 9007199254740993}', ['a.b 1:8 is an integer beyond 2^53-1']],
    ['a lone surrogate', 'a: "\\ud800"', ['a 1:4 must not hold half of a surrogate pair']],
    ['NUL', '{"a": ["\\u0000"]}', ['a[0] 1:8 must not hold NUL']],
    ['a list as a key', '? [a]\n: 1', ['["[\\"a\\"]"] 1:3 has a key that is a list, a map or an alias']],
    ['nested too deeply', `a: ${'['.repeat(3_000)}`, [' 1:1 is nested too deeply']],
    ['too large', ' '.repeat(programLimitBytes + 1), [` 1:1 is larger than ${programLimitBytes} bytes`]],
  ])('%s', (_what, text, expected) => {
    expect(problems(text)).toEqual(expected);
  });

  test('two documents', () => {
    expect(problems('a: 1\n---\nb: 1')[0]).toMatch(/^ 2:1 .*multiple documents/);
  });

  test('aliases are fine, an explosion of them is not', () => {
    const withAlias = changed(
      'multiplier: { numerator: 1, denominator: 1 }',
      'multiplier: &one { numerator: 1, denominator: 1 }',
    ).replace('multiplier: { numerator: 5, denominator: 4 }', 'multiplier: *one');
    expect(parsed(withAlias).tiers[1]?.multiplier).toEqual({ numerator: 1, denominator: 1 });
    let bomb = 'a0: &a0 [x,x,x,x,x,x,x,x,x]\n';
    for (let i = 1; i < 9; i += 1)
      bomb += `a${i}: &a${i} [${Array(9)
        .fill(`*a${i - 1}`)
        .join()}]\n`;
    expect(problems(bomb)[0]).toMatch(/^a1\[0\] 2:10 Aliases: /);
  });

  test.each([
    ['of a list, in itself', 'a: &a [*a]', 'a[0] 1:8 *a stands within what it points to'],
    [
      'deep in what it points to',
      'a: &s\n  b: [{ c: *s }]',
      'a.b[0].c 2:12 *s stands within what it points to',
    ],
    ['to nothing', 'a: [1, *nobody]', 'a[1] 1:8 *nobody points to no anchor before it'],
    ['to what comes after it', 'a: *b\nb: &b 1', 'a 1:4 *b points to no anchor before it'],
  ])('an alias %s', (_what, text, expected) => {
    expect(problems(text)).toEqual([expected]);
  });

  test('an alias to a key, and to the last of two anchors of one name', () => {
    const moved = demoText
      .replace('name: Coffee Club', '&n name: &n Coffee Club')
      .replace(/^unitName: .*$/m, 'unitName: *n');
    expect(parsed(moved)).toMatchObject({ name: 'Coffee Club', unitName: 'Coffee Club' });
    expect(parsed(moved.replace('&n Coffee', 'Coffee')).unitName).toBe('name');
    const within = 'multiplier: &m { numerator: &m 1, denominator: *m }';
    expect(
      parsed(changed('multiplier: { numerator: 1, denominator: 1 }', within)).tiers[0]?.multiplier,
    ).toEqual({
      numerator: 1,
      denominator: 1,
    });
  });

  test('a schema of attributes that holds itself', () => {
    const text = changed('attributesSchema:', 'attributesSchema: &s').replace(
      'properties:',
      'properties: { a: *s }\n      #',
    );
    expect(problems(text)[0]).toMatch(
      /^eventDefinitions\[0\]\.attributesSchema\.properties\.a \d+:\d+ \*s stands/,
    );
  });

  test('a map of very many keys is refused in bounded time', () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join('\n');
    const start = performance.now();
    expect(problems(text)).toHaveLength(50);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

describe('the schema, with the line that each problem stands in', () => {
  test.each<[string, string, string, [string, string][]]>([
    [
      'an unknown property, at its key',
      'onShortfall: record',
      'onShortfall: record\n  extra: 1',
      [['returns.extra is no known property', 'extra: 1']],
    ],
    [
      'a missing property, at what it is missing from',
      'window: calendar_year',
      'windows: calendar_year',
      [
        ['qualification.window is required', 'windows:'],
        ['qualification.windows is no known property. Did you mean window?', 'windows:'],
      ],
    ],
    [
      'a value outside its list',
      'onExceed: trim',
      'onExceed: cut',
      [['memberLimit.onExceed must be one of trim, reject', 'onExceed: cut']],
    ],
    [
      'an expiration, by its policy alone',
      'policy: end_of_period',
      'policy: end_of',
      [
        [
          'expiration.policy must be one of never, rolling_days, ' +
            'end_of_period, inactivity. Did you mean end_of_period?',
          'policy: end_of',
        ],
      ],
    ],
    [
      'an expiration without a policy',
      'policy: end_of_period\n  period: year\n  offsetDays: 90',
      'offsetDays: 1',
      [['expiration.policy is required', 'offsetDays: 1']],
    ],
    [
      "another policy's property",
      'policy: end_of_period',
      'policy: never',
      [
        ['expiration.period is no known property', 'period: year'],
        ['expiration.offsetDays is no known property', 'offsetDays: 90'],
      ],
    ],
    [
      'a fraction for an integer',
      'threshold: 1000',
      'threshold: 1000.5',
      [['tiers[1].threshold must be integer', 'threshold: 1000.5']],
    ],
    [
      'text for an integer',
      'threshold: 1000',
      "threshold: '1000'",
      [['tiers[1].threshold must be integer, without quotes', "threshold: '1000'"]],
    ],
    [
      'a number for text',
      'id: base',
      'id: 7',
      [['earn.rules[2].id must be string; put it in quotes', 'id: 7']],
    ],
    [
      'a scalar for an object, with an example of its shape',
      'multiplier: { numerator: 5, denominator: 4 }',
      'multiplier: 1.25',
      [['tiers[1].multiplier must be object, such as { numerator: 1, denominator: 1 }', 'multiplier: 1.25']],
    ],
    [
      'an object that is missing',
      'multiplier: { numerator: 5, denominator: 4 }',
      'multipliers: 1',
      [
        ['tiers[1].multiplier is required, such as { numerator: 1, denominator: 1 }', 'silver'],
        ['tiers[1].multipliers is no known property. Did you mean multiplier?', 'multipliers: 1'],
      ],
    ],
    [
      'a choice of objects',
      'award: { bonusPoints: 25 }',
      'award: 25',
      [['campaigns[2].award must be object, such as { bonusPoints: 1 }', 'award: 25']],
    ],
    [
      'lines that are another word than none',
      '        match: all\n        conditions:\n          - { field: ' +
        'items.category, operator: equals, value: gift-card }',
      '        all',
      [['earn.rules[0].lines does not fit: none, or match and conditions.', '        all']],
    ],
    [
      'lines without conditions',
      '        match: all\n        conditions:\n          - { field: ' +
        'items.category, operator: equals, value: gift-card }',
      '        match: all',
      [
        [
          'earn.rules[0].lines.conditions is required, such as [{ field: ' +
            'items.category, operator: equals, value: tea }]',
          '        match: all',
        ],
      ],
    ],
    [
      'lines of any condition, and none',
      '        match: all\n        conditions:\n          - { field: ' +
        'items.category, operator: equals, value: gift-card }',
      '        match: any\n        conditions: []',
      [
        [
          'earn.rules[0].lines.conditions match any needs a condition; without any it is on no line',
          '        conditions: []',
        ],
      ],
    ],
    [
      'a field of the purchase in lines',
      '{ field: items.category, operator: equals, value: gift-card }',
      '{ field: purchase.channel, operator: equals, value: web }',
      [
        [
          'earn.rules[0].lines.conditions[0].field cannot be looked at here; it must be one of ' +
            'items.lineReference, items.sku, items.category, items.quantity, items.unitPriceMinor',
          'purchase.channel, operator: equals, value: web',
        ],
      ],
    ],
    [
      'an id with a space at its end',
      'id: base',
      "id: 'base '",
      [
        [
          'earn.rules[2].id does not fit: 1 to 200 characters, no control characters, no space at either end.',
          "id: 'base '",
        ],
      ],
    ],
  ])('%s', (_what, from, to, expected) => {
    const text = changed(from, to);
    const result = parseProgram(text);
    const lines = text.split('\n');
    const found = result.ok ? [] : result.problems;
    expect(found.map(({ path, message }) => `${path} ${message}`)).toEqual(
      expected.map(([problem]) => problem),
    );
    for (const [index, { line }] of found.entries()) {
      expect(lines[line - 1]).toContain(expected[index]?.[1]);
    }
  });

  test('an unknown field lists those that there are', () => {
    const [problem] = problems(changed('field: items.category', 'field: items.kategorie'));
    expect(problem).toMatch(
      /^earn\.rules\[0\]\.lines\.conditions\[0\]\.field \d+:\d+ must be one of items\.lineReference, items\.sku, /,
    );
    expect(problem).toContain('items.category');
    // What cannot be looked at in lines is not offered there.
    expect(problem).not.toMatch(/purchase\.|profile\.|cart\./);
    expect(problem).toMatch(/Did you mean items\.category\?$/);
  });

  test('lists the same fields of conditions as the code', () => {
    const enumerated = JSON.stringify(Object.keys(conditionFields));
    expect(JSON.stringify(programSchema)).toContain(`{"enum":${enumerated}}`);
  });

  test('describes every property, and closes every object', () => {
    const undescribed: string[] = [];
    const open: string[] = [];
    const walk = (schema: unknown, path: string) => {
      if (typeof schema !== 'object' || schema === null) return;
      const entries = Object.entries(schema);
      const { properties } = schema as { properties?: Record<string, object> };
      if (properties) {
        if (!('additionalProperties' in schema)) open.push(path);
        for (const [name, property] of Object.entries(properties)) {
          if (!('description' in property) && !('$ref' in property)) undescribed.push(`${path}/${name}`);
        }
      }
      for (const [key, value] of entries) walk(value, `${path}/${key}`);
    };
    walk(programSchema, '');
    expect(undescribed).toEqual([]);
    expect(open).toEqual([]);
  });
});

describe('the meaning', () => {
  const withCondition = (condition: Condition) =>
    problemsOf(program({ earn: { rules: [rule('only', [condition])] } }));
  const at = 'earn.rules[0].conditions[0]';

  test('the fixtures are in order', () => {
    expect(problemsOf(program())).toEqual([]);
  });

  test.each<[string, Partial<ProgramDocument>, string[]]>([
    ['no such currency', { currency: 'XXZ' }, ['currency: is no ISO 4217 currency']],
    ['no such locale', { locale: 'english!' }, ['locale: is no BCP 47 language tag, such as en-US']],
    ...['Mars/Olympus', '+05:30', '-0800', '+05'].map((timeZone): [string, object, string[]] => [
      `no such zone as ${timeZone}`,
      { timeZone },
      ['timeZone: is no IANA time zone, such as Europe/Berlin or Asia/Kolkata'],
    ]),
    ['a tier twice', { tiers: [tier('a', 0, 1), tier('a', 1, 1)] }, ['tiers[1].id: "a" stands here twice']],
    [
      'tiers that begin above 0',
      { tiers: [tier('a', 1, 1)] },
      ["tiers[0].threshold: the first tier's must be 0"],
    ],
    [
      'tiers of one threshold',
      { tiers: [tier('a', 0, 1), tier('b', 0, 1)] },
      ["tiers[1].threshold: must be above the tier's before, 0"],
    ],
    [
      'a rule twice',
      { earn: { rules: [rule('a'), rule('a')] } },
      ['earn.rules[1].id: "a" stands here twice'],
    ],
    [
      'any of nothing',
      { earn: { rules: [{ ...rule('a'), match: 'any' }] } },
      ['earn.rules[0].conditions: match any needs a condition; without any it never applies'],
    ],
    [
      'another precision',
      { loyaltyUnitPrecision: 2 },
      ["earn.rules[0].earn.loyaltyUnitPrecision: must be the document's, 2"],
    ],
    [
      'the decimals of yen',
      { currency: 'JPY' },
      ['earn.rules[0].earn.currencyExponent: must be 0, the decimals of JPY'],
    ],
    [
      'the decimals of dinars',
      { currency: 'KWD' },
      ['earn.rules[0].earn.currencyExponent: must be 3, the decimals of KWD'],
    ],
  ])('%s', (_what, overrides, expected) => {
    expect(problemsOf(program(overrides))).toEqual(expected);
  });

  test.each<[Condition, string[]]>([
    [{ field: 'items.sku', operator: 'exists', value: 'yes' }, [`${at}.value: exists takes true or false`]],
    [{ field: 'items.sku', operator: 'in', value: 'a' }, [`${at}.value: in takes a list`]],
    [
      { field: 'items.sku', operator: 'not_in', value: ['a', 1] },
      [`${at}.value[1]: must be a string; put it in quotes`],
    ],
    [{ field: 'items.sku', operator: 'in', value: ['a', 'a'] }, [`${at}.value[1]: stands in the list twice`]],
    [
      { field: 'items.sku', operator: 'equals', value: ['a'] },
      [`${at}.value: equals takes one value; a list goes with in and not_in`],
    ],
    [
      { field: 'items.sku', operator: 'gt', value: 'a' },
      [`${at}.operator: gt needs a number or a date; this field has neither`],
    ],
    [
      { field: 'purchase.amountMinor', operator: 'gte', value: [1] },
      [`${at}.value: gte takes one value, not a list`],
    ],
    [
      { field: 'purchase.amountMinor', operator: 'gte', value: 1.5 },
      [`${at}.value: must be an integer from 0 to 1000000000000`],
    ],
    [
      { field: 'purchase.amountMinor', operator: 'equals', value: '100' },
      [`${at}.value: must be an integer from 0 to 1000000000000`],
    ],
    [
      { field: 'purchase.amountMinor', operator: 'between', value: 5 },
      [`${at}.value: between takes a list of two values, [low, high]`],
    ],
    [
      { field: 'purchase.amountMinor', operator: 'between', value: [1, 2, 3] },
      [`${at}.value: between takes a list of two values, [low, high]`],
    ],
    [
      { field: 'purchase.amountMinor', operator: 'between', value: [2, 1] },
      [`${at}.value: the first value is above the second`],
    ],
    [{ field: 'time.hour', operator: 'equals', value: 24 }, [`${at}.value: must be an integer from 0 to 23`]],
    [
      { field: 'time.date', operator: 'gte', value: '2026-02-30' },
      [`${at}.value: must be a date from the year 1900 on, YYYY-MM-DD`],
    ],
    [
      { field: 'time.date', operator: 'in', value: ['1900-01-01', '1899-12-31', '0026-02-03'] },
      [1, 2].map((index) => `${at}.value[${index}]: must be a date from the year 1900 on, YYYY-MM-DD`),
    ],
    [
      { field: 'time.dayOfWeek', operator: 'equals', value: 'Monday' },
      [
        `${at}.value: must be one of sunday, monday, tuesday, wednesday, ` +
          'thursday, friday, saturday. Did you mean monday?',
      ],
    ],
    [
      { field: 'purchase.channel', operator: 'in', value: ['web', 'shop'] },
      [`${at}.value[1]: must be one of web, store, app`],
    ],
    [
      { field: 'profile.tier', operator: 'equals', value: 'platinum' },
      [`${at}.value: must be a tier of this document: bronze, silver, gold`],
    ],
    [
      { field: 'attributes.x', operator: 'gt', value: true },
      [`${at}.value: gt takes numbers, or strings that are compared as text`],
    ],
    [
      { field: 'attributes.x', operator: 'between', value: [1, 'b'] },
      [`${at}.value: between takes numbers, or strings that are compared as text`],
    ],
    [{ field: 'attributes.x', operator: 'between', value: [0.5, 1.5] }, []],
    [{ field: 'attributes.x', operator: 'in', value: [1, 'a', true] }, []],
    [{ field: 'time.date', operator: 'between', value: ['2026-01-01', '2026-12-31'] }, []],
    [{ field: 'time.hour', operator: 'between', value: [9, 17] }, []],
  ])('%j', (condition, expected) => {
    expect(withCondition(condition)).toEqual(expected);
  });
});
