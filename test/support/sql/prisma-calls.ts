import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  isCallExpression,
  isIdentifier,
  isPropertyAccessExpression,
  isShorthandPropertyAssignment,
  isVariableDeclaration,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { inSourceFiles } from './source-files.ts';

/** A call of Prisma's client that reads or writes a table of environments. */
export interface PrismaCall {
  /** The file, relative to the project, with the line, the model and the method. */
  location: string;
  /** Whether the environment is among its arguments. */
  namesEnvironment: boolean;
}

/**
 * Finds every call of a method of a model in the files of `src`; the models of tables without environments are left
 * out.
 */
export function findPrismaCalls(root: string): PrismaCall[] {
  const models = new Set(modelsOfEnvironments(readFileSync(join(root, 'prisma/schema.prisma'), 'utf8')));
  return inSourceFiles(root, (file, source) => callsIn(file, source, models));
}

const METHOD = /^(find|create|update|upsert|delete|count|aggregate|groupBy)/;

function modelsOfEnvironments(schema: string): string[] {
  return [...schema.matchAll(/^model (\w+) \{([^}]*)\}/gm)]
    .filter(([, name, fields = '']) => name === 'Environment' || /\benvironmentId\b/.test(fields))
    .map(([, name = '']) => name.charAt(0).toLowerCase() + name.slice(1));
}

function callsIn(file: string, source: SourceFile, models: ReadonlySet<string>): PrismaCall[] {
  const calls: PrismaCall[] = [];
  const visit = (node: Node): void => {
    node.forEachChild(visit);
    if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return;
    const { expression: of, name: method } = node.expression;
    if (!METHOD.test(method.getText(source))) return;
    if (!isPropertyAccessExpression(of) || !isIdentifier(of.name) || !models.has(of.name.text)) return;
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    calls.push({
      location: `${file}:${line} ${of.name.text}.${method.getText(source)}`,
      namesEnvironment: node.arguments.some((argument) => usesEnvironment(argument, source)),
    });
  };
  visit(source);
  return calls;
}

/** Whether `environmentId` is in an expression, or in the constants that it names like properties. */
function usesEnvironment(expression: Node, source: SourceFile): boolean {
  let uses = false;
  const visit = (node: Node): void => {
    if (isIdentifier(node) && node.text === 'environmentId') uses = true;
    if (isShorthandPropertyAssignment(node))
      uses ||= constantUsesEnvironment(node.name.getText(source), source);
    node.forEachChild(visit);
  };
  visit(expression);
  return uses;
}

function constantUsesEnvironment(name: string, source: SourceFile): boolean {
  let uses = false;
  const visit = (node: Node): void => {
    if (isVariableDeclaration(node) && node.name.getText(source) === name && node.initializer) {
      uses ||= usesEnvironment(node.initializer, source);
    }
    node.forEachChild(visit);
  };
  visit(source);
  return uses;
}
