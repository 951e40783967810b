import canonicalize from 'canonicalize';
import { type DocumentPath, formatPath } from './document-problem.ts';
import type { ProgramDocument } from './program-document.ts';

/** One thing that differs between two documents of a program. */
export interface ProgramChange {
  /** Top-level property, such as `campaigns`; `earn.rules` for the earn rules. */
  section: string;
  /** Id of the entry, in a section that is a list; null for other sections. */
  id: string | null;
  /** What happened to the value at `path`. Only earn rules can be moved: their order matters. */
  change: 'added' | 'removed' | 'changed' | 'moved';
  /** Path within the entry or section, such as `award.bonusPoints`. Empty for the whole entry or section. */
  path: string;
  /** Absent where the value was added. */
  before?: unknown;
  /** Absent where the value was removed. */
  after?: unknown;
}

type Entry = Readonly<Record<string, unknown>>;

/** Sections that are lists, and the property that identifies their entries. */
const lists = new Map([
  ['earn.rules', 'id'],
  ['tiers', 'id'],
  ['rewards', 'id'],
  ['audiences', 'id'],
  ['campaigns', 'id'],
  ['coupons', 'code'],
  ['eventDefinitions', 'type'],
  ['challenges', 'id'],
  ['choiceSets', 'id'],
  ['offers', 'id'],
]);

/**
 * Compares two documents of one program as they are written: a default that is spelt out counts as added. The order of
 * keys, conditions, plain lists and entries is ignored, except the order of the earn rules.
 * @returns the changes, section by section in the order of the first document; empty where both documents mean the same
 */
export function diffProgram(before: ProgramDocument, after: ProgramDocument): ProgramChange[] {
  const [was, is] = [sectionsOf(before), sectionsOf(after)];
  return allNames(Object.keys(was), Object.keys(is)).flatMap((section) => {
    const key = lists.get(section);
    return key === undefined
      ? diffValue({ section, id: null }, [], was[section], is[section])
      : diffEntries(section, key, was[section], is[section]);
  });
}

/** The sections of a document, with the earn rules as a section at the top level. */
function sectionsOf({ earn, ...others }: ProgramDocument): Entry {
  return { ...others, 'earn.rules': earn.rules };
}

function diffEntries(section: string, key: string, was: unknown, is: unknown): ProgramChange[] {
  const [old, fresh] = [byName(was, key), byName(is, key)];
  const changes = allNames(old.keys(), fresh.keys()).flatMap((id) =>
    diffValue({ section, id }, [], old.get(id), fresh.get(id)),
  );
  const before = [...old.keys()].filter((id) => fresh.has(id));
  const after = [...fresh.keys()].filter((id) => old.has(id));
  if (section === 'earn.rules' && before.some((id, index) => id !== after[index])) {
    changes.push({ section, id: null, change: 'moved', path: '', before, after });
  }
  return changes;
}

function diffValue(
  at: Pick<ProgramChange, 'section' | 'id'>,
  path: DocumentPath,
  before: unknown,
  after: unknown,
): ProgramChange[] {
  if (before === undefined || after === undefined) {
    if (before === after) return [];
    const change = before === undefined ? ('added' as const) : ('removed' as const);
    const value = before === undefined ? { after } : { before };
    return [{ ...at, change, path: formatPath(path), ...value }];
  }
  if (isSame(before, after)) return [];
  if (isEntry(before) && isEntry(after)) {
    return allNames(Object.keys(before), Object.keys(after)).flatMap((name) =>
      diffValue(at, [...path, name], before[name], after[name]),
    );
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    if (path.at(-1) === 'conditions') return diffConditions(at, path, before, after);
    if (at.section === 'choiceSets' && path.join() === 'rewards') {
      const [old, fresh] = [byName(before, 'id'), byName(after, 'id')];
      return allNames(old.keys(), fresh.keys()).flatMap((id) =>
        diffValue(at, [...path, id], old.get(id), fresh.get(id)),
      );
    }
  }
  return [{ ...at, change: 'changed', path: formatPath(path), before, after }];
}

/** Conditions have no ids: a condition that only one of the lists has was added or removed. */
function diffConditions(
  at: Pick<ProgramChange, 'section' | 'id'>,
  path: DocumentPath,
  before: readonly unknown[],
  after: readonly unknown[],
): ProgramChange[] {
  const unmatchedConditions = new Map<string, unknown[]>();
  for (const condition of before) {
    const text = textOf(condition);
    unmatchedConditions.set(text, [...(unmatchedConditions.get(text) ?? []), condition]);
  }
  const added = after.filter((condition) => unmatchedConditions.get(textOf(condition))?.pop() === undefined);
  const removed = [...unmatchedConditions.values()].flat();
  return [
    ...removed.flatMap((condition) => diffValue(at, path, condition, undefined)),
    ...added.flatMap((condition) => diffValue(at, path, undefined, condition)),
  ];
}

function isSame(before: unknown, after: unknown): boolean {
  return textOf(before) === textOf(after);
}

/** A canonical text: equal for values that mean the same. */
function textOf(value: unknown): string {
  return canonicalize(ordered(value)) ?? '';
}

/** The value with its plain lists sorted, because their order is ignored. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) {
    const parts = value.map(ordered);
    return parts.some((part) => typeof part === 'object') ? parts : parts.toSorted(byText);
  }
  if (!isEntry(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, ordered(part)]));
}

function byText(a: unknown, b: unknown): number {
  const [one, other] = [canonicalize(a) ?? '', canonicalize(b) ?? ''];
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The names of both, first those of the first. */
function allNames(was: Iterable<string>, is: Iterable<string>): string[] {
  return [...new Set([...was, ...is])];
}

/** Entries by id, in their order. */
function byName(list: unknown, key: string): Map<string, Entry> {
  const entries = Array.isArray(list) ? list.filter(isEntry) : [];
  return new Map(entries.map((entry) => [String(entry[key]), entry]));
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
