import type { GraphQLSchema } from 'graphql';
import type { Route } from '../rest-adapter/route.ts';
import { type ErrorCodeEntry, errorCodes } from './error-codes.ts';
import { requestId } from './examples/example.ts';
import { examples } from './examples/openapi-examples.ts';
import { textContent } from './examples/text-bodies.ts';
import type { JsonSchema } from './json-schema.ts';
import { components, schemaReference } from './openapi-components.ts';
import { type ApiDescription, personSecurity, widgetSecurity } from './openapi-surfaces.ts';
import { openapiWebhooks } from './openapi-webhooks.ts';
import { SURFACE_PATH, SURFACE_REFUSALS, surfaceOperation, surfaceSchemas } from './openapi-widgets.ts';
import { outputSchema } from './output-schemas.ts';
import { formOfCodes, type OperationForm, ownRefusals } from './refusals.ts';
import type { RouteContract } from './rest-routes.ts';

/** Fields of a payload that a REST body leaves out: the status and the header `Idempotent-Replayed` state them. */
const saidOtherwise: ReadonlySet<string> = new Set(['idempotent', 'created']);

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `id` of the surface that the member has seen, in double quotes: ' +
    'refused where the widget was published anew since.',
  schema: { type: 'string' },
  example: '"wdg_01jz8k2v9xe6tr8p2w4y6z8abc:3"',
};

const ifVersionMatches = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The newest version that you know, in double quotes; `"0"` where there is none. ' +
    'Refused with 412 where another one is the newest by now.',
  schema: { type: 'string' },
  example: '"3"',
};

