import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { buildSchema } from 'graphql';
import { readContract } from '../../codegen/contract.ts';
import { describingField } from '../../codegen/event-schemas.ts';
import { eventContract } from '../../codegen/event-types.ts';
import { eventExamples } from '../../codegen/examples/event-examples.ts';
import { inputSchemas } from '../../codegen/input-schemas.ts';
import schemas from '../../src/contract/generated/webhook-events.schema.json' with { type: 'json' };
import { EVENT_TYPES } from '../../src/contract/generated/webhook-events.ts';
import { createPublicSchema, printSdl } from '../../src/graphql/schema/public-schema.ts';
import { validateEvent } from '../support/webhooks/validate-event.ts';
import { testWhere } from '../support/where.ts';

// The event table of the specification ("Events"), word for word.
const TABLE = `
| Group | Kinds |
|---|---|
| Membership and program | member enrolled, member unenrolled, program published |
| Redemption | reserved, committed, released, expired, reversed, fulfillment update, dispute opened, dispute resolved, dispute rejected |
| Governed operations | adjustment requested, rejected, posted, reversed; import completed |
| Partner clearing | exchange settled, exchange reversed, alongside the original \`points.earned\` event |
`;
const SIX =
  'Event types named exactly: `points.earned`, `redemption.committed`, ' +
  '`adjustment.posted`, `member.enrolled`, `member.unenrolled`, `program.published`.';
const EXTENSIONS =
  'Extensions, which a subscription must name like any other: points.expired, ' +
  'points.clawed_back, tier.changed, choice.granted, member.erased, points.expiring (';

/** An extension that was added later, so the sentence above does not list it. */
const LATER = [
  'campaign.cap_reached',
  'feed.epoch_started',
  'member.created',
  'member.updated',
  'member.suspended',
  'member.consent_changed',
  'member.merged',
  'member.unmerged',
];

const [SPECIFICATION, DECISIONS] = ['../shared/specification.md', '../shared/decisions.md'];
const schema = readContract();
const { events, testType } = eventContract(schema);

/** The types of a row: a kind without a subject of its own has that of the kind before it, or of its group. */
function typesOf(group: string, kinds: string): string[] {
  let subject = group.toLowerCase();
  return kinds
    .replace(/, alongside.*$/, '')
    .split(/[,;] /)
    .map((kind) => {
      const [, named, rest = ''] = /^(?:(member|program|adjustment|import|exchange) )?(.*)$/.exec(kind) ?? [];
      subject = named ?? subject;
      return `${subject}.${rest.replace('update', 'updated').replaceAll(' ', '_')}`;
    });
}

const specified = TABLE.trim()
  .split('\n')
  .slice(2)
  .flatMap((line) => {
    const [, group = '', kinds = ''] = line.split('|').map((cell) => cell.trim());
    return typesOf(group, kinds);
  });
/** `redemption.reserved / .released, import.completed` as three types. */
function inFull(list: string): string[] {
  let subject = '';
  return list.split(/, | \/ /).map((name) => {
    if (!name.startsWith('.')) [subject = ''] = name.split('.');
    return name.startsWith('.') ? subject + name : name;
  });
}

const typesIn = (text: string): string[] => text.match(/\w+\.\w+/g) ?? [];

describe('the types of events', () => {
  testWhere(existsSync(SPECIFICATION) && existsSync(DECISIONS), `no ${SPECIFICATION}`)(
    'the tables are those of the specification and of the decisions',
    () => {
      const specification = readFileSync(SPECIFICATION, 'utf8');
      expect(specification).toContain(TABLE.trim());
      expect(specification).toContain(SIX);
      const decisions = readFileSync(DECISIONS, 'utf8');
      expect(decisions).toContain(EXTENSIONS);
      const [, listed = ''] =
        /^- Types: the six named, and (.*?)\. Test type `webhook\.test`/m.exec(decisions) ?? [];
      expect(new Set([...typesIn(SIX), ...inFull(listed)])).toEqual(new Set([...typesIn(SIX), ...specified]));
    },
  );

  test('are those that the specification lists, and the extensions: nothing is missing, nothing else is there', () => {
    expect(specified).toHaveLength(19);
    const wanted = new Set([...specified, ...typesIn(SIX), ...typesIn(EXTENSIONS), ...LATER]);
    expect(events.map(({ type }) => type).toSorted()).toEqual([...wanted].toSorted());
    expect(wanted.size).toBe(34);
  });

  test('are one list: of what is generated, of what can be subscribed to and changed to; a test can only be filtered by', () => {
    const types = events.map(({ type }) => type);
    const selectable = [...types, '*'];
    const inputs = inputSchemas(schema);
    expect(EVENT_TYPES).toEqual(types);
    expect(inputs.field('CreateWebhookEndpointInput', 'eventTypes').items?.enum).toEqual(selectable);
    expect(inputs.field('UpdateWebhookEndpointInput', 'eventTypes').items?.enum).toEqual(selectable);
    expect(inputs.args('Query.eventsFeed').properties?.types?.items?.enum).toEqual(types);
    expect(inputs.field('WebhookDeliveryFilter', 'eventType').enum).toEqual([...types, testType, null]);
    expect(testType).toBe('webhook.test');
    expect(Object.keys(schemas.$defs)).toEqual([...types, testType]);
  });

  test('each type and each of its fields is described, itself or by its interface', () => {
    const undescribed = events.flatMap(({ data }) =>
      [
        data.description,
        ...Object.keys(data.getFields()).map((name) => describingField(data, name)?.description),
      ]
        .filter((description) => !description)
        .map(() => data.name),
    );
    expect(undescribed).toEqual([]);
  });
});

