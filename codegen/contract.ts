import { readFileSync } from 'node:fs';
import {
  type ASTNode,
  buildSchema,
  type DirectiveNode,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLSchema,
  valueFromASTUntyped,
} from 'graphql';

const root = new URL('../', import.meta.url);

/** The URL of a file of the project, from its path below the top level. */
export function projectFile(path: string): URL {
  return new URL(path, root);
}

/** The contract: schema.graphql, built and validated by graphql-js. */
export function readContract(): GraphQLSchema {
  return buildSchema(readFileSync(projectFile('schema.graphql'), 'utf8'));
}

interface Annotated {
  astNode?: (ASTNode & { directives?: readonly DirectiveNode[] | undefined }) | null | undefined;
}

/** The arguments of a directive on a definition, as plain values, or null where the definition has none. */
export function directiveArguments(definition: Annotated, name: string): Record<string, unknown> | null {
  const directive = definition.astNode?.directives?.find((candidate) => candidate.name.value === name);
  if (!directive) return null;
  return Object.fromEntries(
    (directive.arguments ?? []).map((argument) => [argument.name.value, valueFromASTUntyped(argument.value)]),
  );
}

/** The default of an argument or an input field, as a plain value; undefined where it has none. */
export function defaultOf({ default: given }: GraphQLArgument | GraphQLInputField): unknown {
  return given?.literal ? valueFromASTUntyped(given.literal) : given?.value;
}
