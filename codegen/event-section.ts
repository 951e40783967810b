import {
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isInterfaceType,
} from 'graphql';
import { dataSchema } from './event-schemas.ts';
import { eventContract } from './event-types.ts';
import { eventExamples } from './examples/event-examples.ts';
import type { JsonSchema } from './json-schema.ts';

const BEGIN =
  '<!-- Generated from schema.graphql and codegen/examples/event-examples.ts: npm run generate. -->';
const END = '<!-- The end of what is generated. -->';
/** Most characters of a line of an example. */
const WIDTH = 120;

/**
 * docs/guide/webhooks.md with its generated part as the contract has it now: the fields and an example of every event.
 * @param page its text
 * @throws Error where it has no place for that part
 */
export function withEventSection(page: string, schema: GraphQLSchema): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined)
    throw new Error('docs/guide/webhooks.md has no generated part');
  return `${before}${BEGIN}\n\n${printSection(schema)}\n${END}${after}`;
}

function printSection(schema: GraphQLSchema): string {
  const { events, testType } = eventContract(schema);
  const shared = Object.values(schema.getTypeMap())
    .filter(isInterfaceType)
    .filter((each) => events.some(({ data }) => data.getInterfaces().includes(each)));
  return [
    ...shared.map(
      (each) => `${wrap(each.description?.replace(/\.$/, ':') ?? '')}\n\n${printFields(each, schema)}\n`,
    ),
    ...events.map(({ type, data }) => printEvent(type, data, schema)),
    [`### ${testType}`, '', 'A test that was asked for.', '', printExample(testType)].join('\n'),
  ].join('\n');
}

function printEvent(type: string, data: GraphQLObjectType, schema: GraphQLSchema): string {
  const fields = printFields(data, schema);
  const shared = data
    .getInterfaces()
    .at(-1)
    ?.description?.replace(/^What (.*)\.$/, 'what $1');
  const has = shared && (fields ? `Besides ${shared}:` : `It has ${shared}.`);
  return [
    `### ${type}`,
    '',
    wrap(data.description ?? ''),
    '',
    ...(has ? [wrap(has), ''] : []),
    ...(fields ? [fields, ''] : []),
    printExample(type),
  ].join('\n');
}

/** A paragraph in lines of at most 120 characters, whatever lines it had. */
function wrap(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}

function printExample(type: string): string {
  return ['```json', printJson(eventExamples[type as keyof typeof eventExamples]), '```', ''].join('\n');
}

/** A table of the fields that a type does not have from an interface; empty where it has no others. */
function printFields(type: GraphQLObjectType | GraphQLInterfaceType, schema: GraphQLSchema): string {
  const shared = new Set(type.getInterfaces().flatMap((each) => Object.keys(each.getFields())));
  const { properties = {}, required = [] } = dataSchema(type, schema);
  const rows = Object.entries(properties)
    .filter(([name]) => !shared.has(name))
    .map(([name, property]) => `| \`${name}\` | ${meaning(property, required.includes(name))} |`);
  return rows.length > 0 ? ['| field | |', '| --- | --- |', ...rows].join('\n') : '';
}

function meaning({ description, enum: values, properties }: JsonSchema, always: boolean): string {
  return [
    description?.replaceAll('\n', ' '),
    values && `One of ${values.map((value) => `\`${value}\``).join(', ')}.`,
    properties &&
      `It has ${Object.keys(properties)
        .map((name) => `\`${name}\``)
        .join(', ')}.`,
    always ? undefined : 'Null or absent where there is none.',
  ]
    .filter((part) => part !== undefined)
    .join(' ');
}

/** A value as JSON, with line breaks after members so that no line is long. */
function printJson(value: unknown): string {
  const lines: string[] = [];
  let line = '';
  for (const part of JSON.stringify(value).split(/(?<=,)(?=")/)) {
    if (line.length + part.length > WIDTH) {
      lines.push(line);
      line = ` ${part}`;
    } else line += part;
  }
  return [...lines, line].join('\n');
}
