import {
  GraphQLError,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  isSpecifiedScalarType,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';

/**
 * Twice the length of the longest list that the contract allows. The contract's own limits are checked after coercion,
 * but to coerce the 20,000 items that fit in a body would take longer than the rest of the request.
 */
export const itemLimit = 2_000;

/** The path of a value as a linked list, innermost step first: it becomes text only for an error. */
interface ValuePath {
  outer: ValuePath | null;
  /** Name of a variable or a field, or an index. */
  step: string | number;
}

/**
 * Finds the variables that do not fit their types, as the executor would. It stops at the limit, and no message repeats
 * a value, which may be as long as the request.
 * @param errorLimit the most errors that are returned
 * @returns empty if all variables fit; each error points to its variable's definition
 */
export function findVariableErrors(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  variables: Readonly<Record<string, unknown>>,
  errorLimit: number,
): GraphQLError[] {
  const errors: GraphQLError[] = [];
  for (const definition of definitions) {
    const type = typeFromAST(schema, definition.type);
    if (!isInputType(type)) continue;
    const name = definition.variable.name.value;
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined && definition.defaultValue) continue;
    const report = (path: ValuePath, problem: string): boolean => {
      errors.push(new GraphQLError(`Variable "$${pathOf(path)}" ${problem}.`, { nodes: definition }));
      return errors.length < errorLimit;
    };
    if (!fits(value, type, { outer: null, step: name }, report)) break;
  }
  return errors;
}

/** Reports a problem. @returns false once the limit is reached */
type Report = (path: ValuePath, problem: string) => boolean;

/** Reports what is wrong with a value and the values in it. @returns false once the limit is reached */
function fits(value: unknown, type: GraphQLInputType, path: ValuePath, report: Report): boolean {
  if (isNonNullType(type)) {
    if (value === undefined || value === null) return report(path, `is required: of type ${type}`);
    return fits(value, type.ofType, path, report);
  }
  if (value === undefined || value === null) return true;
  if (isListType(type)) {
    if (!Array.isArray(value)) return fits(value, type.ofType, path, report);
    if (value.length > itemLimit) return report(path, `has more than ${itemLimit} items`);
    for (let index = 0; index < value.length; index += 1) {
      if (!fits(value[index], type.ofType, { outer: path, step: index }, report)) return false;
    }
    return true;
  }
  if (!isInputObjectType(type)) {
    const problem = leafProblem(value, type);
    return problem === null || report(path, problem);
  }
  if (typeof value !== 'object' || Array.isArray(value))
    return report(path, `must be an object, of type ${type}`);
  const object = value as Readonly<Record<string, unknown>>;
  const fields = type.getFields();
  for (const name in object) {
    if (Object.hasOwn(fields, name)) continue;
    if (!report({ outer: path, step: name }, `is not defined by ${type}`)) return false;
  }
  for (const name in fields) {
    const field = fields[name];
    if (!field) continue;
    const member = Object.hasOwn(object, name) ? object[name] : undefined;
    if (member === undefined && !isRequiredInputField(field)) continue;
    if (!fits(member, field.type, { outer: path, step: name }, report)) return false;
  }
  return true;
}

function leafProblem(value: unknown, type: GraphQLLeafType): string | null {
  if (typeof value === 'object' && (isSpecifiedScalarType(type) || isEnumType(type))) {
    return `must be of type ${type}`;
  }
  try {
    // true: the message does not suggest names of existing values.
    return type.coerceInputValue(value, true) === undefined ? `must be of type ${type}` : null;
  } catch (error) {
    return `is not of type ${type}: ${error instanceof Error ? error.message.replace(/\.$/, '') : String(error)}`;
  }
}

function pathOf({ outer, step }: ValuePath): string {
  if (outer === null) return String(step);
  return typeof step === 'number' ? `${pathOf(outer)}[${step}]` : `${pathOf(outer)}.${step}`;
}
