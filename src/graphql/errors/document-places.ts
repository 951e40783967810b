import { type ASTNode, type DocumentNode, GraphQLError, Kind, visit } from 'graphql';

const lengthLimit = 150;

/**
 * Adds to each error of an invalid document where in the document it is: the names of the fields and arguments around
 * it, such as `purchaseEarn.award.pts`, or `...Award.pts` in a fragment. Errors directly under the root and those
 * without a node stay as they are.
 */
export function withPaths(errors: readonly GraphQLError[], document: DocumentNode): GraphQLError[] {
  const paths = new Map<ASTNode, string>();
  for (const { nodes } of errors) if (nodes?.[0]) paths.set(nodes[0], '');
  visit(document, {
    enter(node, _key, parent, _path, ancestors) {
      if (!paths.has(node)) return;
      // The ancestors are those of the parent.
      const above = parent ? [...ancestors, parent] : ancestors;
      paths.set(node, pathOf([...above.filter(isNode), node]));
    },
  });
  return errors.map((error) => {
    const path = error.nodes?.[0] && paths.get(error.nodes[0]);
    return path?.includes('.') ? withPath(error, path) : error;
  });
}

/** @param nodes from the document down to the node in question */
function pathOf(nodes: readonly ASTNode[]): string {
  return nodes.map(stepOf).filter(Boolean).join('.');
}

function stepOf(node: ASTNode): string {
  switch (node.kind) {
    case Kind.FRAGMENT_DEFINITION:
      return `...${node.name.value}`;
    case Kind.FIELD:
    case Kind.ARGUMENT:
    case Kind.OBJECT_FIELD:
      return node.name.value;
    default:
      return '';
  }
}

/** Lists of nodes are among the ancestors too. */
function isNode(ancestor: ASTNode | readonly ASTNode[]): ancestor is ASTNode {
  return 'kind' in ancestor;
}

/** Puts the path before the names that graphql-js suggests at the end of a message, which Production does not show. */
function withPath(error: GraphQLError, path: string): GraphQLError {
  const hintAt = error.message.search(/ Did you mean |$/);
  const shown = path.length > lengthLimit ? `…${path.slice(1 - lengthLimit)}` : path;
  const sentence = error.message.slice(0, hintAt).replace(/\.?$/, '.');
  const message = `${sentence} It is at ${shown}.${error.message.slice(hintAt)}`;
  return new GraphQLError(message, { nodes: error.nodes, originalError: error.originalError });
}
