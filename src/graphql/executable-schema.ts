import { type IExecutableSchemaDefinition, makeExecutableSchema } from '@graphql-tools/schema';
import { getDirective } from '@graphql-tools/utils';
import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
} from 'graphql';
import { type Detail, refuse } from '../refusal.ts';
import {
  type ArgumentCheck,
  type Constraint,
  compileConstraint,
  violatedArguments,
} from './argument-constraints.ts';
import type { RequestContext } from './context.ts';
import { refusalError } from './errors.ts';
import { validateInput } from './validate-input.ts';

/** Says what an input breaks of its type's rules. @returns nothing where it holds */
export type InputValidator = (typeName: string, value: unknown) => Detail[];

/** What is checked of a root field before its resolver runs, read from its directives once. */
interface Guard {
  /** Any one of them opens the field. */
  scopes: readonly string[];
  /** Arguments that are input objects, with their types. */
  inputs: ReadonlyArray<readonly [argument: string, typeName: string]>;
  argumentChecks: ReadonlyArray<readonly [argument: string, check: ArgumentCheck]>;
}

/**
 * Builds the schema that both doors execute. Every root field is guarded as its directives say, in this order: one
 * unit of the rate limit (`rate_limited`), its scope (`insufficient_scope`), its input (`validation_failed`). REST has
 * done the first and the last before it executes.
 *
 * @param typeDefs the text of schema.graphql
 * @param resolvers one function for each root field, and the scalars
 * @param validate checks an input object against its JSON Schema
 * @throws Error where a root field declares no scope: no field is open by omission
 */
export function createExecutableSchema(
  typeDefs: string,
  resolvers: NonNullable<IExecutableSchemaDefinition<RequestContext>['resolvers']>,
  validate: InputValidator = validateInput,
): GraphQLSchema {
  const schema = makeExecutableSchema<RequestContext>({ typeDefs, resolvers });
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    if (!root) continue;
    for (const field of Object.values(root.getFields())) {
      guardField(field, readGuard(schema, field, `${root.name}.${field.name}`), validate);
    }
  }
  return schema;
}

function readGuard(
  schema: GraphQLSchema,
  field: GraphQLField<unknown, RequestContext>,
  where: string,
): Guard {
  const scopes: readonly string[] = getDirective(schema, field, 'scope')?.[0]?.requires ?? [];
  if (scopes.length === 0) throw new Error(`${where} declares no @scope`);
  const inputs: Array<readonly [string, string]> = [];
  const argumentChecks: Array<readonly [string, ArgumentCheck]> = [];
  for (const argument of field.args) {
    const type = getNamedType(argument.type);
    if (isInputObjectType(type)) inputs.push([argument.name, type.name]);
    const constraint: Constraint | undefined = getDirective(schema, argument, 'constraint')?.[0];
    if (constraint) {
      argumentChecks.push([argument.name, compileConstraint(constraint, `${where}(${argument.name}:)`)]);
    }
  }
  return { scopes, inputs, argumentChecks };
}

function guardField(
  field: GraphQLField<unknown, RequestContext>,
  guard: Guard,
  validate: InputValidator,
): void {
  const resolve = field.resolve ?? defaultFieldResolver;
  const missingScope = refuse(
    'insufficient_scope',
    `This field needs a key with the scope ${guard.scopes.join(' or ')}`,
  );

  function checkScope(context: RequestContext): void {
    for (const scope of guard.scopes) if (context.credential.scopes.has(scope)) return;
    throw refusalError(missingScope, context.requestId);
  }

  function checkInput(values: Readonly<Record<string, unknown>>, requestId: string): void {
    const details = violatedArguments(guard.argumentChecks, values);
    for (const [argument, typeName] of guard.inputs) {
      const value = values[argument];
      if (value !== undefined && value !== null) details.push(...validate(typeName, value));
    }
    if (details.length > 0) {
      throw refusalError(
        refuse('validation_failed', 'The input violates the contract: see details', details),
        requestId,
      );
    }
  }

  field.resolve = (source, args, context, info) => {
    if (context.door === 'rest') {
      checkScope(context);
      return resolve(source, args, context, info);
    }
    return context.takeRateUnit().then((verdict) => {
      if (!verdict.allowed) {
        throw refusalError(
          refuse('rate_limited', `More than ${verdict.limit} requests in a minute: see Retry-After`),
          context.requestId,
        );
      }
      checkScope(context);
      checkInput(args, context.requestId);
      return resolve(source, args, context, info);
    });
  };
}
