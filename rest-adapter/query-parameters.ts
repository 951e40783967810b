import type { Detail } from './host.ts';
import { percentDecode } from './percent-decode.ts';

/** The query parameters of a route as the schema of an object: a property for each parameter. */
export interface QuerySchema {
  properties: Readonly<Record<string, { type?: unknown }>>;
}

/** The values of a query string by parameter name, and what is wrong with it. */
export interface ReadQuery {
  values: Record<string, unknown>;
  details: Detail[];
}

/** Most characters of an unknown parameter's name that an error repeats. */
const NAME_SHOWN = 100;

const integerText = /^(?:0|-?[1-9]\d{0,15})$/;

/**
 * Reads a query string, in which `+` means a space and a list is separated by commas. A value that should be a number
 * and is not stays text, which its schema refuses. `details` name unknown, repeated and wrongly encoded parameters.
 * @param query what follows the question mark
 * @param schema null where the route takes no parameter
 */
export function readQuery(query: string, schema: QuerySchema | null): ReadQuery {
  const values: Record<string, unknown> = {};
  const details: Detail[] = [];
  if (query === '') return { values, details };
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equalsAt = pair.indexOf('=');
    const encodedName = equalsAt === -1 ? pair : pair.slice(0, equalsAt);
    const name = decode(encodedName);
    if (name === null) {
      details.push({ path: encodedName.slice(0, NAME_SHOWN), message: 'is not percent-encoded UTF-8' });
    } else if (!schema || !Object.hasOwn(schema.properties, name)) {
      details.push({ path: name.slice(0, NAME_SHOWN), message: 'is not a known parameter' });
    } else if (Object.hasOwn(values, name)) {
      details.push({ path: name, message: 'must be given once' });
    } else {
      const text = equalsAt === -1 ? '' : decode(pair.slice(equalsAt + 1));
      if (text === null) details.push({ path: name, message: 'is not percent-encoded UTF-8' });
      values[name] = text === null ? text : parse(text, schema.properties[name]?.type);
    }
  }
  return { values, details };
}

/**
 * Puts the values of query parameters into the variables of the operation.
 * @param paths for each parameter its path in the variables: the name of an argument, or `argument.field`
 * @param variables changed: the values are added
 */
export function placeQuery(
  values: Readonly<Record<string, unknown>>,
  paths: Readonly<Record<string, string>>,
  variables: Record<string, unknown>,
): void {
  for (const [name, path] of Object.entries(paths)) {
    if (!Object.hasOwn(values, name)) continue;
    const [argument = '', field] = path.split('.');
    if (field === undefined) variables[argument] = values[name];
    else variables[argument] = { ...(variables[argument] as object | undefined), [field]: values[name] };
  }
}

function decode(text: string): string | null {
  return percentDecode(text.replaceAll('+', ' '));
}

function parse(text: string, type: unknown): unknown {
  if (type === 'array') return text === '' ? [] : text.split(',');
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return type === 'integer' ? parseInteger(text) : text;
}

/** A whole number, or the text where it is none that can be represented: its schema refuses it then. */
export function parseInteger(text: string): number | string {
  if (!integerText.test(text)) return text;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}
