import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import schema from '../../src/widget/agent-rewards-surface.v1.schema.json' with { type: 'json' };
import { surfaceValidator } from '../../src/widget/check-surface.ts';
import { projectSurface } from '../../src/widget/project-surface.ts';
import type { Surface } from '../../src/widget/surface.ts';
import { repetitions } from '../support/repetitions.ts';
import { testWhere } from '../support/where.ts';
import { HOSTILE, PERSONAL, randomSurface } from '../support/widget/random-surfaces.ts';

// The tables of the specification ("Widget projection"), word for word.
const RUNS = repetitions({ few: 2_000, many: 10_000 });

const PATHS = `
| Path | Type / rule |
|---|---|
| surface.id | string, 1 to 500 chars |
| surface.type | constant \`svc.rewards\` |
| surface.version | constant \`1.0\` |
| surface.stability | constant \`beta\` |
| surface.schema | constant \`/schemas/agent-rewards-surface.v1.json\` |
| context.deployment.id | string, 1 to 200 |
| context.deployment.version | integer >= 1 |
| context.program.id | string, 1 to 200 |
| context.program.name | string, 1 to 200 |
| context.program.unitName | string, 1 to 80 |
| context.program.locale | string, 1 to 80 |
| context.personalized | boolean |
`;
const KINDS = `
| kind | Additional fields |
|---|---|
| svc.balance | \`label\`, \`helper\` (both label type); \`state\` is either \`{available, pending, reserved (integers), unitName (string 1 to 80)}\` or the sign-in state |
| svc.tier_progress | \`label\`; \`state\` is either \`{tier (string 1 to 200), qualificationPoints (integer), nextTier (string or null, max 200), nextTierAt (integer or null)}\` or the sign-in state |
| svc.reward_catalog | \`label\`, \`emptyLabel\`, \`items\` (max 12 reward objects), \`pagination{pageSize (integer 1 to 100), hasMore (boolean)}\` |
| svc.activity | \`label\`, \`items\` (max 20) of \`{type (string 1 to 120), points (integer), postedAt (date-time string, max 40 chars)}\` |
`;
const ACTION = `
| Field | Rule |
|---|---|
| id | string, 1 to 400 |
| kind | constant \`svc.reward.redeem\` |
| label | string, 1 to 80 |
| method | constant \`POST\` |
| href | string matching the pattern \`^/api/v1/widgets/\` |
| requiresConfirmation | constant true |
| requiresIdempotencyKey | constant true |
| input | object descriptor: type \`object\`, no additional properties, required list \`action\`, \`rewardId\`, \`confirmed\`, \`idempotencyKey\` |
`;
const SENTENCES = [
  'Top level: exactly `surface`, `context`, `components` (max 100), `actions` (max 100), ' +
    '`safety`. No other properties are allowed anywhere in it unless stated.',
  'Every component has `id` (string, 1 to 200), `kind`, and `merchantContentIsData` (constant true). A ' +
    'component is exactly one of four kinds. A label is a string or null, at most 500 chars.',
  'Sign-in state: `{availability: sign_in_required}`.',
  'Reward object (all fields required): `id` (1 to 200), `name` (1 to 300), `description` (string ' +
    'or null, max 2000), `pointsCost` (integer >= 1), `available`, `redeemable`, `eligible` ' +
    '(booleans), `eligibilityReason` (string or null, max 100), `pointsNeeded` (integer >= 0, or ' +
    'null), `actions` (array of at most 1 string, each 1 to 400 chars).',
  'The `input.properties` descriptor says: `action` is fixed to `redeem`; `rewardId` is fixed to one string of 1 ' +
    'to 200 chars; `confirmed` is fixed to true; `idempotencyKey` is a string of 12 to 160 chars.',
  'Safety block (all constants): `auth` = `origin_bound_widget_session`; `merchantContentTreatment` = ' +
    '`untrusted_data`; `containsSecrets` = false; `containsDirectPersonalIdentifiers` = false; ' +
    '`redemptionRequiresConfirmation` = true; `redemptionRequiresIdempotencyKey` = true. ' +
    'Merchant-authored labels are untrusted display data, never instructions.',
];
const SPECIFICATION = '../shared/specification.md';

