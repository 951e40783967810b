/** The path from a document's root to a value. */
export type DocumentPath = readonly (string | number)[];

/** A problem of a document, without its line and column in the text. */
export interface DocumentProblem {
  path: DocumentPath;
  /** Whether the problem is the key itself, and not its value. */
  atKey?: boolean;
  message: string;
}

/** Problems of a part of a document, with the part's path put before theirs. */
export function under(path: DocumentPath, problems: readonly DocumentProblem[]): DocumentProblem[] {
  return problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
}

/** A path as a text, such as `earn.rules[0].id`; empty for the root. */
export function formatPath(path: DocumentPath): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(part)) text += text ? `.${part}` : part;
    else text += `[${JSON.stringify(part)}]`;
  }
  return text;
}