/** The text of an OpenAPI 3.1 document of a surface. */
export function printOpenapi(schema: GraphQLSchema, contracts: RouteContract[], api: ApiDescription): string {
  const codes = errorCodes(schema);
  const forms = formOfCodes(schema);
  const paths: Record<string, Record<string, object>> = {};
  for (const contract of contracts) {
    const path = api.prefix + contract.route.path;
    paths[path] = {
      ...paths[path],
      [contract.route.method.toLowerCase()]: operation(contract, { codes, forms }, api),
    };
  }
  const { schemas: ofWebhooks, ...webhooks } = api.tellsWebhooks ? openapiWebhooks(schema) : { schemas: {} };
  const ofOperations = contracts.flatMap((contract) => operationSchemas(contract, schema));
  const schemas = {
    ...Object.fromEntries(ofOperations),
    ...(api.hasWidgets && surfaceSchemas()),
    ...ofWebhooks,
  };
  if (api.hasWidgets) {
    const ofAll = codes.filter(({ code }) => forms.get(code) === 'OPERATION').map(({ code }) => code);
    const refused = responsesOf([...ofAll, ...SURFACE_REFUSALS], codes);
    paths[SURFACE_PATH] = { get: surfaceOperation(refused) };
  }
  const description = {
    openapi: '3.1.0',
    info: {
      title: api.title,
      version: '1.2.0',
      description: api.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [api.security],
    tags: api.tags,
    paths,
    ...webhooks,
    components: components(codes, schemas, api.securitySchemes),
  };
  return `${JSON.stringify(withoutOwnKeywords(description), null, 2)}\n`;
}

function operationSchemas(contract: RouteContract, schema: GraphQLSchema): [string, JsonSchema][] {
  const { route, field, body } = contract;
  const name = route.operation.charAt(0).toUpperCase() + route.operation.slice(1);
  const selection = contract.operation.selectionSet.selections.find((node) => node.kind === 'Field');
  const result = outputSchema(schema, field.type, selection?.selectionSet, saidOtherwise);
  const results: [string, JsonSchema][] = [[`${name}Result`, { ...result, type: 'object' }]];
  return body ? [[`${name}Body`, body], ...results] : results;
}

function operation(contract: RouteContract, known: KnownCodes, api: ApiDescription): object {
  const { route, field, scopes, body, parameters, query } = contract;
  const mutates = contract.operation.operation === 'mutation';
  const name = route.operation.charAt(0).toUpperCase() + route.operation.slice(1);
  const description = field.description ?? '';
  const example = examples[route.operation];
  return {
    operationId: route.operation,
    tags: [tagOf(route, api)],
    summary: description.split('. ')[0]?.replace(/\.$/, ''),
    description:
      scopes.length > 0
        ? `${description}\n\nScope: ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`
        : description,
    parameters: [
      ...Object.entries(parameters).map(([parameter, schema]) => ({
        name: parameter,
        in: 'path',
        required: true,
        schema,
      })),
      ...Object.entries(query?.properties ?? {}).map(([parameter, { description: about, ...schema }]) => ({
        name: parameter,
        in: 'query',
        ...(about && { description: about }),
        required: query?.required?.includes(parameter) ?? false,
        // Separated by commas.
        ...(schema.type === 'array' && { style: 'form', explode: false }),
        schema,
      })),
      ...(mutates && !route.keyInBody ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
      ...(contract.credential === 'widget' ? [ifMatch] : []),
      ...(route.ifMatch === undefined ? [] : [ifVersionMatches]),
      { $ref: '#/components/parameters/RequestId' },
    ],
    ...(route.textBody && { requestBody: { required: true, content: textContent(route) } }),
    ...(body && {
      requestBody: {
        required: !route.bodyOptional,
        content: { 'application/json': { schema: schemaReference(`${name}Body`), example: example.request } },
      },
    }),
    responses: { ...successes(route, name, mutates), ...refusals(contract, known) },
    ...(scopes.length > 0 && { 'x-required-scopes': scopes }),
    ...(contract.credential === 'widget' && { security: [widgetSecurity] }),
    ...(contract.credential === 'person' && { security: [personSecurity] }),
  };
}

function tagOf({ path }: Route, { tagByPath }: ApiDescription): string {
  const tag = tagByPath[path.split('/')[1] ?? ''];
  if (!tag) throw new Error(`No tag is known for ${path}`);
  return tag;
}

function successes(route: Route, name: string, mutates: boolean): Record<string, object> {
  const content = {
    'application/json': {
      schema: schemaReference(`${name}Result`),
      example: examples[route.operation].response,
    },
  };
  const plain = headers('X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Cache-Control');
  if (!mutates) {
    const description = route.status.fresh === 201 ? 'Made.' : 'Evaluated.';
    return {
      [route.status.fresh]: {
        description: route.method === 'GET' ? 'Found.' : description,
        headers: plain,
        content,
      },
    };
  }
  const replayed = { ...plain, ...headers('Idempotent-Replayed') };
  const repeated = {
    description:
      route.status.fresh === 200 ? 'Done, or done before.' : 'Done before: what was answered then.',
    headers: replayed,
    content,
  };
  if (route.status.fresh === 200) return { 200: repeated };
  return { 200: repeated, [route.status.fresh]: { description: 'Done.', headers: plain, content } };
}

/** The codes of the contract, and which operations may be refused with them whether they list them or not. */
interface KnownCodes {
  codes: readonly ErrorCodeEntry[];
  forms: ReadonlyMap<string, OperationForm>;
}

function refusals(contract: RouteContract, { codes, forms }: KnownCodes): Record<string, object> {
  const { route, field } = contract;
  const own = ownRefusals(field);
  const wanted = codes
    .map(({ code }) => code)
    .filter((code) => own.includes(code) || isOfForm(contract, code, forms.get(code)));
  const ofRoute = codes.map((entry) =>
    entry.code === 'idempotency_key_required' && route.missingKeyStatus
      ? { ...entry, httpStatus: route.missingKeyStatus }
      : entry,
  );
  return responsesOf(wanted, ofRoute);
}

/** Whether a route may be refused with a code for its form. */
function isOfForm(
  { route, operation, body, scopes }: RouteContract,
  code: string,
  form: OperationForm | undefined,
): boolean {
  switch (form) {
    case 'OPERATION':
      return true;
    case 'INPUT':
      return code === route.violationCode;
    case 'BODY':
      return body !== null;
    case 'MUTATION':
      return operation.operation === 'mutation' && !(code === 'idempotency_key_required' && route.keyInBody);
    case 'SCOPE':
      return scopes.length > 0;
    default:
      return false;
  }
}

/** The responses of refusals, by their statuses. */
function responsesOf(wanted: readonly string[], codes: readonly ErrorCodeEntry[]): Record<string, object> {
  const entries = codes.filter(({ code }) => wanted.includes(code));
  const byStatus = Map.groupBy(entries, ({ httpStatus }) => httpStatus);
  return Object.fromEntries(Array.from(byStatus, ([status, sharing]) => [status, refusal(status, sharing)]));
}

function refusal(status: number, entries: ErrorCodeEntry[]): object {
  const waits = status === 429 || status === 503 ? headers('Retry-After') : {};
  const counted = status === 401 ? {} : headers('RateLimit', 'RateLimit-Policy');
  return {
    description: entries.map(({ code, description }) => `\`${code}\`: ${description}`).join('\n\n'),
    headers: { ...headers('X-Request-Id'), ...counted, ...waits },
    content: {
      'application/json': {
        schema: { allOf: [schemaReference('Error'), errorOf(entries.map(({ code }) => code))] },
        examples: Object.fromEntries(
          entries.map(({ code, description }) => [code, { value: errorExample(code, description) }]),
        ),
      },
    },
  };
}

/** The schema of an error that has one of these codes. */
function errorOf(codes: readonly string[]): JsonSchema {
  const code = { type: 'string', enum: [...codes] };
  return { type: 'object', properties: { error: { type: 'object', properties: { code } } } };
}

function errorExample(code: string, message: string): object {
  return { error: { code, message, requestId } };
}

function headers(...names: string[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Removes `x-message`: this keyword only serves the service's own error messages. */
function withoutOwnKeywords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOwnKeywords);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => name !== 'x-message');
  return Object.fromEntries(entries.map(([name, member]) => [name, withoutOwnKeywords(member)]));
}
