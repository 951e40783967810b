import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { normalizeDateTime } from '../../contract/date-time.ts';
import { childPath } from '../../http/json-path.ts';
import { didYouMean, nearestNames } from '../../programs/document/nearest-name.ts';
import type { Detail } from '../../refusal.ts';
import schemas from '../generated/input-schemas.json' with { type: 'json' };

/** Enough to correct an input; a hostile one can break thousands of rules. */
const MAX_DETAILS = 20;

/** Finds what is wrong with a value. @returns empty if it satisfies its schema */
export type Validate = (value: unknown) => Detail[];

const valid: Detail[] = [];

const ajv = new Ajv({ allErrors: true, verbose: true, strict: true, strictTypes: false });
addFormats.default(ajv, ['email']);
// Parsed as the scalar DateTime parses it, so that both accept the same values.
ajv.addFormat('date-time', (text) => normalizeDateTime(text) !== null);
ajv.addVocabulary(['x-message']);

/**
 * The same schema, but the items of a list that is too long are not validated: 60,000 of them fit in a body, and
 * the errors of each would take longer than the rest of the request.
 */
function sparingTooLong(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(sparingTooLong);
  if (typeof schema !== 'object' || schema === null) return schema;
  const spared = Object.fromEntries(
    Object.entries(schema).map(([name, member]) => [name, sparingTooLong(member)]),
  );
  const { items, maxItems } = spared;
  if (typeof maxItems !== 'number' || typeof items !== 'object') return spared;
  delete spared.items;
  // biome-ignore lint/suspicious/noThenProperty: the keyword's name
  return { ...spared, if: { maxItems }, then: { items } };
}

/**
 * A JSON Schema of the contract as a function. It is compiled at its first call, which takes milliseconds: there are
 * several hundred of them, of which a process uses few.
 * @param suggests whether a detail about an unknown property names those that may have been meant
 */
export function compileSchema(schema: object, suggests = true): Validate {
  let validate: ValidateFunction | null = null;
  return (value) => {
    validate ??= ajv.compile(sparingTooLong(schema) as object);
    return validate(value) ? valid : toDetails(validate.errors ?? [], suggests);
  };
}

const validators = new Map(
  // GraphQL names nothing of the schema in Production, and its own validation finds unknown fields before.
  Object.entries(schemas).map(([name, schema]) => [name, compileSchema(schema, false)]),
);

/**
 * Validates an input against the constraints of schema.graphql, in addition to its types.
 * @param typeName an input type such as `PurchaseEarnInput`, or the arguments of a query, `Query.member`
 * @returns one detail for each path that breaks a rule, at most 20, paths relative to the input
 * @throws Error for a name that the contract does not have
 */
export function validateInput(typeName: string, value: unknown): Detail[] {
  const validate = validators.get(typeName);
  if (!validate) throw new Error(`The contract has no input type ${typeName}`);
  return validate(value);
}

/** Whether the contract has an input type, or arguments, of this name. */
export function hasInput(typeName: string): boolean {
  return validators.has(typeName);
}

/** Unknown properties come first: one that is misspelled is the reason why another one is missing. */
function toDetails(errors: ErrorObject[], suggests: boolean): Detail[] {
  const messages = new Map<string, string>();
  const [unknown = [], others = []] = [true, false].map((wanted) =>
    errors.filter(({ keyword }) => (keyword === 'additionalProperties') === wanted),
  );
  for (const error of [...unknown, ...others]) {
    if (messages.size === MAX_DETAILS) break;
    const message = messageOf(error, suggests);
    if (message === null) continue;
    const path = pathOf(error);
    if (!messages.has(path)) messages.set(path, message);
  }
  return Array.from(messages, ([path, message]) => ({ path, message }));
}

/** Ajv's JSON pointer as a path. No object of the contract has a name of digits, so such a step is an index. */
function pathOf(error: ErrorObject): string {
  let path = '';
  for (const step of error.instancePath.split('/').slice(1)) {
    path = childPath(
      path,
      /^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~'),
    );
  }
  const { missingProperty, additionalProperty }: Record<string, unknown> = error.params;
  const last = missingProperty ?? additionalProperty;
  return last === undefined ? path : childPath(path, String(last));
}

/** A message that suits REST and GraphQL, or null for an error that only repeats another. */
function messageOf(error: ErrorObject, suggests: boolean): string | null {
  const { keyword, params, parentSchema, message = '' } = error;
  switch (keyword) {
    case 'if':
      return null;
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return `is not a known property${suggests ? meant(error) : ''}`;
    case 'type':
      return typeMessage([params.type as string | string[]].flat(), error);
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).filter((value) => value !== null).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case 'minimum':
      return `must be at least ${params.limit}`;
    case 'maximum':
      return `must be at most ${params.limit}`;
    case 'minItems':
    case 'minProperties':
    case 'minLength':
      return `must have at least ${quantity(params.limit as number, keyword)}`;
    case 'maxItems':
    case 'maxProperties':
    case 'maxLength':
      return `must have at most ${quantity(params.limit as number, keyword)}`;
    case 'not':
    case 'pattern':
      return (parentSchema?.['x-message'] as string | undefined) ?? `must match ${params.pattern}`;
    case 'format':
      return params.format === 'email'
        ? 'must be an email address'
        : `must be an RFC 3339 date-time with a time zone, such as 2026-01-31T12:00:00Z${dateTimeHint(error.data)}`;
    default:
      return message;
  }
}

/** The property that somebody probably meant by an unknown one, as a question; empty where none is near. */
function meant({ params, parentSchema }: ErrorObject): string {
  const propertyNames = Object.keys((parentSchema?.properties as object | undefined) ?? {});
  const question = didYouMean(nearestNames(String(params.additionalProperty), propertyNames));
  return question && ` (${question})`;
}

/** What two common mistakes in a date-time are. */
function dateTimeHint(value: unknown): string {
  if (typeof value !== 'string') return '';
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return ` (a date alone is not enough: ${value}T00:00:00Z)`;
  return /T[\d:.]+ \d\d:\d\d$/.test(value) ? ' (in a query, + is a space: send %2B)' : '';
}

function typeMessage(types: string[], { data, instancePath }: ErrorObject): string {
  const type = types.find((candidate) => candidate !== 'null') ?? 'null';
  if (type === 'integer' && instancePath.endsWith('Minor')) {
    const hint = typeof data === 'string' ? ', not a string' : '';
    return `must be an integer in minor units, such as 1250 for 12.50${hint}`;
  }
  return `must be ${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;
}

function quantity(count: number, keyword: string): string {
  const noun = keyword.endsWith('Length') ? 'character' : keyword.endsWith('Items') ? 'item' : 'propert';
  if (noun === 'propert') return `${count} propert${count === 1 ? 'y' : 'ies'}`;
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
