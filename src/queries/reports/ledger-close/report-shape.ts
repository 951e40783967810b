/** The required shape of a JSON value: a scalar, a value or null, a list, or an object with only these properties. */
type Shape =
  | 'text'
  | 'number'
  | 'boolean'
  | { nullable: Shape }
  | { list: Shape }
  | { properties: Readonly<Record<string, Shape>>; optional?: Readonly<Record<string, Shape>> };

const texts = (...names: string[]): Record<string, Shape> =>
  Object.fromEntries(names.map((name) => [name, 'text' as const]));
const object = (
  properties: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
): Shape => ({ properties, optional });

const nullableText: Shape = { nullable: 'text' };
const fraction = object({ numerator: 'number', denominator: 'number' });

/** The properties that are both in the hashed evidence and beside it. */
const shown: Readonly<Record<string, Shape>> = {
  ...texts('programId', 'currency'),
  period: object(texts('from', 'to')),
  controls: {
    list: object({
      ...texts('id', 'title', 'expected', 'found', 'statusOnFailure'),
      differences: 'number',
      passed: 'boolean',
    }),
  },
  totals: object({
    ...texts('debits', 'credits'),
    postings: 'number',
    transactions: 'number',
    accounts: { list: object(texts('account', 'opening', 'debits', 'credits', 'closing')) },
  }),
  rollForward: { list: object(texts('line', 'points')) },
  journal: {
    list: object({ ...texts('movement', 'account', 'direction', 'points'), amountMinor: nullableText }),
  },
  liability: {
    list: object({
      ...texts('issueMonth', 'points'),
      expiryMonth: nullableText,
      expectedPoints: nullableText,
      amountMinor: nullableText,
    }),
  },
};

const policy = object({
  configurationVersion: { nullable: 'number' },
  finance: {
    nullable: object(texts('sectionHash'), {
      valuation: object({ amountMinor: fraction }),
      breakage: object(
        { rate: fraction },
        {
          byMonthsToExpiry: { list: object({ upTo: 'number', rate: fraction }) },
          byAgeMonths: { list: object({ from: 'number', rate: fraction }) },
        },
      ),
    }),
  },
  journal: {
    nullable: object({
      ...texts('sectionHash'),
      accounts: object({}, texts('liability', 'expense', 'redemption', 'breakage', 'adjustment', 'clearing')),
      missing: { list: 'text' },
    }),
  },
});

const evidence = object({
  ...texts('schema'),
  ...shown,
  liabilityTotal: object({ points: 'text', expectedPoints: nullableText, amountMinor: nullableText }),
  policy,
});

const report = object(
  {
    ...texts('reportId', 'status', 'evidenceHash'),
    ...shown,
    approvals: {
      list: object({
        ...texts('section', 'sectionHash', 'approvedBy', 'approvedAt'),
        version: 'number',
      }),
    },
    evidence,
  },
  { ...texts('requestId'), statusReasons: { list: 'text' } },
);

/**
 * Checks the shape of a saved report, property by property: no property may be missing, of another type, or added.
 * @returns the problems, each as a sentence with the path of the property
 */
export function shapeProblems(value: unknown): string[] {
  return problemsOf(value, report, '');
}

function problemsOf(value: unknown, shape: Shape, path: string): string[] {
  if (typeof shape === 'string') return isOf(value, shape) ? [] : [`${path} is not ${NAMES[shape]}.`];
  if ('nullable' in shape) return value === null ? [] : problemsOf(value, shape.nullable, path);
  if ('list' in shape) {
    if (!Array.isArray(value)) return [`${path} is not a list.`];
    return value.flatMap((item: unknown, index) => problemsOf(item, shape.list, `${path}[${index}]`));
  }
  if (!isOf(value, 'object')) return [`${path || 'The file'} is not an object.`];
  const { properties, optional = {} } = shape;
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const entries = new Map(Object.entries(value as object));
  return [
    ...Object.entries(properties).flatMap(([name, inner]) =>
      entries.has(name) ? problemsOf(entries.get(name), inner, at(name)) : [`${at(name)} is missing.`],
    ),
    ...Object.entries(optional).flatMap(([name, inner]) =>
      entries.has(name) ? problemsOf(entries.get(name), inner, at(name)) : [],
    ),
    ...[...entries.keys()]
      .filter((name) => !Object.hasOwn(properties, name) && !Object.hasOwn(optional, name))
      .map((name) => `${at(name)} is no part of a report.`),
  ];
}

const NAMES = { text: 'a text', number: 'a number', boolean: 'true or false', object: 'an object' };

function isOf(value: unknown, kind: keyof typeof NAMES): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string';
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === kind;
  }
}
