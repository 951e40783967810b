import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { checkDocument } from '../checks/check-document.ts';
import { type DocumentProblem, formatPath } from '../document/document-problem.ts';
import type { ProgramDocument } from '../document/program-document.ts';
import { programValidator } from '../document/program-schema.ts';
import { schemaProblems } from './schema-problems.ts';
import { parseYaml } from './yaml-source.ts';

/** One problem of a program document, and its position. */
export interface ProgramProblem {
  /** Such as `earn.rules[0].conditions[1].value`; empty for the whole text. */
  path: string;
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
  message: string;
}

export type ParsedProgram =
  | { ok: true; document: ProgramDocument }
  | { ok: false; problems: ProgramProblem[] };

/** Largest text of a program document, in bytes of UTF-8. */
export const programLimitBytes = 256 * 1024;

// A document with more problems than these is probably a file of another kind, so listing more would not help.
const maxProblems = 50;

/**
 * Parses and checks a program document.
 * @param text YAML 1.2 or JSON, at most `programLimitBytes`
 * @returns the document as written, with no defaults filled in; or its problems (at most 50), in the order of the text.
 *   There are three steps of checks (text, JSON Schema, meaning), and a step that finds problems is the last one that
 *   runs.
 */
export function parseProgram(text: string): ParsedProgram {
  if (Buffer.byteLength(text) > programLimitBytes) {
    return {
      ok: false,
      problems: [{ path: '', line: 1, column: 1, message: `is larger than ${programLimitBytes} bytes` }],
    };
  }
  const source = parseYaml(text);
  if (Array.isArray(source))
    return failed(source.map((problem) => ({ ...problem, path: formatPath(problem.path) })));

  const { value, positionOf } = source;
  const located = ({ path, atKey, message }: DocumentProblem): ProgramProblem => ({
    path: formatPath(path),
    ...positionOf(path, atKey),
    message,
  });
  const validate = programValidator();
  if (!validate(value)) return failed(schemaProblems(validate.errors ?? [], maxProblems).map(located));
  const problems = checkDocument(value);
  return problems.length > 0
    ? failed(problems.slice(0, maxProblems).map(located))
    : { ok: true, document: value };
}

/** SHA-256 of the document's canonical JSON (RFC 8785). It is the same for YAML and JSON, and for any order of keys. */
export function hashProgram(document: ProgramDocument): Buffer {
  return createHash('sha256')
    .update(canonicalize(document) ?? '')
    .digest();
}

function failed(problems: ProgramProblem[]): ParsedProgram {
  return {
    ok: false,
    problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column).slice(0, maxProblems),
  };
}
