import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** The most tokens of a document. */
export const tokenLimit = 1_000;

/** The size of a selection set with every fragment expanded, counted from the set itself. */
interface SelectionCost {
  /** Fields of the set itself, without `__typename`. */
  fields: number;
  /** Those of `fields` that are `__schema` or `__type`. */
  introspectionFields: number;
  /** Whether one of `fields` is under `@skip` or `@include`. */
  conditional: boolean;
  /** Levels of fields, outside introspection. */
  depth: number;
  /** Levels of fields down to the deepest one under `__schema` or `__type`; 0 if there is none. */
  introspectionDepth: number;
  /** All fields of all levels. */
  selections: number;
  /** All aliased fields of all levels. */
  aliases: number;
}

/** The cost of one operation, before anything is validated or executed. */
export interface OperationCost extends Readonly<SelectionCost> {
  kind: OperationDefinitionNode['operation'];
  /** Null for the anonymous operation. */
  name: string | null;
}

/**
 * Measures every operation of a parsed document. Each selection set and each fragment is walked once; a fragment that
 * is spread again adds its known cost. So the time is linear in the length of the document, even if its fragments
 * multiply each other. A spread of an unknown fragment, or of a fragment that is being measured (a cycle), counts 0:
 * validation refuses both.
 */
export function measureDocument(document: DocumentNode): OperationCost[] {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const measure = createMeasure(fragments);
  const operations: OperationCost[] = [];
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    operations.push({
      kind: definition.operation,
      name: definition.name?.value ?? null,
      ...measure(definition.selectionSet),
    });
  }
  return operations;
}

function createMeasure(fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
  const remembered = new Map<string, SelectionCost>();

  function measureSet(set: SelectionSetNode): SelectionCost {
    const cost = noCost();
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) addField(cost, selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) {
        addFragment(cost, measureSet(selection.selectionSet), isConditional(selection));
      } else addFragment(cost, measureFragment(selection.name.value), isConditional(selection));
    }
    return cost;
  }

  function measureFragment(name: string): SelectionCost {
    const cached = remembered.get(name);
    if (cached) return cached;
    const fragment = fragments.get(name);
    remembered.set(name, noCost());
    const cost = fragment ? measureSet(fragment.selectionSet) : noCost();
    remembered.set(name, cost);
    return cost;
  }

  function addField(cost: SelectionCost, field: FieldNode): void {
    const name = field.name.value;
    const introspects = name === '__schema' || name === '__type';
    if (name !== '__typename') {
      cost.fields += 1;
      if (introspects) cost.introspectionFields += 1;
      if (isConditional(field)) cost.conditional = true;
    }
    cost.selections += 1;
    if (field.alias) cost.aliases += 1;
    const below = field.selectionSet ? measureSet(field.selectionSet) : leaf;
    cost.selections += below.selections;
    cost.aliases += below.aliases;
    if (introspects) {
      const deepest = Math.max(below.depth, below.introspectionDepth);
      cost.introspectionDepth = Math.max(cost.introspectionDepth, 1 + deepest);
    } else {
      cost.depth = Math.max(cost.depth, 1 + below.depth);
      if (below.introspectionDepth > 0) {
        cost.introspectionDepth = Math.max(cost.introspectionDepth, 1 + below.introspectionDepth);
      }
    }
  }

  return measureSet;
}

function addFragment(cost: SelectionCost, part: SelectionCost, conditional: boolean): void {
  cost.fields += part.fields;
  cost.introspectionFields += part.introspectionFields;
  if (part.conditional || (conditional && part.fields > 0)) cost.conditional = true;
  cost.depth = Math.max(cost.depth, part.depth);
  cost.introspectionDepth = Math.max(cost.introspectionDepth, part.introspectionDepth);
  cost.selections += part.selections;
  cost.aliases += part.aliases;
}

function isConditional(selection: SelectionNode): boolean {
  return selection.directives?.some(({ name }) => name.value === 'skip' || name.value === 'include') ?? false;
}

function noCost(): SelectionCost {
  return {
    fields: 0,
    introspectionFields: 0,
    conditional: false,
    depth: 0,
    introspectionDepth: 0,
    selections: 0,
    aliases: 0,
  };
}

const leaf: Readonly<SelectionCost> = noCost();
