import { type ExecutionResult, type GraphQLSchema, getOperationAST } from 'graphql';
import { checkVariables } from './check-variables.ts';
import type { DocumentCache } from './document-cache.ts';
import type { GraphqlRequest } from './graphql-request.ts';
import { checkOverload, type RefuseCommand } from './overload.ts';

/**
 * Executes a request whose document is prepared. Such a document has been executed before: so it is valid, within all
 * limits, and its one operation is neither a subscription nor an introspection. Of all rules, only those about the name
 * of the operation, the variables and overload depend on the request.
 * @throws RefusalError under overload
 * @returns null for any other document, and for a name that is not its operation's: both are Yoga's
 */
export function executePrepared(
  request: GraphqlRequest,
  documents: DocumentCache,
  schema: GraphQLSchema,
  refuseCommand: RefuseCommand,
): Promise<ExecutionResult> | null {
  const { query = '', operationName, variables } = request.params;
  const document = documents.get(query);
  const [operation] = document?.operations ?? [];
  if (!document?.prepared || !operation) return null;
  if (operationName !== null && operationName !== undefined && operationName !== operation.name) return null;
  request.document = document;
  request.operation = operation;
  checkOverload(request, refuseCommand);
  const values = variables ?? {};
  return document.prepared(values, request).then((result) => {
    if (result.data !== undefined) return result;
    // A variable does not fit. The prepared operation stops at the first one, with less to say of it.
    const definitions = getOperationAST(document.ast)?.variableDefinitions;
    const errors = checkVariables(schema, definitions, values, request.requestId);
    return errors.length > 0 ? { errors } : result;
  });
}
