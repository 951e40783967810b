/** What the OpenAPI document of a surface says apart from its operations. */
export interface ApiDescription {
  prefix: string;
  title: string;
  description: string;
  /** The security schemes that every operation needs. */
  security: Readonly<Record<string, readonly string[]>>;
  securitySchemes: object;
  tags: readonly { name: string; description: string }[];
  /** The tag of operations by the first segment of their path. */
  tagByPath: Readonly<Record<string, string>>;
  /** Whether it describes what is sent to webhook endpoints. */
  tellsWebhooks: boolean;
  /** Whether the surfaces of widgets are below its prefix. */
  hasWidgets: boolean;
}

/** What the operations of pages with a widget need: neither a server key nor `X-Environment`. */
export const widgetSecurity: Readonly<Record<string, readonly string[]>> = { widgetSession: [] };

/** What the operations about whoever has signed in need: the session's cookie alone. */
export const personSecurity: Readonly<Record<string, readonly string[]>> = { personSession: [] };

/** openapi.json: the REST API for merchants’ backends. */
export const merchantApi: ApiDescription = {
  prefix: '/api/v1',
  title: 'Rewards Service',
  description:
    'The REST API of the rewards service, for merchants’ backends. Every mutation is idempotent by its ' +
    'Idempotency-Key: the same key and body can be sent again after any failure.',
  security: { apiKey: [], environment: [] },
  securitySchemes: {
    apiKey: {
      type: 'http',
      scheme: 'bearer',
      description: 'A server key, `svc_test_…` in Sandbox and `svc_live_…` in Production.',
    },
    environment: environmentScheme('The id of the environment that owns the key, `env_…`.'),
    personSession: {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-rewards',
      description:
        'The session of a person who has signed in. On this machine, over http, the cookie is called `rewards-<port>`.',
    },
    widgetSession: {
      type: 'http',
      scheme: 'bearer',
      description:
        'The token of a widget’s session, `wst_…`, which the merchant’s backend makes for ' +
        'a page. The page’s `Origin` has to be that of the session.',
    },
  },
  tags: [
    { name: 'People', description: 'Who has signed in, and its sessions.' },
    { name: 'Members', description: 'Members and their enrollment in programs.' },
    { name: 'Events', description: 'What earns points, and what takes them back.' },
    { name: 'Redemptions', description: 'Rewards: quote, reserve, commit, release, reverse, dispute.' },
    { name: 'Adjustments', description: 'Corrections that two persons make.' },
    { name: 'Engagement', description: 'Engagement events, and the benefits that members choose.' },
    { name: 'Offers', description: 'What a cart is offered, before anything is bought.' },
    { name: 'Transactions', description: 'The ledger, transaction by transaction.' },
    { name: 'Programs', description: 'What is published.' },
    { name: 'Reports', description: 'The ledger, summed up.' },
    { name: 'Issuers', description: 'Issuers of customers’ tokens, and what is wrong with a token.' },
    {
      name: 'Widgets',
      description: 'Deployments of widgets, their sessions, and what pages with a widget do with them.',
    },
    { name: 'Webhooks', description: 'Endpoints that events are sent to, and the deliveries to them.' },
    { name: 'Operations', description: 'Long-running work.' },
    { name: 'Audit', description: 'Who changed what, in a chain of hashes.' },
    { name: 'Search', description: 'Whatever has an id, a name or a code.' },
    { name: 'Environment', description: 'What it is, and whether Production is locked.' },
    { name: 'Sandbox', description: 'The clock of a Sandbox.' },
  ],
  tagByPath: {
    session: 'People',
    sessions: 'People',
    'coupon-codes': 'Offers',
    members: 'Members',
    lists: 'Members',
    events: 'Events',
    returns: 'Events',
    'custom-events': 'Engagement',
    'choice-benefits': 'Engagement',
    redemptions: 'Redemptions',
    adjustments: 'Adjustments',
    programs: 'Programs',
    issuers: 'Issuers',
    search: 'Search',
    'member-merges': 'Members',
    offers: 'Offers',
    transactions: 'Transactions',
    analytics: 'Reports',
    campaigns: 'Reports',
    reports: 'Reports',
    widgets: 'Widgets',
    'webhook-endpoints': 'Webhooks',
    'webhook-deliveries': 'Webhooks',
    'events-feed': 'Webhooks',
    operations: 'Operations',
    'audit-events': 'Audit',
    environment: 'Environment',
    sandbox: 'Sandbox',
  },
  tellsWebhooks: true,
  hasWidgets: true,
};

/** openapi.customer.json: the API for customers. */
export const customerApi: ApiDescription = {
  prefix: '/loyalty/v1',
  title: 'Rewards Service, for customers',
  description:
    'The customer-facing API of the rewards service, for merchants’ apps and pages. Whom a ' +
    'request is about, its token says: nothing in a path, a query or a body can name a ' +
    'customer. Every mutation is idempotent by its Idempotency-Key.',
  security: { customerToken: [], environment: [] },
  securitySchemes: {
    customerToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'A token of an issuer of the environment; its claim `sub` is the externalCustomerId.',
    },
    environment: environmentScheme('The id of the environment that takes the token, `env_…`.'),
  },
  tags: [
    { name: 'Member', description: 'The signed-in customer, its programs and what it has done.' },
    { name: 'Purchases', description: 'What a purchase would earn.' },
    { name: 'Redemptions', description: 'Rewards: catalog, quote, reserve, commit, release, reverse.' },
  ],
  tagByPath: {
    member: 'Member',
    programs: 'Member',
    activity: 'Member',
    catalog: 'Redemptions',
    purchases: 'Purchases',
    redemptions: 'Redemptions',
  },
  tellsWebhooks: false,
  hasWidgets: false,
};

function environmentScheme(description: string): object {
  return { type: 'apiKey', in: 'header', name: 'X-Environment', description };
}
