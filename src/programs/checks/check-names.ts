import type { DocumentPath, DocumentProblem } from '../document/document-problem.ts';

/** Checks that names are unique in a list. Paths begin with `path`. */
export function checkUnique<Key extends string>(
  entries: readonly Readonly<Record<Key, string>>[] | undefined,
  key: Key,
  path: DocumentPath,
): DocumentProblem[] {
  const seenNames = new Set<string>();
  return (entries ?? []).flatMap((entry, index) => {
    const name = entry[key];
    if (seenNames.has(name)) {
      return [{ path: [...path, index, key], message: `${JSON.stringify(name)} stands here twice` }];
    }
    seenNames.add(name);
    return [];
  });
}

/**
 * Checks that the document defines what a part of it refers to.
 * @param noun the kind of thing, for the message: such as `an audience`
 */
export function checkReferences(
  names: readonly string[] | undefined,
  defined: ReadonlySet<string>,
  noun: string,
  path: DocumentPath,
): DocumentProblem[] {
  return (names ?? []).flatMap((name, index) => checkReference(name, defined, noun, [...path, index]));
}

/** As checkReferences, for one name. */
export function checkReference(
  name: string | undefined,
  defined: ReadonlySet<string>,
  noun: string,
  path: DocumentPath,
): DocumentProblem[] {
  if (name === undefined || defined.has(name)) return [];
  return [{ path, message: `must be ${noun} of this document: ${listed(defined)}` }];
}

function listed(names: ReadonlySet<string>): string {
  const first = [...names].slice(0, 10).join(', ');
  if (names.size === 0) return 'there is none';
  return names.size > 10 ? `${first}, …` : first;
}