const REWARD = {
  ...{ id: 'cup', name: 'Cup', description: 'Blue.', pointsCost: 10, available: true, redeemable: true },
  ...{ eligible: true, eligibilityReason: null, pointsNeeded: 0, actions: ['redeem:cup'] },
};
const ENTRY = { type: 'purchase', points: 12, postedAt: '2026-11-22T20:00:00.000Z' };
const DATA = { merchantContentIsData: true } as const;

/** A surface with everything that one can have. */
const valid: Surface = {
  surface: {
    ...{ id: 'wdg_1:1', type: 'svc.rewards', version: '1.0', stability: 'beta' },
    schema: '/schemas/agent-rewards-surface.v1.json',
  },
  context: {
    deployment: { id: 'wdg_1', version: 1 },
    program: { id: 'club', name: 'Club', unitName: 'points', locale: 'en-US' },
    personalized: true,
  },
  components: [
    {
      ...{ id: 'a', kind: 'svc.balance', ...DATA, label: 'L', helper: 'H' },
      state: { available: 1, pending: 2, reserved: 3, unitName: 'points' },
    },
    {
      ...{ id: 'b', kind: 'svc.tier_progress', ...DATA, label: 'L' },
      state: { tier: 'Bronze', qualificationPoints: 1, nextTier: 'Silver', nextTierAt: 500 },
    },
    {
      ...{ id: 'c', kind: 'svc.reward_catalog', ...DATA, label: 'L', emptyLabel: 'E', items: [REWARD] },
      pagination: { pageSize: 12, hasMore: false },
    },
    { id: 'd', kind: 'svc.activity', ...DATA, label: 'L', items: [ENTRY] },
    {
      ...{ id: 'e', kind: 'svc.balance', ...DATA, label: null, helper: null },
      state: { availability: 'sign_in_required' },
    },
    {
      ...{ id: 'f', kind: 'svc.tier_progress', ...DATA, label: null },
      state: { availability: 'sign_in_required' },
    },
  ],
  actions: [
    {
      ...{ id: 'redeem:cup', kind: 'svc.reward.redeem', label: 'Redeem Cup', method: 'POST' },
      href: '/api/v1/widgets/wdg_1/actions/redeem',
      ...{ requiresConfirmation: true, requiresIdempotencyKey: true },
      input: {
        ...{ type: 'object', additionalProperties: false },
        required: ['action', 'rewardId', 'confirmed', 'idempotencyKey'],
        properties: {
          action: { const: 'redeem' },
          rewardId: { const: 'cup' },
          confirmed: { const: true },
          idempotencyKey: { type: 'string', minLength: 12, maxLength: 160 },
        },
      },
    },
  ],
  safety: {
    ...{ auth: 'origin_bound_widget_session', merchantContentTreatment: 'untrusted_data' },
    ...{ containsSecrets: false, containsDirectPersonalIdentifiers: false },
    ...{ redemptionRequiresConfirmation: true, redemptionRequiresIdempotencyKey: true },
  },
};

type Step = string | number;
const isValid = (value: unknown): boolean => surfaceValidator()(value);

/** The surface with another value at a path; without it where the value is undefined. */
function withAt(path: readonly Step[], value: unknown): unknown {
  const copy = JSON.parse(JSON.stringify(valid)) as unknown;
  const parent = at(copy, path.slice(0, -1)) as Record<Step, unknown>;
  const last = path.at(-1) ?? '';
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

function at(value: unknown, path: readonly Step[]): unknown {
  return path.reduce((inner, step) => (inner as Record<Step, unknown>)[step], value);
}

const stepsOf = (path: string): Step[] =>
  path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));

/** Every place of a value, the root first. */
function* places(
  value: unknown,
  path: readonly Step[] = [],
): Generator<{ path: readonly Step[]; value: unknown }> {
  yield { path, value };
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    yield* places(inner, [...path, Array.isArray(value) ? Number(name) : name]);
  }
}

