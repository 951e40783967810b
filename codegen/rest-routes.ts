import {
  type GraphQLField,
  type GraphQLSchema,
  type OperationDefinitionNode,
  print,
  stripIgnoredCharacters,
} from 'graphql';
import type { Route } from '../rest-adapter/route.ts';
import { directiveArguments } from './contract.ts';
import { inputSchemas } from './input-schemas.ts';
import { type JsonSchema, notNull } from './json-schema.ts';
import { type RestDocuments, readRestDocuments } from './rest-documents.ts';

/** A route with the contract of its operation. */
export interface RouteContract {
  route: Route;
  /** The operation of its document, without fragments. */
  operation: OperationDefinitionNode;
  field: GraphQLField<unknown, unknown>;
  /** The API scopes of which a credential needs one; empty for customers and for widgets. */
  scopes: string[];
  /** What a request is made with: a server key or a customer's token; a session of a widget; a person's session. */
  credential: 'token' | 'widget' | 'person';
  /** The body without the fields of the path and the headers; null where the operation takes no `input`. */
  body: JsonSchema | null;
  /** The parameters of the path by their names there, in order. */
  parameters: Record<string, JsonSchema>;
  /** The parameters of the query string as one object; null where the route takes none. */
  query: JsonSchema | null;
}

/** Whom a surface is for. */
export type Audience = 'merchants' | 'customers';

/** Reads the contract of every route. @throws Error where the routes, the documents and the contract do not match */
export function routeContracts(
  schema: GraphQLSchema,
  routes: readonly Route[],
  audience: Audience,
): RouteContract[] {
  const documents = readRestDocuments(schema);
  return routes.map((route) => routeContract(route, schema, documents, audience));
}

function routeContract(
  route: Route,
  schema: GraphQLSchema,
  documents: RestDocuments,
  audience: Audience,
): RouteContract {
  const operation = documents.get(route.operation);
  if (!operation) throw new Error(`rest-adapter/documents does not hold ${route.operation}`);
  const root = operation.operation === 'query' ? schema.getQueryType() : schema.getMutationType();
  const field = root?.getFields()[route.operation];
  if (!field) throw new Error(`schema.graphql has no root field ${route.operation}`);
  const credential =
    (['widget', 'person'] as const).find((name) => directiveArguments(field, name)) ?? 'token';
  const scopes = credential === 'token' ? scopesOf(field, audience) : [];
  const names = Array.from(route.path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  const schemas = inputSchemas(schema);
  const inputType = field.args
    .find((argument) => argument.name === 'input')
    ?.type.toString()
    .replace('!', '');
  const contractName = (name: string): string => route.pathNames?.[name] ?? name;
  const parameters = Object.fromEntries(
    names.map((name) => [
      name,
      inputType
        ? schemas.field(inputType, contractName(name))
        : member(schemas.args(`Query.${field.name}`), contractName(name)),
    ]),
  );
  const body =
    inputType && !route.textBody
      ? bodySchema(route, inputType, new Set(names.map(contractName)), schemas)
      : null;
  const query = route.query ? querySchema(route.query, field, schemas, inputType) : null;
  return { route, operation, field, scopes, credential, body, parameters, query };
}

function scopesOf(field: GraphQLField<unknown, unknown>, audience: Audience): string[] {
  const forCustomers = directiveArguments(field, 'customer') !== null;
  if (forCustomers !== (audience === 'customers')) throw new Error(`${field.name} is not for ${audience}`);
  if (forCustomers) return [];
  const scopes = directiveArguments(field, 'scope')?.requires;
  if (!Array.isArray(scopes)) throw new Error(`Root field ${field.name} has no @scope`);
  return scopes;
}

/**
 * The schema of the parameters: each as the contract defines its field, but not nullable, as absent ones are left out.
 */
function querySchema(
  paths: Readonly<Record<string, string>>,
  field: GraphQLField<unknown, unknown>,
  schemas: ReturnType<typeof inputSchemas>,
  inputType: string | undefined,
): JsonSchema {
  const ofField: JsonSchema = inputType
    ? { properties: { input: schemas.object(inputType) } }
    : schemas.args(`Query.${field.name}`);
  const required: string[] = [];
  const properties: Record<string, JsonSchema> = {};
  for (const [name, place] of Object.entries(paths)) {
    const [argumentName = '', fieldName] = place.split('.');
    const argument = member(ofField, argumentName);
    const holder = fieldName === undefined ? ofField : argument;
    const placed = fieldName ?? argumentName;
    if (holder.required?.includes(placed)) required.push(name);
    properties[name] = notNull(member(holder, placed));
  }
  return { type: 'object', additionalProperties: false, required, properties };
}

function bodySchema(
  route: Route,
  inputType: string,
  fromPath: ReadonlySet<string>,
  schemas: ReturnType<typeof inputSchemas>,
): JsonSchema {
  const all = Object.keys(schemas.object(inputType).properties ?? {});
  const inBody = all.filter((name) => (name !== 'idempotencyKey' || route.keyInBody) && !fromPath.has(name));
  const schema = schemas.object(inputType, new Set(inBody));
  const constants = Object.entries(route.constants ?? {});
  return {
    ...schema,
    required: [...constants.map(([name]) => name), ...(schema.required ?? [])],
    properties: {
      ...Object.fromEntries(constants.map(([name, value]) => [name, { type: typeof value, const: value }])),
      ...schema.properties,
    },
  };
}

function member(schema: JsonSchema, name: string): JsonSchema {
  const found = schema.properties?.[name];
  if (!found) throw new Error(`There is no argument ${name}`);
  return found;
}

/** The text of a surface's contracts in rest-adapter/generated: scopes and schemas of each route, by `METHOD path`. */
export function printRouteContracts(contracts: RouteContract[]): string {
  const byRoute = Object.fromEntries(
    contracts.map(({ route, scopes, credential, body, parameters, query }) => [
      `${route.method} ${route.path}`,
      { scopes, ...(credential === 'person' && { forPeople: true }), body, parameters, query },
    ]),
  );
  return `${JSON.stringify(byRoute, null, 2)}\n`;
}

/** The source of rest-adapter/generated/documents.ts: the text of each operation's document. */
export function printDocuments(contracts: RouteContract[]): string {
  const sources = contracts.map(
    ({ route, operation }) => `  ${route.operation}: '${stripIgnoredCharacters(print(operation))}',`,
  );
  return `${[
    '// Generated from rest-adapter/documents and schema.graphql. Do not edit.',
    '',
    '/** The text of the document of each operation, by the name of its root field. */',
    'export const documents = {',
    ...sources,
    '};',
  ].join('\n')}\n`;
}
