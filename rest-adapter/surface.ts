import customerContracts from './generated/customer-route-contracts.json' with { type: 'json' };
import contracts from './generated/route-contracts.json' with { type: 'json' };
import type { QuerySchema } from './query-parameters.ts';
import type { Route } from './route.ts';
import { customerRoutes } from './routes/customers.ts';
import { routes } from './routes.ts';

/** What the contract says about a route (codegen/rest-routes.ts). */
export interface RouteContract {
  /** Empty on the customers' surface: tokens have no scopes. */
  scopes: readonly string[];
  /** Whether it is about whoever has signed in. */
  forPeople?: boolean;
  body: { required?: readonly string[] } | null;
  parameters: Readonly<Record<string, { type?: unknown }>>;
  query: QuerySchema | null;
}

/** One of the REST APIs: its routes, below a prefix. */
export interface Surface {
  /** Such as `/api/v1`. */
  prefix: string;
  /** Path of its OpenAPI document. */
  openapi: string;
  routes: readonly Route[];
  /** By `METHOD path`. */
  contracts: Readonly<Record<string, RouteContract>>;
}

/** For merchants' backends, with server keys. */
export const merchantSurface: Surface = { prefix: '/api/v1', openapi: '/openapi.json', routes, contracts };

/** For customers, with tokens of the environment's issuers. */
export const customerSurface: Surface = {
  prefix: '/loyalty/v1',
  openapi: '/openapi.customer.json',
  routes: customerRoutes,
  contracts: customerContracts,
};
