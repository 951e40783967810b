import type { ProgramDocument } from '../programs/document/program-document.ts';

/** What the conditions of a program's document compare each field with, such as `attributes.store` or `member.tags`. */
export type ConditionValues = ReadonlyMap<string, ReadonlySet<unknown>>;

/** Collects the values of all conditions of a document, wherever in the document they stand. */
export function conditionValuesOf(document: ProgramDocument): ConditionValues {
  const valuesByField = new Map<string, Set<unknown>>();
  collect(document, valuesByField);
  return valuesByField;
}

function collect(part: unknown, valuesByField: Map<string, Set<unknown>>): void {
  if (Array.isArray(part)) {
    for (const item of part) collect(item, valuesByField);
    return;
  }
  if (typeof part !== 'object' || part === null) return;
  const { field, operator, value } = part as { field?: unknown; operator?: unknown; value?: unknown };
  if (typeof field === 'string' && typeof operator === 'string') {
    const values = valuesByField.get(field) ?? new Set();
    for (const item of Array.isArray(value) ? value : [value]) values.add(item);
    valuesByField.set(field, values);
  }
  for (const item of Object.values(part)) collect(item, valuesByField);
}
