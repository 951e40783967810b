import type { ProgramDocument } from '../programs/document/program-document.ts';

/** What the conditions of a program's document compare a field with. */
interface Compared {
  values: Set<unknown>;
  /** Whether some condition asks whether the field is more or less than a text, that is, a date. */
  ordered: boolean;
}

const ORDERED: ReadonlySet<unknown> = new Set(['gt', 'gte', 'lt', 'lte', 'between']);

/** By the name of the field, such as `attributes.store` or `member.tags`. */
export type ConditionValues = ReadonlyMap<string, Compared>;

/** Collects what all conditions of a document read, wherever in the document they stand. */
export function conditionValuesOf(document: ProgramDocument): ConditionValues {
  const found = new Map<string, Compared>();
  collect(document, found);
  return found;
}

function collect(part: unknown, found: Map<string, Compared>): void {
  if (Array.isArray(part)) {
    for (const item of part) collect(item, found);
    return;
  }
  if (typeof part !== 'object' || part === null) return;
  const { field, operator, value } = part as { field?: unknown; operator?: unknown; value?: unknown };
  if (typeof field === 'string' && typeof operator === 'string') {
    const compared = found.get(field) ?? { values: new Set(), ordered: false };
    const values: unknown[] = Array.isArray(value) ? value : [value];
    for (const item of values) compared.values.add(item);
    if (ORDERED.has(operator) && values.some((item) => typeof item === 'string')) compared.ordered = true;
    found.set(field, compared);
  }
  for (const item of Object.values(part)) collect(item, found);
}
