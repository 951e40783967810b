import { type IExecutableSchemaDefinition, makeExecutableSchema } from '@graphql-tools/schema';
import { getDirective } from '@graphql-tools/utils';
import {
  defaultFieldResolver,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  parse,
} from 'graphql';
import { type Detail, type Refusal, refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { CustomerContext, PersonContext, RequestContext, WidgetContext } from '../execution/context.ts';
import { refuseUnreadableReplays } from './readable-replay.ts';
import { validateInput } from './validate-input.ts';

/**
 * Validates a value with a named JSON Schema of the contract, an input type or `Query.field`. @returns empty if it is
 * valid
 */
export type InputValidator = (schemaName: string, value: unknown) => Detail[];

type AnyContext = RequestContext | CustomerContext | WidgetContext | PersonContext;
type RootField = GraphQLField<unknown, AnyContext>;

/** What is checked before the resolver of a root field runs, read from its directives once. */
interface Guard {
  /** A key needs any one of them. */
  scopes: readonly string[];
  /** Name of the JSON Schema for the input: of a mutation's one `input`, or of a query's arguments. */
  inputSchema: string;
  inputOf(args: Readonly<Record<string, unknown>>): unknown;
}

/**
 * Builds the schema that REST and GraphQL execute. Every root field is guarded as its directives say, in this order:
 * one unit of the rate limit (`rate_limited`), its scope (`insufficient_scope`), its input (`validation_failed`). REST
 * has done the first and the last before it executes, so only the scope is checked for it again. A `@customer` field is
 * only executed for the customer of a token, a `@widget` field only for the member of a session, and every other field
 * never is.
 *
 * @param typeDefs the text of schema.graphql
 * @param resolvers one function for each root field, and the scalars
 * @param validate checks an input against its JSON Schema
 * @throws Error if a root field declares neither a scope nor `@customer` nor `@widget`, so that none is left open by
 *   mistake; or if an argument of a `@customer` or `@widget` field could name a customer
 */
export function createExecutableSchema(
  typeDefs: string,
  resolvers: NonNullable<IExecutableSchemaDefinition<AnyContext>['resolvers']>,
  validate: InputValidator = validateInput,
): GraphQLSchema {
  // The places of its tokens are kept otherwise, and nobody asks for them.
  const document = parse(typeDefs, { noLocation: true });
  const schema = makeExecutableSchema<AnyContext>({ typeDefs: document, resolvers });
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    if (!root) continue;
    for (const field of Object.values(root.getFields())) {
      if (root === schema.getMutationType()) refuseUnreadableReplays(field);
      const ownDirective = (['customer', 'widget', 'person'] as const).find((name) =>
        getDirective(schema, field, name),
      );
      if (ownDirective) guardOwnField(schema, field, root, ownDirective);
      else guardField(field, readGuard(schema, field, root), validate);
    }
  }
  return schema;
}

function readGuard(schema: GraphQLSchema, field: RootField, root: GraphQLObjectType): Guard {
  const where = `${root.name}.${field.name}`;
  const scopes: readonly string[] = getDirective(schema, field, 'scope')?.[0]?.requires ?? [];
  if (scopes.length === 0) throw new Error(`${where} declares no @scope`);
  if (root !== schema.getMutationType()) return { scopes, inputSchema: where, inputOf: (args) => args };
  const [input, ...others] = field.args;
  if (input?.name !== 'input' || others.length > 0) throw new Error(`${where} does not take one \`input\``);
  return { scopes, inputSchema: getNamedType(input.type).name, inputOf: (args) => args.input };
}

/**
 * What the arguments of `@customer` and `@widget` fields are never called, at any depth: whoever they are about, the
 * token says.
 */
const NAMES_SOMEBODY = /customer|member|external|principal|subject/i;

/** Lets a field be executed through one door alone, for whom the request's token names. */
function guardOwnField(
  schema: GraphQLSchema,
  field: RootField,
  root: GraphQLObjectType,
  door: (CustomerContext | WidgetContext | PersonContext)['door'],
): void {
  const where = `${root.name}.${field.name}`;
  if (getDirective(schema, field, 'scope')) throw new Error(`${where} is for ${door}s, which have no scopes`);
  const naming = inputNames(field.args).find((name) => NAMES_SOMEBODY.test(name));
  if (naming) throw new Error(`${where} is for whom the token names, and takes ${naming}`);
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = (source, args, context, info) => {
    if (context.door !== door) throw new Error(`${where} was executed without a ${door}'s token`);
    return resolve(source, args, context, info);
  };
}

/** The names of arguments, and of the fields of input types below them. */
function inputNames(inputs: readonly Pick<GraphQLArgument, 'name' | 'type'>[]): string[] {
  return inputs.flatMap(({ name, type }) => {
    const named = getNamedType(type);
    return [name, ...(isInputObjectType(named) ? inputNames(Object.values(named.getFields())) : [])];
  });
}

function refuseInput(details: Detail[]): Refusal {
  const [first] = details;
  const others = details.length > 1 ? `, and ${details.length - 1} more in details` : '';
  const message = `The input violates the contract: ${first?.path} ${first?.message}${others}`;
  return refuse('validation_failed', message, details);
}

function guardField(field: RootField, guard: Guard, validate: InputValidator): void {
  const resolve = field.resolve ?? defaultFieldResolver;
  const missingScope = refuse(
    'insufficient_scope',
    `This field needs a key with the scope ${guard.scopes.join(' or ')}`,
  );

  function checkScope(context: RequestContext): void {
    for (const scope of guard.scopes) if (context.credential.scopes.has(scope)) return;
    throw refusalError(missingScope, context.requestId);
  }

  function checkInput(args: Readonly<Record<string, unknown>>, requestId: string): void {
    const details = validate(guard.inputSchema, guard.inputOf(args));
    if (details.length === 0) return;
    throw refusalError(refuseInput(details), requestId);
  }

  field.resolve = (source, args, context, info) => {
    if (context.door !== 'rest' && context.door !== 'graphql')
      throw new Error(`${field.name} was executed for a ${context.door}`);
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