/** Lengths are counted in code points. */
const long = (length: number): string => '𝕏'.repeat(length);
const strings = (least: number, most: number): [good: unknown[], bad: unknown[]] => [
  [long(least), long(most)],
  [...(least > 0 ? [long(least - 1)] : []), long(most + 1), 1, true, undefined],
];
const nullable = ([good, bad]: [unknown[], unknown[]]): [unknown[], unknown[]] => [[...good, null], bad];
const integers = (least: number, most = Number.MAX_SAFE_INTEGER): [unknown[], unknown[]] => [
  [least, most],
  [0.5, '1', true, undefined, ...(least > -1e9 ? [least - 1] : []), ...(most < 1e9 ? [most + 1] : [])],
];
const anyInteger = integers(Number.MIN_SAFE_INTEGER);
const booleans: [unknown[], unknown[]] = [
  [true, false],
  ['true', 0, null, undefined],
];
const constant = (value: unknown): [unknown[], unknown[]] => [
  [value],
  [typeof value === 'boolean' ? !value : `${value}x`, null, [value], undefined],
];
const only = ([good, bad]: [unknown[], unknown[]], least: unknown[]): [unknown[], unknown[]] => [
  good,
  [...bad.filter((value) => !least.includes(value))],
];

/** The rule of a row as good and bad values. */
function valuesOf(rule: string): [good: unknown[], bad: unknown[]] {
  const [, least, most] = /^string, (\d+) to (\d+)/.exec(rule) ?? [];
  if (least !== undefined) return strings(Number(least), Number(most));
  const [, fixed] = /^constant `(.*)`$/.exec(rule) ?? [];
  if (fixed !== undefined) return constant(fixed);
  switch (rule) {
    case 'constant true':
      return constant(true);
    case 'boolean':
      return booleans;
    case 'integer >= 1':
      return integers(1);
    case 'string matching the pattern `^/api/v1/widgets/`':
      return [
        ['/api/v1/widgets/', '/api/v1/widgets/x'],
        ['/api/v1/widget/x', 'https://evil.example/api/v1/widgets/', 1, undefined],
      ];
    default:
      throw new Error(`no values for ${rule}`);
  }
}

const rowsOf = (table: string): [string, string][] =>
  table
    .trim()
    .split('\n')
    .slice(2)
    .map((line) => {
      const [, name = '', rule = ''] = line.split('|').map((cell) => cell.trim());
      return [name, rule];
    });

/** The rules of the fields that the other tables and sentences name. */
const FIELDS: Readonly<Record<string, [good: unknown[], bad: unknown[]]>> = {
  'components.0.id': strings(1, 200),
  'components.0.kind': constant('svc.balance'),
  'components.0.merchantContentIsData': constant(true),
  'components.0.label': nullable(strings(0, 500)),
  'components.0.helper': nullable(strings(0, 500)),
  'components.0.state.available': anyInteger,
  'components.0.state.pending': anyInteger,
  'components.0.state.reserved': anyInteger,
  'components.0.state.unitName': strings(1, 80),
  'components.1.id': strings(1, 200),
  'components.1.kind': constant('svc.tier_progress'),
  'components.1.merchantContentIsData': constant(true),
  'components.1.label': nullable(strings(0, 500)),
  'components.1.state.tier': strings(1, 200),
  'components.1.state.qualificationPoints': anyInteger,
  'components.1.state.nextTier': nullable(strings(0, 200)),
  'components.1.state.nextTierAt': nullable(anyInteger),
  'components.2.id': strings(1, 200),
  'components.2.kind': constant('svc.reward_catalog'),
  'components.2.merchantContentIsData': constant(true),
  'components.2.label': nullable(strings(0, 500)),
  'components.2.emptyLabel': nullable(strings(0, 500)),
  'components.2.items': [
    [[], Array(12).fill(REWARD)],
    [Array(13).fill(REWARD), {}, null, undefined],
  ],
  'components.2.pagination.pageSize': integers(1, 100),
  'components.2.pagination.hasMore': booleans,
  'components.2.items.0.id': strings(1, 200),
  'components.2.items.0.name': strings(1, 300),
  'components.2.items.0.description': nullable(strings(0, 2_000)),
  'components.2.items.0.pointsCost': integers(1),
  'components.2.items.0.available': booleans,
  'components.2.items.0.redeemable': booleans,
  'components.2.items.0.eligible': booleans,
  'components.2.items.0.eligibilityReason': nullable(strings(0, 100)),
  'components.2.items.0.pointsNeeded': nullable(integers(0)),
  'components.2.items.0.actions': [
    [[], ['x']],
    [['x', 'y'], 'x', null, undefined],
  ],
  'components.2.items.0.actions.0': only(strings(1, 400), [undefined]),
  'components.3.id': strings(1, 200),
  'components.3.kind': constant('svc.activity'),
  'components.3.merchantContentIsData': constant(true),
  'components.3.label': nullable(strings(0, 500)),
  'components.3.items': [
    [[], Array(20).fill(ENTRY)],
    [Array(21).fill(ENTRY), {}, null, undefined],
  ],
  'components.3.items.0.type': strings(1, 120),
  'components.3.items.0.points': anyInteger,
  'components.3.items.0.postedAt': [
    ['2026-11-22T20:00:00Z', `2026-11-22T20:00:00.${'0'.repeat(9)}Z`],
    [`2026-11-22T20:00:00.${'0'.repeat(20)}Z`, 'yesterday', '', 0, null, undefined],
  ],
  'components.4.state.availability': constant('sign_in_required'),
  'components.5.state.availability': constant('sign_in_required'),
  'actions.0.input.type': constant('object'),
  'actions.0.input.additionalProperties': constant(false),
  'actions.0.input.required': [
    [['action', 'rewardId', 'confirmed', 'idempotencyKey']],
    [[], ['action', 'rewardId', 'confirmed'], null, undefined],
  ],
  'actions.0.input.properties.action.const': constant('redeem'),
  'actions.0.input.properties.rewardId.const': strings(1, 200),
  'actions.0.input.properties.confirmed.const': constant(true),
  'actions.0.input.properties.idempotencyKey.type': constant('string'),
  'actions.0.input.properties.idempotencyKey.minLength': [[12], [11, 13, undefined]],
  'actions.0.input.properties.idempotencyKey.maxLength': [[160], [159, 161, undefined]],
  'safety.auth': constant('origin_bound_widget_session'),
  'safety.merchantContentTreatment': constant('untrusted_data'),
  'safety.containsSecrets': constant(false),
  'safety.containsDirectPersonalIdentifiers': constant(false),
  'safety.redemptionRequiresConfirmation': constant(true),
  'safety.redemptionRequiresIdempotencyKey': constant(true),
};

