import type { Condition } from '../../../src/programs/document/document-values.ts';
import { fullDays, wallClock } from './calendar.ts';
import { type Facts, stranger } from './situation.ts';

/** Whether a list of conditions matches: all of them, or any. */
export function matches(
  { match, conditions }: { match: 'all' | 'any'; conditions: readonly Condition[] },
  facts: Facts,
): boolean {
  let held = 0;
  for (const condition of conditions) if (holds(condition, facts)) held += 1;
  return match === 'all' ? held === conditions.length : held > 0;
}

/** Whether the member is in at least one of the audiences; true for everyone where none are named. */
export function isFor(audiences: readonly string[] | undefined, facts: Facts): boolean {
  if (audiences === undefined) return true;
  const all = facts.program.audiences ?? [];
  return all.some((audience) => audiences.includes(audience.id) && matches(audience, facts));
}

function holds({ field, operator, value }: Condition, facts: Facts): boolean {
  const values = valuesOf(field, facts);
  const list = Array.isArray(value) ? value : [value];
  const some = (test: (order: number) => boolean) =>
    values.some((one) => {
      const order = orderOf(one, value);
      return order !== null && test(order);
    });
  switch (operator) {
    case 'equals':
      return values.includes(value);
    case 'not_equals':
      return !values.includes(value);
    case 'in':
      return list.some((one) => values.includes(one));
    case 'not_in':
      return !list.some((one) => values.includes(one));
    case 'gt':
      return some((order) => order === 1);
    case 'gte':
      return some((order) => order !== -1);
    case 'lt':
      return some((order) => order === -1);
    case 'lte':
      return some((order) => order !== 1);
    case 'between':
      return values.some(
        (one) => [0, 1].includes(orderOf(one, list[0]) ?? 2) && [0, -1].includes(orderOf(one, list[1]) ?? 2),
      );
    case 'exists':
      return value === values.length > 0;
  }
}

/** -1 below, 0 the same, 1 above; null across types. */
function orderOf(one: unknown, bound: unknown): -1 | 0 | 1 | null {
  const numbers = typeof one === 'number' && typeof bound === 'number';
  const texts = typeof one === 'string' && typeof bound === 'string';
  if (!numbers && !texts) return null;
  if (one === bound) return 0;
  const [first] = numbers ? [one, bound].sort((a, b) => Number(a) - Number(b)) : [one, bound].sort();
  return first === one ? -1 : 1;
}

/** The values of a field: none where it is absent, several for a field of the items, tags and lists. */
function valuesOf(field: string, facts: Facts): unknown[] {
  const { program, purchase, profile, evaluationAt, member = stranger } = facts;
  const dot = field.indexOf('.');
  const section = field.slice(0, dot);
  const name = field.slice(dot + 1);
  switch (section) {
    case 'purchase':
      return purchase ? named({ ...purchase, currency: purchase.currency ?? program.currency }, name) : [];
    case 'items':
      return (purchase?.items ?? []).flatMap((line) => {
        const values = named(line, name);
        return name === 'quantity' && values.length === 0 ? [1] : values;
      });
    case 'attributes':
      return named(purchase?.attributes ?? {}, name);
    case 'profile':
      return named(profile, name);
    case 'history':
      return named(
        {
          ...member,
          daysSinceFirstPurchase: fullDays(member.firstPurchaseAt, evaluationAt),
          daysSinceLastPurchase: fullDays(member.lastPurchaseAt, evaluationAt),
        },
        name,
      );
    case 'member':
      return name === 'tags' ? [...member.tags] : [...member.lists];
    case 'time':
      return named(wallClock(evaluationAt, program.timeZone ?? 'UTC'), name);
    default:
      throw new Error(`not covered: ${field}`);
  }
}

function named(from: object, name: string): unknown[] {
  const value = Object.entries(from).find(([key]) => key === name)?.[1];
  return value === undefined || value === null ? [] : [value];
}
