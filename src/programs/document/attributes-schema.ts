import { Ajv2020, type ErrorObject, type Format, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import canonicalize from 'canonicalize';
import { childPath } from '../../http/json-path.ts';
import type { Detail } from '../../refusal.ts';
import { countValues } from './attribute-values.ts';

/** Most details of one refusal. They are enough to correct an event; a hostile event breaks thousands of rules. */
const MAX_DETAILS = 20;

/**
 * Attributes of at most so many characters (as JSON) and so many values are searched for every error. In larger ones
 * only the first error is named: under a schema with many alternatives there can be a hundred thousand.
 */
const MAX_EXAMINED = 4_096;
const MAX_EXAMINED_VALUES = 200;

/** Lists what is wrong with the attributes of an event; empty where they satisfy the schema. */
export type CheckAttributes = (attributes: object) => Detail[];

const compiled = new WeakMap<object, CheckAttributes>();

/**
 * Compiles the `attributesSchema` of an event definition: JSON Schema, draft 2020-12, strict, with formats, and without
 * references to anything outside of it. The same object is compiled once, and must not be changed afterwards.
 * @throws Error where it is not such a schema, which cannot happen with a checked document
 */
export function compileAttributesSchema(schema: Record<string, unknown>): CheckAttributes {
  let check = compiled.get(schema);
  if (!check) {
    const memory = new Memory();
    const first = compileSchema(schema, false, memory);
    let all: ValidateFunction | null = null;
    check = (attributes) => {
      try {
        if (first(attributes)) return [];
        if (isLarge(attributes)) return detailsOf(first.errors ?? []);
        all ??= compileSchema(schema, true, memory);
        all(attributes);
        return detailsOf(all.errors ?? []);
      } catch {
        // To compare an object with one of the schema the library calls its `valueOf`, which may be any value of the
        // event.
        return [{ path: 'attributes', message: 'cannot be compared with what the schema allows' }];
      } finally {
        memory.clear();
      }
    };
    compiled.set(schema, check);
  }
  return check;
}

function isLarge(attributes: object): boolean {
  return (
    countValues(attributes, MAX_EXAMINED_VALUES) > MAX_EXAMINED_VALUES ||
    JSON.stringify(attributes).length > MAX_EXAMINED
  );
}

// Every schema has its own Ajv: two schemas may have the same `$id`, and an Ajv never forgets the schemas it compiled.
function compileSchema(
  schema: Record<string, unknown>,
  allErrors: boolean,
  memory: Memory,
): ValidateFunction {
  const ajv = new Ajv2020({ allErrors, strict: true, strictTypes: false, strictRequired: false });
  addFormats.default(ajv);
  // The library's own `url` and `uniqueItems` take time quadratic in the event's size: minutes, while the writer waits.
  ajv.addFormat('url', isUrl);
  for (const [name, format] of Object.entries(ajv.formats)) {
    const judge = judgeOf(format);
    if (judge) ajv.addFormat(name, memory.once(judge));
  }
  ajv.removeKeyword('uniqueItems');
  const areUniqueOnce = memory.once(areUnique);
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have duplicate items' },
    validate: (unique: boolean, items: readonly unknown[]) => !unique || areUniqueOnce(items),
  });
  return ajv.compile(schema);
}

/**
 * Caches checks of the values of one event. A schema may check the format of one long text, or the uniqueness of one
 * long list, two hundred times: each is computed once.
 */
class Memory {
  readonly #judged: Map<unknown, boolean>[] = [];

  once<Value>(judge: (value: Value) => boolean): (value: Value) => boolean {
    const judged = new Map<Value, boolean>();
    this.#judged.push(judged);
    return (value) => {
      let verdict = judged.get(value);
      if (verdict === undefined) {
        verdict = judge(value);
        judged.set(value, verdict);
      }
      return verdict;
    };
  }

  clear(): void {
    for (const judged of this.#judged) judged.clear();
  }
}

/** A format of strings as a function; null for a format of numbers, which is cheap and needs no cache. */
function judgeOf(format: Format | undefined): ((text: string) => boolean) | null {
  if (format === undefined || format === true || typeof format === 'string') return null;
  if (format instanceof RegExp) return (text) => format.test(text);
  if (typeof format === 'function') return (text) => Boolean(format(text));
  return format.type === 'number' ? null : judgeOf(format.validate as Format);
}

function isUrl(text: string): boolean {
  return /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text);
}

function areUnique(items: readonly unknown[]): boolean {
  return new Set(items.map((item) => canonicalize(item))).size === items.length;
}

function detailsOf(errors: readonly ErrorObject[]): Detail[] {
  const messages = new Map<string, string>();
  for (const error of errors) {
    if (messages.size === MAX_DETAILS) break;
    const path = pathOf(error);
    if (!messages.has(path)) messages.set(path, error.message ?? 'is not what the event definition asks for');
  }
  return Array.from(messages, ([path, message]) => ({ path, message }));
}

function pathOf({ instancePath, params }: ErrorObject): string {
  let path = 'attributes';
  for (const step of instancePath.split('/').slice(1)) {
    path = childPath(
      path,
      /^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~'),
    );
  }
  const { missingProperty, additionalProperty, unevaluatedProperty }: Record<string, unknown> = params;
  const last = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  return last === undefined ? path : childPath(path, String(last));
}
