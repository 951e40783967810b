import {
  isFunctionLikeDeclaration,
  isIdentifier,
  isImportDeclaration,
  isLiteralTypeNode,
  isNoSubstitutionTemplateLiteral,
  isParameterDeclaration,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isVariableDeclaration,
  type Node,
  type SourceFile,
  type TemplateLiteral,
} from 'typescript/unstable/ast';
import { inSourceFiles } from './source-files.ts';

/** Whether a text is a statement of SQL: one that tables are read or written with. */
export function isStatementText(text: string): boolean {
  return STATEMENT.test(text);
}

/** Whether a part of a text reads as if it named a table, or ended before the name of one. */
export function namesTable(chunk: string): boolean {
  return PART.test(chunk);
}

/** A text of SQL in a source file: a whole statement, or a part that another text includes. */
export interface SqlLiteral {
  /** Relative to the project. */
  file: string;
  line: number;
  /** The name of the statement, of the constant, or of the function that it is in. */
  name: string;
  /** The positions of its source, from inclusive, to exclusive. */
  from: number;
  to: number;
  /** The text between its substitutions. */
  chunks: string[];
  isStatement: boolean;
  /** The sources of the values, where Prisma's client sends the template and makes parameters of them; else null. */
  parameters: string[] | null;
  /** Whether it can be computed outside of the function that it is in, because it uses none of its variables. */
  isConstant: boolean;
}

const STATEMENT =
  /^\s*(select|insert\s+into|update|delete\s+from|merge\s+into|truncate|copy|lock\s+table|with(\s+recursive)?\s+\w+(\s*\([^)]*\))?\s+as)\b/i;
const PART = /\b(from|join|into|update|using)\s+([a-z_]+\b|$)/i;

/** Finds every text of SQL in the files of `src`. */
export function findSqlLiterals(root: string): SqlLiteral[] {
  return inSourceFiles(root, literalsIn);
}

function literalsIn(file: string, source: SourceFile): SqlLiteral[] {
  const literals: SqlLiteral[] = [];
  const visit = (node: Node): void => {
    const literal = isText(node) ? literalOf(file, source, node) : null;
    if (literal) literals.push(literal);
    node.forEachChild(visit);
  };
  visit(source);
  return literals;
}

function isText(node: Node): node is TemplateLiteral {
  if (isTemplateExpression(node) || isNoSubstitutionTemplateLiteral(node)) return true;
  return isStringLiteral(node) && !isImportDeclaration(node.parent) && !isLiteralTypeNode(node.parent);
}

function literalOf(file: string, source: SourceFile, node: TemplateLiteral): SqlLiteral | null {
  const spans = isTemplateExpression(node) ? node.templateSpans : [];
  const chunks = isTemplateExpression(node)
    ? [node.head.text, ...spans.map(({ literal }) => literal.text)]
    : [node.text];
  const isStatement = isStatementText(chunks.join(' '));
  if (!isStatement && chunks[0]?.trim() !== '' && !chunks.some(namesTable)) return null;
  const tagged = isTaggedTemplateExpression(node.parent) ? node.parent : null;
  const isPrisma = tagged !== null && /\$(execute|query)Raw$/.test(tagged.tag.getText(source));
  const template: Node = tagged ?? node;
  return {
    file,
    line: source.getLineAndCharacterOfPosition(template.getStart(source)).line + 1,
    name: nameOf(source, template),
    from: template.getStart(source),
    to: template.getEnd(),
    chunks,
    isStatement,
    parameters: isPrisma ? spans.map(({ expression }) => expression.getText(source)) : null,
    isConstant: usesNothingLocal(template),
  };
}

/** The `name` beside the text, else the names of the constant and of the functions around it. */
function nameOf(source: SourceFile, text: Node): string {
  const names: string[] = [];
  for (let node = text; node.parent; node = node.parent) {
    if (isPropertyAssignment(node)) {
      const beside = node.parent.getText(source).match(/^\{\s*(?:name|id): ['`]([^'`]+)['`]/)?.[1];
      if (beside) return beside;
    } else if (isVariableDeclaration(node) || (isFunctionLikeDeclaration(node) && 'name' in node)) {
      names.unshift((node.name as Node | undefined)?.getText(source) ?? '');
    }
  }
  return names.join(' ');
}

/** Whether none of the names in a text is a parameter or a variable of the functions around it. */
function usesNothingLocal(text: Node): boolean {
  const used = new Set<string>();
  const note = (node: Node): void => {
    if (isIdentifier(node)) used.add(node.text);
    if (isPropertyAccessExpression(node)) note(node.expression);
    else node.forEachChild(note);
  };
  note(text);
  for (let node = text.parent; node; node = node.parent) {
    if (!isFunctionLikeDeclaration(node)) continue;
    if (declaredIn(node).some((name) => used.has(name))) return false;
  }
  return true;
}

function declaredIn(scope: Node): string[] {
  const names: string[] = [];
  const visit = (node: Node): void => {
    if (isParameterDeclaration(node) || isVariableDeclaration(node)) {
      const declare = (part: Node): void => {
        if (isIdentifier(part)) names.push(part.text);
        part.forEachChild(declare);
      };
      declare(node.name);
    }
    node.forEachChild(visit);
  };
  visit(scope);
  return names;
}
