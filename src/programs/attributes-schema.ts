import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { childPath } from '../http/json-path.ts';
import type { Detail } from '../refusal.ts';

/** Enough to mend an event by; a hostile one breaks thousands of rules. */
const MAX_DETAILS = 20;

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
    // Each in a home of its own: two schemas may have one `$id`, and what is not used any more is forgotten.
    const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false });
    addFormats.default(ajv);
    const validate = ajv.compile(schema);
    check = (attributes) => (validate(attributes) ? [] : detailsOf(validate.errors ?? []));
    compiled.set(schema, check);
  }
  return check;
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
