import type { Detail } from '../refusal.ts';

/** The arguments of one `@constraint` directive, as schema.graphql declares them. */
export interface Constraint {
  min?: number;
  max?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
}

/** Says what is wrong with a value that is not null, or nothing. */
export type ArgumentCheck = (value: unknown) => string | null;

/** The named formats that a root field's own argument may have; those of input types are in their JSON Schemas. */
const formats: Readonly<Record<string, { matches: RegExp; message: string }>> = {
  merchantId: {
    matches: /^(?=.{1,200}$)[^\s\p{Cc}](?:[^\p{Cc}]*[^\s\p{Cc}])?$/u,
    message: 'must be 1 to 200 characters, without control characters and without a space at either end',
  },
  idempotencyKey: {
    matches: /^[\x21-\x7e]{1,255}$/,
    message: 'must be 1 to 255 visible ASCII characters',
  },
  currency: { matches: /^[A-Z]{3}$/, message: 'must be an ISO 4217 code' },
};

/**
 * Compiles the `@constraint` of an argument into one check.
 * @param constraint the directive's arguments
 * @param where the argument's place in the schema, for the error
 * @throws Error at boot where the schema asks for a rule that arguments do not have
 */
export function compileConstraint(constraint: Constraint, where: string): ArgumentCheck {
  const checks: ArgumentCheck[] = [];
  for (const [rule, bound] of Object.entries(constraint)) checks.push(compileRule(rule, bound, where));
  return (value) => {
    for (const check of checks) {
      const wrong = check(value);
      if (wrong !== null) return wrong;
    }
    return null;
  };
}

/** Checks a field's arguments. @returns one detail for each argument that breaks a rule */
export function violatedArguments(
  checks: ReadonlyArray<readonly [name: string, check: ArgumentCheck]>,
  values: Readonly<Record<string, unknown>>,
): Detail[] {
  const details: Detail[] = [];
  for (const [name, check] of checks) {
    const value = values[name];
    if (value === undefined || value === null) continue;
    const message = check(value);
    if (message !== null) details.push({ path: name, message });
  }
  return details;
}

function compileRule(rule: string, bound: unknown, where: string): ArgumentCheck {
  if (typeof bound === 'number') {
    switch (rule) {
      case 'min':
        return (value) => (typeof value === 'number' && value < bound ? `must be at least ${bound}` : null);
      case 'max':
        return (value) => (typeof value === 'number' && value > bound ? `must be at most ${bound}` : null);
      case 'minLength':
        return (value) => (lengthOf(value) < bound ? `must have at least ${bound} characters` : null);
      case 'maxLength':
        return (value) => (lengthOf(value) > bound ? `must have at most ${bound} characters` : null);
      case 'minItems':
        return (value) =>
          Array.isArray(value) && value.length < bound ? `must have at least ${bound} items` : null;
      case 'maxItems':
        return (value) =>
          Array.isArray(value) && value.length > bound ? `must have at most ${bound} items` : null;
    }
  }
  if (rule === 'pattern' && typeof bound === 'string') {
    const pattern = new RegExp(`^(?:${bound})$`, 'u');
    return (value) => (pattern.test(String(value)) ? null : `must match ${bound}`);
  }
  const format = rule === 'format' ? formats[String(bound)] : undefined;
  if (format) return (value) => (format.matches.test(String(value)) ? null : format.message);
  throw new Error(`${where}: an argument cannot be constrained by ${rule}: ${String(bound)}`);
}

/** Length in Unicode code points. */
function lengthOf(value: unknown): number {
  let count = 0;
  for (const _codePoint of String(value)) count += 1;
  return count;
}
