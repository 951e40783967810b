import { createHash } from 'node:crypto';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import canonicalize from 'canonicalize';
import { type DocumentPath, type DocumentProblem, formatPath } from '../document/document-problem.ts';
import { schemaProblems } from './schema-problems.ts';
import { parseYaml, type SourcePosition } from './yaml-source.ts';

/** A kind of documents that people write: its JSON Schema, and what that cannot say. */
export interface DocumentKind<Document> {
  /** Largest text, in bytes of UTF-8. */
  limitBytes: number;
  /** A validator with the options `verbose` and `allErrors`. */
  validator(): ValidateFunction<Document>;
  /** The problems of a document that satisfies the schema. */
  check(document: Document): DocumentProblem[];
  /** The same problems, as far as they can be found in a value that does not satisfy the schema. Default: none. */
  checkAnyway?(value: unknown): DocumentProblem[];
}

/** One problem of a document, and its position. */
export interface PositionedProblem {
  /** Such as `earn.rules[0].conditions[1].value`; empty for the whole text. */
  path: string;
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
  message: string;
}

export type ParsedDocument<Document> =
  | { ok: true; document: Document }
  /** `value` is what the text says, whatever that is; absent where it is no YAML. */
  | { ok: false; problems: PositionedProblem[]; value?: unknown };

// A document with more problems than these is probably a file of another kind, so listing more would not help.
const maxProblems = 50;

/**
 * Parses and checks a document.
 * @param text YAML 1.2 or JSON, at most `limitBytes`
 * @returns the document as written, with no defaults filled in; or its problems (at most 50), in the order of the text.
 *   There are three steps of checks (text, JSON Schema, meaning), and a step that finds problems is the last one that
 *   runs, but for what the kind of the document checks anyway.
 */
export function parseDocumentText<Document>(
  text: string,
  { limitBytes, validator, check, checkAnyway }: DocumentKind<Document>,
): ParsedDocument<Document> {
  if (Buffer.byteLength(text) > limitBytes) {
    return {
      ok: false,
      problems: [{ path: '', line: 1, column: 1, message: `is larger than ${limitBytes} bytes` }],
    };
  }
  const source = parseYaml(text);
  if (Array.isArray(source))
    return failed(source.map((problem) => ({ ...problem, path: formatPath(problem.path) })));

  const { value, positionOf } = source;
  const located = ({ path, atKey, message }: DocumentProblem): PositionedProblem => ({
    path: formatPath(path),
    ...positionOf(path, atKey),
    message,
  });
  const validate = validator();
  if (!validate(value)) {
    const shape = schemaProblems(validate.errors ?? [], maxProblems).map(located);
    const shapePaths = new Set(shape.map(({ path }) => path));
    const others = (checkAnyway?.(value) ?? []).map(located).filter(({ path }) => !shapePaths.has(path));
    return { ...failed([...shape, ...others]), value };
  }
  const problems = check(value);
  return problems.length > 0
    ? { ...failed(problems.slice(0, maxProblems).map(located)), value }
    : { ok: true, document: value };
}

/** The position of a value in the text of a document. @param text one that parses */
export function positionIn(text: string, path: DocumentPath): SourcePosition {
  const source = parseYaml(text);
  return Array.isArray(source) ? { line: 1, column: 1 } : source.positionOf(path);
}

/** SHA-256 of the document's canonical JSON (RFC 8785). It is the same for YAML and JSON, and for any order of keys. */
export function hashDocument(document: object): Buffer {
  return createHash('sha256')
    .update(canonicalize(document) ?? '')
    .digest();
}

function failed(problems: PositionedProblem[]): { ok: false; problems: PositionedProblem[] } {
  return {
    ok: false,
    problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column).slice(0, maxProblems),
  };
}
