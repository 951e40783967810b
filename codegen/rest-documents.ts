import { readdirSync, readFileSync } from 'node:fs';
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  isObjectType,
  Kind,
  NoUnusedFragmentsRule,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
  type SelectionSetNode,
  specifiedRules,
  validate,
} from 'graphql';
import { projectFile } from './contract.ts';

const folder = 'rest-adapter/documents';

/** The operations of the REST documents, by the name of their root field, with the fragments they spread inlined. */
export type RestDocuments = ReadonlyMap<string, OperationDefinitionNode>;

/**
 * Reads `rest-adapter/documents`: one operation a file, named after its root field (`purchase-earn.graphql` holds
 * `purchaseEarn`), and in `fragments/` the selections that several of them share.
 * @throws Error where a document does not match its file or the schema, or no document spreads a fragment
 */
export function readRestDocuments(schema: GraphQLSchema): RestDocuments {
  const definitions = graphqlFiles(`${folder}/fragments`).flatMap((path) => fragmentsOf(path, schema));
  const fragments = new Map(definitions.map((fragment) => [fragment.name.value, fragment]));
  const unused = new Set(fragments.keys());
  const operations = new Map<string, OperationDefinitionNode>();
  for (const path of graphqlFiles(folder)) {
    const operation = operationOf(path);
    validated(path, { kind: Kind.DOCUMENT, definitions: [operation, ...definitions] }, schema);
    const selectionSet = inlined(operation.selectionSet, fragments, unused);
    operations.set(operation.name?.value ?? '', { ...operation, selectionSet });
  }
  if (unused.size > 0) throw new Error(`${folder}: no document spreads ${[...unused].join(', ')}`);
  return operations;
}

function graphqlFiles(path: string): string[] {
  const names = readdirSync(projectFile(path)).filter((name) => name.endsWith('.graphql'));
  return names.sort().map((name) => `${path}/${name}`);
}

function parsed(path: string): DocumentNode {
  return parse(readFileSync(projectFile(path), 'utf8'), { noLocation: true });
}

function operationOf(path: string): OperationDefinitionNode {
  const [operation, ...others] = parsed(path).definitions;
  const expected = operationName(path);
  if (
    operation?.kind !== Kind.OPERATION_DEFINITION ||
    operation.name?.value !== expected ||
    others.length > 0
  ) {
    throw new Error(`${path} does not hold ${expected} alone`);
  }
  return operation;
}

/** `purchaseEarn` for rest-adapter/documents/purchase-earn.graphql. */
function operationName(path: string): string {
  const [name = ''] = path.slice(folder.length + 1).split('.');
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The fragments of one file. They are on object types: a fragment on an interface selects less than its fields. */
function fragmentsOf(path: string, schema: GraphQLSchema): FragmentDefinitionNode[] {
  return parsed(path).definitions.map((definition) => {
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) throw new Error(`${path} holds more than fragments`);
    const type = definition.typeCondition.name.value;
    if (!isObjectType(schema.getType(type))) throw new Error(`${path}: ${type} is not an object type`);
    return definition;
  });
}

const rules = specifiedRules.filter((rule) => rule !== NoUnusedFragmentsRule);

function validated(path: string, document: DocumentNode, schema: GraphQLSchema): void {
  const [problem] = validate(schema, document, rules);
  if (problem) throw new Error(`${path}: ${problem.message}`);
}

/**
 * The selections with those of each fragment in the place of its spread; takes the fragments it meets from `unused`.
 */
function inlined(
  { selections, ...set }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  unused: Set<string>,
): SelectionSetNode {
  const fields = (selection: SelectionNode): readonly SelectionNode[] => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = fragments.get(selection.name.value);
      if (!fragment || selection.directives?.length)
        throw new Error(`Cannot inline ...${selection.name.value}`);
      unused.delete(selection.name.value);
      return inlined(fragment.selectionSet, fragments, unused).selections;
    }
    if (!selection.selectionSet) return [selection];
    return [{ ...selection, selectionSet: inlined(selection.selectionSet, fragments, unused) }];
  };
  return { ...set, selections: selections.flatMap(fields) };
}
