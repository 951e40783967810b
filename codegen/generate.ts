import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { generate } from '@graphql-codegen/cli';
import config from '../codegen.ts';
import { customerRoutes } from '../rest-adapter/routes/customers.ts';
import { routes } from '../rest-adapter/routes.ts';
import { projectFile, readContract } from './contract.ts';
import { printErrorCodes } from './error-codes.ts';
import { printEventDeclarations } from './event-declarations.ts';
import { printEventSchema } from './event-schemas.ts';
import { withEventSection } from './event-section.ts';
import { printInputSchemas } from './input-schemas.ts';
import { printInputShapes } from './input-shapes.ts';
import { printOpenapi } from './openapi.ts';
import { customerApi, merchantApi } from './openapi-surfaces.ts';
import { printRefusals } from './refusals.ts';
import { printDocuments, printRouteContracts, routeContracts } from './rest-routes.ts';
import { printRoles } from './roles.ts';

const schema = readContract();
const write = (path: string, text: string): void => writeFileSync(projectFile(path), text);

const contracts = routeContracts(schema, routes, 'merchants');
const customerContracts = routeContracts(schema, customerRoutes, 'customers');

write('src/contract/generated/error-codes.ts', printErrorCodes(schema));
write('src/contract/generated/refusals.ts', printRefusals(schema));
write('src/contract/generated/roles.ts', printRoles(schema));
write('src/contract/generated/input-shapes.ts', printInputShapes(schema));
write('rest-adapter/generated/error-codes.ts', printErrorCodes(schema));
write('src/graphql/generated/input-schemas.json', printInputSchemas(schema));
write('rest-adapter/generated/documents.ts', printDocuments([...contracts, ...customerContracts]));
write('rest-adapter/generated/route-contracts.json', printRouteContracts(contracts));
write('src/contract/generated/webhook-events.ts', printEventDeclarations(schema));
write('src/contract/generated/webhook-events.schema.json', printEventSchema(schema));
write(
  'docs/guide/webhooks.md',
  withEventSection(readFileSync(projectFile('docs/guide/webhooks.md'), 'utf8'), schema),
);
write('rest-adapter/generated/customer-route-contracts.json', printRouteContracts(customerContracts));
write('openapi.json', printOpenapi(schema, contracts, merchantApi));
write('openapi.customer.json', printOpenapi(schema, customerContracts, customerApi));
await generate({ ...config, cwd: fileURLToPath(projectFile('.')) }, true);
