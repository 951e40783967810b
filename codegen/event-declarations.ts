import type { GraphQLSchema } from 'graphql';
import { dataSchema, messageSchemas } from './event-schemas.ts';
import { eventContract } from './event-types.ts';
import type { JsonSchema } from './json-schema.ts';

/**
 * The source of src/contract/generated/webhook-events.ts: the list of event types, and what receivers get, as types of
 * TypeScript. Receivers take the file as it is, so it imports nothing.
 */
export function printEventDeclarations(schema: GraphQLSchema): string {
  const { events, envelope, testType } = eventContract(schema);
  const { properties = {} } = dataSchema(envelope, schema);
  const { description: aboutTest } = messageSchemas(schema).get(testType) ?? {};
  const ownTypes: Readonly<Record<string, string>> = { type: 'Type', data: 'EventData[Type]' };
  return [
    '// Generated from schema.graphql. Do not edit.',
    '',
    '/** Every type of event that an endpoint can subscribe to. */',
    'export const EVENT_TYPES = [',
    ...events.map(({ type }) => `  '${type}',`),
    '] as const;',
    '',
    'export type WebhookEventType = (typeof EVENT_TYPES)[number];',
    '',
    ...events.flatMap(({ data }) => [
      ...comment(data.description ?? '', ''),
      `export interface ${data.name} ${printObject(dataSchema(data, schema), '')}`,
      '',
    ]),
    '/** What the messages of each type have in `data`. */',
    'export interface EventData {',
    ...events.map(({ type, data }) => `  '${type}': ${data.name};`),
    ...comment(aboutTest ?? '', '  '),
    `  '${testType}': Record<string, never>;`,
    '}',
    '',
    '/** The message of one type. */',
    'export interface MessageOf<Type extends keyof EventData> {',
    ...Object.entries(properties).flatMap(([name, { description = '', ...property }]) => [
      ...comment(description, '  '),
      `  ${name}: ${ownTypes[name] ?? printType(property, '  ')};`,
    ]),
    '}',
    '',
    ...comment(`${envelope.description ?? ''} Its \`type\` tells the \`data\`.`, ''),
    'export type WebhookMessage = { [Type in keyof EventData]: MessageOf<Type> }[keyof EventData];',
    '',
  ].join('\n');
}

function printObject({ properties = {}, required = [] }: JsonSchema, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).flatMap(([name, { description = '', ...property }]) => [
    ...comment(description, inner),
    `${inner}${name}${required.includes(name) ? '' : '?'}: ${printType(property, inner)};`,
  ]);
  return ['{', ...lines, `${indent}}`].join('\n');
}

function printType(schema: JsonSchema, indent: string): string {
  if (schema.enum) return schema.enum.map((value) => literal(value)).join(' | ');
  return [schema.type ?? []]
    .flat()
    .map((type) => printNamed(type, schema, indent))
    .join(' | ');
}

function printNamed(type: string, schema: JsonSchema, indent: string): string {
  if (type === 'object') return printObject(schema, indent);
  if (type === 'array') return `(${printType(schema.items ?? {}, indent)})[]`;
  return type === 'integer' ? 'number' : type;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function comment(text: string, indent: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.length === 1) return [`${indent}/** ${text} */`];
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`];
}
