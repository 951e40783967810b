import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { directiveArguments, projectFile, readContract } from '../../codegen/contract.ts';
import { printErrorCodes } from '../../codegen/error-codes.ts';
import { printEventDeclarations } from '../../codegen/event-declarations.ts';
import { printEventSchema } from '../../codegen/event-schemas.ts';
import { withEventSection } from '../../codegen/event-section.ts';
import { inputSchemas, printInputSchemas } from '../../codegen/input-schemas.ts';
import { printInputShapes } from '../../codegen/input-shapes.ts';
import { printOpenapi } from '../../codegen/openapi.ts';
import { customerApi, merchantApi } from '../../codegen/openapi-surfaces.ts';
import { printDocuments, printRouteContracts, routeContracts } from '../../codegen/rest-routes.ts';
import { documents } from '../../rest-adapter/generated/documents.ts';
import { customerRoutes } from '../../rest-adapter/routes/customers.ts';
import { routes } from '../../rest-adapter/routes.ts';

const schema = readContract();
const contracts = routeContracts(schema, routes, 'merchants');
const customerContracts = routeContracts(schema, customerRoutes, 'customers');

test.each<[string, () => string]>([
  ['src/contract/generated/error-codes.ts', () => printErrorCodes(schema)],
  ['src/contract/generated/input-shapes.ts', () => printInputShapes(schema)],
  ['rest-adapter/generated/error-codes.ts', () => printErrorCodes(schema)],
  ['src/graphql/generated/input-schemas.json', () => printInputSchemas(schema)],
  ['rest-adapter/generated/documents.ts', () => printDocuments([...contracts, ...customerContracts])],
  ['rest-adapter/generated/route-contracts.json', () => printRouteContracts(contracts)],
  ['rest-adapter/generated/customer-route-contracts.json', () => printRouteContracts(customerContracts)],
  ['openapi.json', () => printOpenapi(schema, contracts, merchantApi)],
  ['openapi.customer.json', () => printOpenapi(schema, customerContracts, customerApi)],
  ['src/contract/generated/webhook-events.ts', () => printEventDeclarations(schema)],
  ['src/contract/generated/webhook-events.schema.json', () => printEventSchema(schema)],
  [
    'docs/guide/webhooks.md',
    () => withEventSection(readFileSync(projectFile('docs/guide/webhooks.md'), 'utf8'), schema),
  ],
])('%s is what the contract generates now', (path, print) => {
  expect(readFileSync(projectFile(path), 'utf8')).toBe(print());
});

test('the REST documents are executed without fragments', () => {
  expect(Object.values(documents).filter((document) => document.includes('...'))).toEqual([]);
});

describe('the contract', () => {
  test('gives every root field a scope, or it is for customers, widgets or people, which have none', () => {
    const roots = [schema.getQueryType(), schema.getMutationType()];
    const fields = roots.flatMap((root) => Object.values(root?.getFields() ?? {}));
    for (const field of fields) {
      if (['customer', 'widget', 'person'].some((name) => directiveArguments(field, name))) {
        expect([field.name, directiveArguments(field, 'scope')]).toEqual([field.name, null]);
        continue;
      }
      expect([field.name, directiveArguments(field, 'scope')?.requires]).toEqual([
        field.name,
        expect.arrayContaining([expect.stringMatching(/^[a-z]+:[a-z]+$/)]),
      ]);
    }
  });

  test('opens nothing that changes to a scope that reads', () => {
    const changes = Object.values(schema.getMutationType()?.getFields() ?? {});
    const open = changes.filter((field) =>
      /:read\b/.test(String(directiveArguments(field, 'scope')?.requires)),
    );
    expect(open.map(({ name }) => name)).toEqual([]);
  });

  test('gives every mutation one input with an idempotency key', () => {
    for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
      expect(field.args.map(({ name }) => name)).toEqual(['input']);
      const [type = ''] = String(field.args[0]?.type).split('!');
      expect(inputSchemas(schema).object(type).required).toContain('idempotencyKey');
    }
  });
});
