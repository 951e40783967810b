import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dereference, validate } from '@readme/openapi-parser';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { SURFACE_PATH } from '../../codegen/openapi-widgets.ts';
import { customerRoutes } from '../../rest-adapter/routes/customers.ts';
import { routes } from '../../rest-adapter/routes.ts';
import { refusals } from '../../src/contract/generated/refusals.ts';

const text = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');

type ApiDocument = Parameters<typeof validate>[0];

interface Media {
  schema: object;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Operation {
  operationId: string;
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { headers: object; content: Record<string, Media> }>;
}

interface Description {
  openapi: string;
  info: { version: string };
  security: object[];
  paths: Record<string, Record<string, Operation>>;
}

let description: Description;

beforeAll(async () => {
  description = (await dereference(JSON.parse(text) as ApiDocument)) as unknown as Description;
});

const operationOf = (method: string, path: string): Operation | undefined =>
  description.paths[`/api/v1${path}`]?.[method.toLowerCase()];

test('is valid OpenAPI 3.1', async () => {
  const result = await validate(JSON.parse(text) as ApiDocument);
  expect(result).toMatchObject({ valid: true, warnings: [] });
  expect(description).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.0' } });
  expect(description.security).toEqual([{ apiKey: [], environment: [] }]);
});

test('describes the routes, all and only', () => {
  const described = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const served = routes.map(({ method, path }) => `${method} /api/v1${path}`);
  // The REST adapter does not serve the surface of widgets: it is described by a JSON Schema of its own.
  expect(described.sort()).toEqual([...served, `GET ${SURFACE_PATH}`].sort());
});

describe('statuses as the specification lists them, and 503 of every operation while the database is away', () => {
  test.each<[string, string, number[]]>([
    ['POST', '/members', [200, 201, 400, 401, 403, 409, 413, 415, 422, 429, 500, 503]],
    [
      'PUT',
      '/members/{externalCustomerId}/programs/{programId}',
      [200, 201, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503],
    ],
    [
      'DELETE',
      '/members/{externalCustomerId}/programs/{programId}',
      [200, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503],
    ],
    ['GET', '/members/{externalId}', [200, 401, 403, 404, 422, 429, 500, 503]],
    ['POST', '/events', [200, 201, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503]],
  ])('%s %s', (method, path, statuses) => {
    expect(Object.keys(operationOf(method, path)?.responses ?? {}).map(Number)).toEqual(statuses);
  });

  test('every refusal is a code of the one list', () => {
    for (const { method, path, operation } of routes) {
      const responses = Object.values(operationOf(method, path)?.responses ?? {});
      const codes = responses.flatMap(({ content }) =>
        Object.keys(content['application/json']?.examples ?? {}),
      );
      expect(codes).toEqual(expect.arrayContaining([...refusals[operation]]));
    }
  });
});

test('mutations ask for an Idempotency-Key, reads do not', () => {
  for (const { method, path, missingKeyStatus, keyInBody } of routes) {
    const key = operationOf(method, path)?.parameters.find(({ name }) => name === 'Idempotency-Key');
    expect(key?.required).toBe(missingKeyStatus === undefined ? undefined : true);
    const reads =
      method === 'GET' ||
      ['/offers/evaluate', '/events/preview', '/coupon-codes/lookup'].includes(path) ||
      path.endsWith('/sessions') ||
      path.endsWith('/check');
    expect([path, missingKeyStatus === undefined]).toEqual([path, reads || keyInBody === true]);
  }
});

test('the parameters of a query string are those that the route takes, with their schemas', () => {
  for (const { method, path, query = {} } of routes) {
    const described = operationOf(method, path)?.parameters.filter((parameter) => parameter.in === 'query');
    expect(described?.map(({ name }) => name)).toEqual(Object.keys(query));
  }
  const ofList = operationOf('GET', '/transactions')?.parameters ?? [];
  expect(ofList.find(({ name }) => name === 'limit')).toMatchObject({
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
  });
  expect(ofList.find(({ name }) => name === 'state')).toMatchObject({
    schema: { type: 'string', enum: ['committed', 'reversed'] },
  });
  const required = routes.flatMap(({ method, path }) =>
    (operationOf(method, path)?.parameters ?? [])
      .filter((parameter) => parameter.in === 'query' && parameter.required)
      .map(({ name }) => `${path} ${name}`),
  );
  expect(required.filter((name) => name.startsWith('/analytics/ledger-summary'))).toEqual([
    '/analytics/ledger-summary from',
    '/analytics/ledger-summary to',
  ]);
});

test('every example satisfies its schema, and is not just anything', () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  let checked = 0;
  for (const operation of Object.values(description.paths).flatMap((methods) => Object.values(methods))) {
    const bodies = [operation.requestBody, ...Object.values(operation.responses)];
    for (const media of bodies.flatMap((body) => Object.values(body?.content ?? {}))) {
      const check = ajv.compile(media.schema);
      const values = media.examples
        ? Object.values(media.examples).map(({ value }) => value)
        : [media.example];
      for (const value of values) {
        expect({ valid: check(value), errors: check.errors }).toEqual({ valid: true, errors: null });
        // A change of a member may leave out any of its fields.
        expect(check({}) && check({ unknown: 1 })).toBe(false);
        checked += 1;
      }
    }
  }
  expect(checked).toBeGreaterThan(60);
});

describe('openapi.customer.json', () => {
  const ofCustomers = readFileSync(new URL('../../openapi.customer.json', import.meta.url), 'utf8');

  test('is valid, and describes the routes of customers, all and only', async () => {
    const result = await validate(JSON.parse(ofCustomers) as ApiDocument);
    expect(result).toMatchObject({ valid: true, warnings: [] });
    const { paths, security } = JSON.parse(ofCustomers) as Description;
    expect(security).toEqual([{ customerToken: [], environment: [] }]);
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(
      customerRoutes.map(({ method, path }) => `${method} /loyalty/v1${path}`).sort(),
    );
  });

  test('has examples that satisfy their schemas, and names nobody', async () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const { paths } = (await dereference(JSON.parse(ofCustomers) as ApiDocument)) as unknown as Description;
    let checked = 0;
    for (const { requestBody, responses } of Object.values(paths).flatMap((methods) =>
      Object.values(methods),
    )) {
      const medias = [requestBody, ...Object.values(responses)].flatMap((body) =>
        Object.values(body?.content ?? {}),
      );
      for (const { schema, example } of medias.filter((media) => media.example !== undefined)) {
        const check = ajv.compile(schema);
        expect({ valid: check(example), errors: check.errors }).toEqual({ valid: true, errors: null });
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(15);
    // In descriptions it may stand: the claim `sub` is one.
    expect(ofCustomers).not.toMatch(/"(externalCustomerId|memberId|transactionId|sourceReference)"/);
  });
});
