import {
  type ConditionContext,
  type FieldType,
  fieldsOf,
  fieldType,
  isFieldOf,
} from '../document/condition-fields.ts';
import type { DocumentProblem } from '../document/document-problem.ts';
import type { Condition, ConditionScalar } from '../document/document-values.ts';
import { suggestion } from '../document/nearest-name.ts';

/**
 * Checks what the JSON Schema cannot say of a condition: that its field is allowed in its place, and that operator and
 * value fit the type of the field.
 * @param tierIds of the document
 * @returns problems with paths that begin at the condition
 */
export function checkCondition(
  condition: Condition,
  context: ConditionContext,
  tierIds: ReadonlySet<string>,
): DocumentProblem[] {
  const type = fieldType(condition.field);
  if (!type) return [{ path: ['field'], message: 'is no field of conditions' }];
  if (!isFieldOf(context, condition.field)) {
    return [
      {
        path: ['field'],
        message: `cannot be looked at here; it must be ${fieldInContext(condition.field, context)}`,
      },
    ];
  }
  const { operator, value } = condition;
  switch (operator) {
    case 'exists':
      return typeof value === 'boolean' ? [] : [atValue('exists takes true or false')];
    case 'in':
    case 'not_in':
      if (!Array.isArray(value)) return [atValue(`${operator} takes a list`)];
      return [...checkScalars(value, type, tierIds), ...checkDistinct(value)];
    case 'between':
      return checkBetween(value, type, tierIds);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      if (Array.isArray(value)) return [atValue(`${operator} takes one value, not a list`)];
      return ordered(value, type) ? checkScalars(value, type, tierIds) : [notOrdered(operator, type)];
    case 'equals':
    case 'not_equals':
      if (Array.isArray(value)) {
        return [atValue(`${operator} takes one value; a list goes with in and not_in`)];
      }
      return checkScalars(value, type, tierIds);
  }
}

/** What a field can be in a context, with the one that was probably meant: for messages. */
export function fieldInContext(value: unknown, context: ConditionContext): string {
  const names = fieldsOf(context);
  return `one of ${names.join(', ')}${suggestion(value, names)}`;
}

function checkBetween(
  value: Condition['value'],
  type: FieldType,
  tierIds: ReadonlySet<string>,
): DocumentProblem[] {
  const [low, high, more] = Array.isArray(value) ? value : [];
  if (low === undefined || high === undefined || more !== undefined) {
    return [atValue('between takes a list of two values, [low, high]')];
  }
  if (!ordered(low, type) || typeof low !== typeof high) return [notOrdered('between', type)];
  const problems = checkScalars([low, high], type, tierIds);
  if (problems.length === 0 && low > high) problems.push(atValue('the first value is above the second'));
  return problems;
}

function checkScalars(
  value: Condition['value'],
  type: FieldType,
  tierIds: ReadonlySet<string>,
): DocumentProblem[] {
  if (!Array.isArray(value)) {
    const message = wrongScalar(value, type, tierIds);
    return message ? [atValue(message)] : [];
  }
  return value.flatMap((scalar, index) => {
    const message = wrongScalar(scalar, type, tierIds);
    return message ? [{ path: ['value', index], message }] : [];
  });
}

function wrongScalar(value: ConditionScalar, type: FieldType, tierIds: ReadonlySet<string>): string | null {
  switch (type.kind) {
    case 'integer':
      return Number.isInteger(value) && Number(value) >= type.min && Number(value) <= type.max
        ? null
        : `must be an integer from ${type.min} to ${type.max}`;
    case 'string':
      return typeof value === 'string' ? null : 'must be a string; put it in quotes';
    case 'choice':
      return type.choices.includes(String(value))
        ? null
        : `must be one of ${type.choices.join(', ')}${suggestion(value, type.choices)}`;
    case 'tier':
      return tierIds.has(String(value))
        ? null
        : `must be a tier of this document: ${[...tierIds].join(', ')}${suggestion(value, [...tierIds])}`;
    case 'date':
      return isDate(value) ? null : 'must be a date from the year 1900 on, YYYY-MM-DD';
    case 'any':
      return null;
  }
}

/** An earlier date is taken for a typing error, such as 0026 for 2026. */
const EARLIEST_DATE = '1900-01-01';

function isDate(value: ConditionScalar): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value) || value < EARLIEST_DATE) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

function checkDistinct(values: readonly ConditionScalar[]): DocumentProblem[] {
  const seenValues = new Set<ConditionScalar>();
  return values.flatMap((value, index) => {
    if (seenValues.has(value)) return [{ path: ['value', index], message: 'stands in the list twice' }];
    seenValues.add(value);
    return [];
  });
}

/** Whether the field's values have an order, so that gt, gte, lt, lte and between make sense. */
function ordered(value: ConditionScalar, type: FieldType): boolean {
  if (type.kind === 'any') return typeof value !== 'boolean';
  return type.kind === 'integer' || type.kind === 'date';
}

function notOrdered(operator: string, type: FieldType): DocumentProblem {
  return type.kind === 'any'
    ? atValue(`${operator} takes numbers, or strings that are compared as text`)
    : { path: ['operator'], message: `${operator} needs a number or a date; this field has neither` };
}

function atValue(message: string): DocumentProblem {
  return { path: ['value'], message };
}
