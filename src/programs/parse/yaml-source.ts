import { type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { DocumentPath } from '../document/document-problem.ts';

/** A position in a text, both counted from 1. */
export interface SourcePosition {
  line: number;
  column: number;
}

/** A problem of the text itself; the path is empty where the text does not parse. */
export interface SourceProblem extends SourcePosition {
  path: DocumentPath;
  message: string;
}

/** A parsed text with the positions of its values. */
export interface YamlSource {
  /** Plain data; null for an empty text. */
  value: unknown;
  /** The position of the value at a path, or of its key; for a path without a value, of the nearest value above it. */
  positionOf(path: DocumentPath, atKey?: boolean): SourcePosition;
}

// People write the documents: this is far more than they need, and few enough that expanding all aliases is cheap.
const maxAliases = 100;

// The parser is recursive: thousands of open brackets overflow the call stack. It reports that as an error of the text,
// or throws it.
const tooDeep: SourceProblem = { path: [], line: 1, column: 1, message: 'is nested too deeply' };

/**
 * Parses YAML 1.2, which includes JSON, strictly: one document, no duplicate keys, no unknown tags, no strings that
 * Postgres or UTF-8 cannot store, no integers above 2^53-1.
 */
export function parseYaml(text: string): YamlSource | SourceProblem[] {
  const lineCounter = new LineCounter();
  const positionAt = (offset: number): SourcePosition => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const traversal: Traversal = { anchors: new Map(), open: new Set(), firstAlias: null };
  try {
    const document = parseDocument(text, {
      version: '1.2',
      strict: true,
      // wrongNodes checks it: the parser's own check is quadratic and takes 85 s for a map of 40,000 keys.
      uniqueKeys: false,
      prettyErrors: false,
      lineCounter,
    });
    const parseErrors = [...document.errors, ...document.warnings];
    if (parseErrors.some(({ message }) => message.includes('call stack'))) return [tooDeep];
    const problems = [
      ...parseErrors.map(({ pos: [offset], message }) => ({
        path: [],
        ...positionAt(offset),
        message,
      })),
      ...wrongNodes(document.contents, [], traversal).map(({ path, offset, message }) => ({
        path,
        ...positionAt(offset),
        message,
      })),
    ];
    if (problems.length > 0) return problems;
    return {
      value: document.toJS({ maxAliasCount: maxAliases }),
      positionOf: (path, atKey = false) => positionAt(offsetOf(document, path, atKey)),
    };
  } catch (error) {
    // Too many aliases. The library does not say which ones, so the problem is put at the first one.
    if (error instanceof ReferenceError) {
      const { path, offset } = traversal.firstAlias ?? { path: [], offset: 0 };
      return [{ path, ...positionAt(offset), message: `Aliases: ${error.message}` }];
    }
    if (error instanceof RangeError) return [tooDeep];
    throw error;
  }
}

/** What wrongNodes has visited so far. */
interface Traversal {
  /** The last node with each anchor: an alias points to the last anchor of its name before it. */
  anchors: Map<string, unknown>;
  /** The maps and lists around the current node. */
  open: Set<unknown>;
  firstAlias: { path: DocumentPath; offset: number } | null;
}

/** Nodes that parse but are not allowed in a document, with their paths. */
function* wrongNodes(
  node: unknown,
  path: DocumentPath,
  traversal: Traversal,
): Generator<{ path: DocumentPath; offset: number; message: string }> {
  if (isAlias(node)) {
    const offset = startOf(node) ?? 0;
    traversal.firstAlias ??= { path, offset };
    const message = wrongAlias(node.source, traversal);
    if (message) yield { path, offset, message };
    return;
  }
  if (isNode(node) && node.anchor) traversal.anchors.set(node.anchor, node);
  traversal.open.add(node);
  yield* wrongWithin(node, path, traversal);
  traversal.open.delete(node);
}

function wrongAlias(name: string, { anchors, open }: Traversal): string | null {
  const target = anchors.get(name);
  if (!target) return `*${name} points to no anchor before it`;
  return open.has(target) ? `*${name} stands within what it points to` : null;
}

function* wrongWithin(
  node: unknown,
  path: DocumentPath,
  traversal: Traversal,
): ReturnType<typeof wrongNodes> {
  if (isMap(node)) {
    const names = new Set<string>();
    for (const { key, value } of node.items) {
      const name = keyName(key);
      const message = wrongKey(key) ?? (names.has(name) ? 'stands here twice' : wrongScalar(name));
      if (message) yield { path: [...path, name], offset: startOf(key) ?? 0, message };
      names.add(name);
      if (isScalar(key) && key.anchor) traversal.anchors.set(key.anchor, key);
      yield* wrongNodes(value, [...path, name], traversal);
    }
  } else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) yield* wrongNodes(item, [...path, index], traversal);
  } else if (isScalar(node)) {
    const message = wrongScalar(node.value);
    if (message) yield { path, offset: startOf(node) ?? 0, message };
  }
}

function wrongKey(key: unknown): string | null {
  return isScalar(key) ? null : 'has a key that is a list, a map or an alias';
}

/** The name of a key in the plain object: the keys 1 and "1" have the same name. */
function keyName(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}

function wrongScalar(value: unknown): string | null {
  if (typeof value === 'string') {
    if (value.includes('\0')) return 'must not hold NUL';
    if (!value.isWellFormed()) return 'must not hold half of a surrogate pair';
  }
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return 'is an integer beyond 2^53-1';
  }
  return null;
}

function offsetOf(document: Document, path: DocumentPath, atKey: boolean): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [depth, part] of path.entries()) {
    const inside: unknown = isAlias(node) ? node.resolve(document) : node;
    if (isMap(inside)) {
      const pair = inside.items.find(({ key }) => keyName(key) === String(part));
      if (!pair) return offset;
      const keyOffset = startOf(pair.key);
      offset = (atKey && depth === path.length - 1 ? null : startOf(pair.value)) ?? keyOffset ?? offset;
      node = pair.value;
    } else if (isSeq(inside)) {
      node = inside.items[Number(part)];
      offset = startOf(node) ?? offset;
    } else {
      return offset;
    }
  }
  return offset;
}

function startOf(node: unknown): number | null {
  return isNode(node) ? (node.range?.[0] ?? null) : null;
}
