import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import canonicalize from 'canonicalize';
import { childPath } from '../http/json-path.ts';
import type { Detail } from '../refusal.ts';

/** Enough to mend an event by; a hostile one breaks thousands of rules. */
const MAX_DETAILS = 20;

/**
 * Characters of attributes, as JSON, up to which everything wrong is looked for. Of a larger event the first is named:
 * all of it, under a schema with many alternatives, would be millions of errors.
 */
const MAX_EXAMINED = 4_096;

/** Names what is wrong with the attributes of an event: nothing where they satisfy the schema. */
export type CheckAttributes = (attributes: object) => Detail[];

const compiled = new WeakMap<object, CheckAttributes>();

/**
 * Compiles the `attributesSchema` of an event definition: JSON Schema, draft 2020-12, strict, with formats; it cannot
 * refer out of itself. The same object is compiled once, and must not be changed afterwards.
 * @throws Error where it is no such schema: a checked document's is one
 */
export function compileAttributesSchema(schema: Record<string, unknown>): CheckAttributes {
  let check = compiled.get(schema);
  if (!check) {
    const first = compileSchema(schema, false);
    let all: ValidateFunction | null = null;
    check = (attributes) => {
      try {
        if (first(attributes)) return [];
        if (JSON.stringify(attributes).length > MAX_EXAMINED) return detailsOf(first.errors ?? []);
        all ??= compileSchema(schema, true);
        all(attributes);
        return detailsOf(all.errors ?? []);
      } catch {
        // Where the library compares an object with one of the schema it calls the object's own `valueOf`, whatever that is.
        return [{ path: 'attributes', message: 'cannot be compared with what the schema allows' }];
      }
    };
    compiled.set(schema, check);
  }
  return check;
}

// Each in a home of its own: two schemas may have one `$id`, and what is not used any more is forgotten.
function compileSchema(schema: Record<string, unknown>, allErrors: boolean): ValidateFunction {
  const ajv = new Ajv2020({ allErrors, strict: true, strictTypes: false, strictRequired: false });
  addFormats.default(ajv);
  // The library's own two take a time that grows with the square of the event: minutes, while the writer waits.
  ajv.addFormat('url', isUrl);
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have duplicate items' },
    validate: (unique: boolean, items: readonly unknown[]) => !unique || areUnique(items),
  });
  return ajv.compile(schema);
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