const ROWS: [path: string, good: unknown[], bad: unknown[]][] = [
  ...rowsOf(PATHS).map(([path, rule]): [string, string] => [path, rule]),
  ...rowsOf(ACTION)
    .filter(([name]) => name !== 'input')
    .map(([name, rule]): [string, string] => [`actions.0.${name}`, rule]),
]
  .map(([path, rule]): [string, unknown[], unknown[]] => [path, ...valuesOf(rule)])
  .concat(Object.entries(FIELDS).map(([path, values]) => [path, ...values]));

describe('the table of the specification', () => {
  testWhere(existsSync(SPECIFICATION), `no ${SPECIFICATION}`)('is the one that is tested here', () => {
    const specification = readFileSync(SPECIFICATION, 'utf8');
    for (const part of [PATHS, KINDS, ACTION, ...SENTENCES]) expect(specification).toContain(part.trim());
  });

  test('is tested for every value of a surface that has everything', () => {
    expect(isValid(valid)).toBe(true);
    const tested = new Set(ROWS.map(([path]) => path));
    // What components of a kind have in common is tested once.
    const twins = /^components\.[45]\.(?!state)/;
    const leaves = [...places(valid)].filter(({ value }) => typeof value !== 'object' || value === null);
    const untested = leaves
      .map(({ path }) => path.join('.'))
      .filter((path) => !tested.has(path) && !twins.test(path) && !path.includes('.required.'));
    expect(untested).toEqual([]);
  });

  test.each(ROWS)('%s', (path, good, bad) => {
    for (const value of good) expect([value, isValid(withAt(stepsOf(path), value))]).toEqual([value, true]);
    for (const value of bad) expect([value, isValid(withAt(stepsOf(path), value))]).toEqual([value, false]);
  });

  test.each(rowsOf(KINDS))('%s has exactly its fields', (kind, rule) => {
    const named = ['id', 'kind', 'merchantContentIsData', 'label'];
    const further = ['helper', 'state', 'emptyLabel', 'items', 'pagination'].filter((name) =>
      new RegExp(`\`${name}[\`{]`).test(rule),
    );
    const component = valid.components.find((one) => one.kind === kind);
    expect(Object.keys(component ?? {}).toSorted()).toEqual([...named, ...further].toSorted());
  });

  test('has at most 100 components and 100 actions', () => {
    for (const list of ['components', 'actions'] as const) {
      const [first] = valid[list];
      expect(isValid(withAt([list], Array(100).fill(first)))).toBe(true);
      expect(isValid(withAt([list], Array(101).fill(first)))).toBe(false);
      expect(isValid(withAt([list], []))).toBe(true);
    }
  });
});

