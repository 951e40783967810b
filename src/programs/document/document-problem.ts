/** The way from a document's root to a value. */
export type DocumentPath = readonly (string | number)[];

/** Something wrong with a document, before it is known where in the text that stands. */
export interface DocumentProblem {
  path: DocumentPath;
  /** The key itself is what is wrong, and not its value. */
  atKey?: boolean;
  message: string;
}

/** Problems of a part, with paths that begin where the part's do. */
export function under(path: DocumentPath, problems: readonly DocumentProblem[]): DocumentProblem[] {
  return problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
}

/** A path as people write it: `earn.rules[0].id`. The root is the empty text. */
export function formatPath(path: DocumentPath): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(part)) text += text ? `.${part}` : part;
    else text += `[${JSON.stringify(part)}]`;
  }
  return text;
}
