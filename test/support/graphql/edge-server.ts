import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WidgetServices } from '../../../src/graphql/execution/context.ts';
import { CouponGuesses } from '../../../src/graphql/execution/coupon-guesses.ts';
import type { ErrorLog } from '../../../src/graphql/execution/format-errors.ts';
import { RecentOwners } from '../../../src/graphql/execution/recent-owners.ts';
import { createGraphqlHandler, type GraphqlHandlerOptions } from '../../../src/graphql/handler.ts';
import { createExecutableSchema } from '../../../src/graphql/schema/executable-schema.ts';
import { createPublicSchema } from '../../../src/graphql/schema/public-schema.ts';
import { DateTime, EventAttributes, JSONObject, Long } from '../../../src/graphql/schema/scalars.ts';
import { createRateLimiter } from '../../../src/http/rate-limit.ts';
import type { CommandDoor } from '../../../src/ledger/command.ts';
import type { Queries } from '../../../src/queries/queries.ts';
import { refuse } from '../../../src/refusal.ts';
import { fixture } from '../fixture.ts';

export const typeDefs = readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8');

export type FieldResolver = (
  root: unknown,
  args: Record<string, unknown>,
  context: { requestId: string },
) => unknown;

export interface EdgeOptions {
  /** SDL beside schema.graphql's, such as `extend type Query { … }`. */
  extraTypeDefs?: string;
  purchaseEarn?: FieldResolver;
  member?: FieldResolver;
  extraQueries?: Record<string, FieldResolver>;
  extraTypes?: Record<string, Record<string, FieldResolver>>;
  unitsPerWindow?: number;
  refuseCommand?: GraphqlHandlerOptions['refuseCommand'];
}

export interface Reply {
  status: number;
  headers: Headers;
  body: {
    data: Record<string, unknown> | null;
    errors?: Array<{
      message: string;
      path?: Array<string | number>;
      locations?: unknown;
      extensions: {
        code: string;
        httpStatus: number;
        requestId: string;
        details?: Array<{ path: string; message: string }>;
      };
    }>;
  };
}

/** Keys that the tests' `authenticate` knows: everything but `Bearer full` in `sandbox` lacks something. */
const scopesOf: Readonly<Record<string, readonly string[]>> = {
  full: ['members:read', 'events:write'],
  reader: ['members:read'],
  writer: ['events:write'],
  none: [],
};

export const memberAnswer = {
  requestId: 'r',
  member: {
    id: 'mem_1',
    externalCustomerId: 'c-1',
    displayName: 'Ada',
    status: 'active',
    consentStatus: 'granted',
    identityStatus: 'verified',
    consent: { status: 'granted', noticeVersion: '1', at: '2026-01-01T00:00:00.000Z' },
  },
  programs: [],
};

export const purchaseAnswer = { id: 'txn_1', status: 'committed', requestId: 'r', idempotent: false };

export const purchaseInput = {
  idempotencyKey: 'key-1',
  programId: 'coffee-club',
  externalCustomerId: 'c-1',
  amountMinor: 1250,
  channel: 'web',
  sourceReference: 'order-1',
};

export const earnDocument =
  'mutation Earn($input: PurchaseEarnInput!) { purchaseEarn(input: $input) { id status } }';

/** The endpoint over real HTTP on a free port, with resolvers that count their calls and touch no database. */
export async function startEdge(options: EdgeOptions = {}) {
  const calls: string[] = [];
  const logged: Array<{ fields: object; message: string }> = [];
  const counted =
    (name: string, resolve: FieldResolver): FieldResolver =>
    (root, args, context) => {
      calls.push(name);
      return resolve(root, args, context);
    };
  const queries: Record<string, FieldResolver> = {
    member: counted('member', options.member ?? (() => memberAnswer)),
  };
  for (const [name, resolve] of Object.entries(options.extraQueries ?? {})) {
    queries[name] = counted(name, resolve);
  }
  const schema = createPublicSchema(
    createExecutableSchema(
      `${typeDefs}\n${options.extraTypeDefs ?? ''}`,
      {
        Long,
        DateTime,
        JSONObject,
        EventAttributes,
        Query: queries,
        Mutation: { purchaseEarn: counted('purchaseEarn', options.purchaseEarn ?? (() => purchaseAnswer)) },
        ...options.extraTypes,
      },
      options.extraTypeDefs ? () => [] : undefined,
    ),
  );
  const limiter = createRateLimiter({ unitsPerWindow: options.unitsPerWindow ?? 1_000_000 });
  const logger: ErrorLog = { error: (fields, message) => logged.push({ fields, message }) };
  let requests = 0;
  const handler = createGraphqlHandler({
    schema,
    authenticate: async (authorization, environment) => {
      const scopes = scopesOf[authorization?.replace('Bearer ', '') ?? ''];
      if (!scopes || (environment !== 'sandbox' && environment !== 'production')) {
        return refuse('unauthorized', 'No.');
      }
      return {
        keyId: `key-${environment}-${authorization}`,
        principal: 'tests',
        tenantId: 'tenant',
        environmentId: environment,
        environmentKind: environment,
        scopes: new Set(scopes),
      };
    },
    takeRateUnit: (keyId) => limiter.take(keyId),
    exhaustedRate: (keyId) => limiter.exhausted(keyId),
    refuseCommand: options.refuseCommand ?? (() => null),
    commands: {} as CommandDoor,
    queries: {} as Queries,
    couponGuesses: new CouponGuesses((window) => createRateLimiter(window)),
    searches: limiter,
    recentOwners: new RecentOwners(),
    sweep: () => Promise.reject(new Error('nothing is swept')),
    management: {
      run: async () => refuse('management_unavailable', 'There is none here.'),
      issuers: { allowPrivate: false, secrets: null, fetchKeySet: async () => ({ keys: [] }) },
    },
    webhookSettings: { allowPrivate: false, newSecret: () => null },
    widgets: {} as WidgetServices,
    logger,
    reportRefusal: () => {},
    restOnly: new Map(),
    newRequestId: () => `req_${++requests}`,
  });
  const server = createServer(handler).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/graphql`;

  const authorized = {
    authorization: 'Bearer full',
    'x-environment': 'sandbox',
    'content-type': 'application/json',
  };

  /** Posts a body as it is. Headers of null are left out. */
  async function send(
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string | null> = {},
  ): Promise<Reply> {
    const merged = new Headers();
    for (const [name, value] of Object.entries({ ...authorized, ...headers })) {
      if (value !== null) merged.set(name, value);
    }
    const response = await fetch(url, { method: 'POST', headers: merged, body });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Reply['body'],
    };
  }

  return {
    url,
    schema,
    calls,
    logged,
    authorized,
    send,
    /** Posts a document. */
    run: (
      query: string,
      rest: { variables?: unknown; operationName?: unknown } = {},
      headers: Record<string, string | null> = {},
    ) => send(JSON.stringify({ query, ...rest }), headers),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export type Edge = Awaited<ReturnType<typeof startEdge>>;

/** The code of the first error, or null. */
export function codeOf(reply: Reply): string | null {
  return reply.body.errors?.[0]?.extensions.code ?? null;
}

/** An edge for all tests of a file. */
export function useEdge(options?: EdgeOptions): Edge {
  return fixture(
    'the edge',
    () => startEdge(options),
    (edge) => edge.close(),
  );
}