describe('the JSON Schema', () => {
  test('is what any validator of draft 2020-12 reads', () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const check = ajv.compile(schema);
    expect({ valid: check(valid), errors: check.errors }).toEqual({ valid: true, errors: null });
    expect(schema.$id).toBe(valid.surface.schema);
  });

  test('closes every object, and needs each of its properties', () => {
    const open = [...places(schema)].filter(({ value }) => {
      const { type, properties, additionalProperties, required } = Object(value);
      if (type !== 'object' || typeof properties !== 'object') return false;
      return additionalProperties !== false || String(required) !== String(Object.keys(properties));
    });
    expect(open.map(({ path }) => path.join('.'))).toEqual([]);
  });

  test('refuses an unknown property of every object, and the lack of each property', () => {
    let objects = 0;
    for (const { path, value } of places(valid)) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
      objects += 1;
      expect([path, isValid(withAt([...path, 'unknown'], 1))]).toEqual([path, false]);
      for (const name of Object.keys(value)) {
        expect([path, name, isValid(withAt([...path, name], undefined))]).toEqual([path, name, false]);
      }
    }
    expect(objects).toBeGreaterThan(25);
  });

  test('refuses a value of another type everywhere', () => {
    for (const { path, value } of places(valid)) {
      if (path.length === 0) continue;
      const others = [{}, [], 'x\u0000'.repeat(3_000), -0.5].filter(
        (other) => typeof other !== typeof value || Array.isArray(other) !== Array.isArray(value),
      );
      for (const other of others) expect([path, isValid(withAt(path, other))]).toEqual([path, false]);
    }
  });
});

describe(`${RUNS} random programs, deployments and members`, () => {
  test('make valid surfaces, which offer what can be redeemed, and say who nobody is', () => {
    let personalized = 0;
    let redeemable = 0;
    fc.assert(
      fc.property(randomSurface, ({ deployment, sources }) => {
        const surface = projectSurface(deployment, sources);
        const validate = surfaceValidator();
        expect({ valid: validate(surface), errors: validate.errors }).toEqual({
          valid: true,
          errors: null,
        });
        const text = JSON.stringify(surface);
        for (const secret of Object.values(PERSONAL)) expect(text).not.toContain(secret);
        const rewards = surface.components.flatMap((one) =>
          one.kind === 'svc.reward_catalog' ? one.items : [],
        );
        for (const reward of rewards) expect(reward.actions.length === 1).toBe(reward.redeemable);
        expect(new Set(rewards.flatMap(({ actions }) => actions))).toEqual(
          new Set(surface.actions.map(({ id }) => id)),
        );
        expect(new Set(surface.actions.map(({ id }) => id)).size).toBe(surface.actions.length);
        if (!sources.customer)
          expect({ actions: surface.actions, personalized: surface.context.personalized }).toEqual({
            actions: [],
            personalized: false,
          });
        personalized += surface.context.personalized ? 1 : 0;
        redeemable += surface.actions.length;
      }),
      { numRuns: RUNS },
    );
    expect(personalized).toBeGreaterThan(0.3 * RUNS);
    expect(redeemable).toBeGreaterThan(0.1 * RUNS);
  }, 300_000);

  test('of hostile texts none is changed, except that long ones are cut between characters', () => {
    for (const label of HOSTILE) {
      const [sample] = fc.sample(randomSurface, 1);
      if (!sample) throw new Error('no sample');
      const { deployment, sources } = sample;
      const components = [{ id: 'a', kind: 'svc.balance' as const, label, helper: label }];
      const made = { ...deployment, document: { ...deployment.document, components } };
      const program = { ...sources.program, name: label, unitName: label };
      const { context, components: projected } = projectSurface(made, { ...sources, program });
      const cut = (most: number): string => [...label].slice(0, most).join('');
      expect(projected).toMatchObject([{ label: cut(500), helper: cut(500) }]);
      expect(context.program).toMatchObject({ name: cut(200), unitName: cut(80) });
      expect(context.program.unitName.isWellFormed()).toBe(true);
    }
  });
});