describe('the examples', () => {
  const page = readFileSync(new URL('../../docs/guide/webhooks.md', import.meta.url), 'utf8');
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const anyOfThem = ajv.compile(schemas);

  test.each([...EVENT_TYPES, 'webhook.test' as const])(
    '%s has one, and it is as its JSON Schema says',
    (type) => {
      const example = eventExamples[type];
      expect(validateEvent(example)).toEqual([]);
      expect({ valid: anyOfThem(example), errors: anyOfThem.errors }).toEqual({
        valid: true,
        errors: null,
      });
      expect(anyOfThem({ ...example, type: 'points.lost' })).toBe(false);
      expect(page.includes(`\n### ${type}\n`)).toBe(true);
    },
  );

  test('what is not as the contract says is found', () => {
    const earned = eventExamples['points.earned'];
    const withData = (data: object) => ({ ...earned, data: { ...earned.data, ...data } });
    const { transactionId: _left, ...incomplete } = earned.data;
    for (const [message, fault] of [
      [{ ...earned, type: 'points.lost' }, 'no such type'],
      [{ ...earned, sequence: 0 }, '/sequence must be >= 1'],
      [{ ...earned, at: 'now' }, 'additional properties'],
      [{ ...earned, timestamp: 'today' }, '/timestamp must match format'],
      [{ ...earned, data: incomplete }, 'transactionId'],
      [withData({ points: '12' }), '/data/points must be integer'],
      [withData({ colour: 'red' }), 'additional properties'],
      [withData({ balances: { available: 1, pending: 0 } }), 'reserved'],
      [withData({ eventType: 'order.returned' }), '/data/eventType must be equal to one of'],
      [withData({ displayName: 'Ada' }), '/data/displayName is personal'],
      [withData({ sourceReference: 'ada@example.com' }), '/data/sourceReference is ada@example.com'],
      [withData({ sourceReference: 'whsec_C2FVsBQIhrscChlQIMV' }), '/data/sourceReference is whsec_'],
      [{ ...eventExamples['webhook.test'], data: { a: 1 } }, 'must NOT have more than 0'],
    ] as const) {
      expect(validateEvent(message).join('\n')).toContain(fault);
    }
  });

  test('receivers may get fields that they do not know yet', () => {
    const example = eventExamples['program.published'];
    expect(anyOfThem({ ...example, data: { ...example.data, later: true } })).toBe(true);
  });
});

test('clients find the types in the public schema, and no query reaches them', () => {
  const open = createPublicSchema(schema);
  const found = buildSchema(printSdl(open));
  for (const { type, data } of [...events, { type: '', data: eventContract(schema).envelope }]) {
    expect([type, found.getType(data.name)?.toString()]).toEqual([type, data.name]);
  }
  expect(printSdl(open)).toContain('@event(type: "points.earned")');
  const reached = new Set<string>();
  const visit = (name: string): void => {
    if (reached.has(name)) return;
    reached.add(name);
    const type = found.getType(name);
    if (!type || !('getFields' in type)) return;
    for (const field of Object.values(type.getFields())) visit(String(field.type).replaceAll(/[[\]!]/g, ''));
  };
  visit('Query');
  visit('Mutation');
  expect(reached).toContain('MemberResult');
  expect([...reached].filter((name) => /Event|Message/.test(name))).toEqual([]);
});
