import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StaticDocument } from '../http/static-document.ts';
import { graphqlPath } from './yoga.ts';

/** What the page is filled in with, so that its examples run as they stand. */
export interface GraphiqlDemo {
  environmentId: string;
  apiKey: string;
  programId: string;
  /** A member who is enrolled in the program. */
  externalCustomerId: string;
}

export interface GraphiqlOptions {
  /** Without it, or for who asks from elsewhere than this machine, the page shows where credentials go. */
  demo?: GraphiqlDemo;
}

const placeholders: GraphiqlDemo = {
  environmentId: '<environment_id>',
  apiKey: '<API_KEY>',
  programId: 'coffee-club',
  externalCustomerId: '<external_customer_id>',
};

// Values stand in the documents themselves: GraphiQL fills the variables of its first tab from nowhere.
const memberExample = ({ externalCustomerId }: GraphiqlDemo): string => `# A member with tier and balances.
query Member {
  member(externalCustomerId: ${JSON.stringify(externalCustomerId)}) {
    requestId
    member { id displayName status consentStatus }
    programs {
      programId
      tier
      balances { accountType available pending reserved }
    }
  }
}
`;

const purchaseExample = ({ programId, externalCustomerId }: GraphiqlDemo): string => `# Points for a purchase.
# Run it twice: the second answer is the first one again, with idempotent: true.
mutation PurchaseEarn {
  purchaseEarn(input: {
    idempotencyKey: "graphiql-order-1"
    programId: ${JSON.stringify(programId)}
    externalCustomerId: ${JSON.stringify(externalCustomerId)}
    amountMinor: 1250
    channel: web
    sourceReference: "graphiql-order-1"
  }) {
    id
    status
    requestId
    idempotent
    award { points basePoints campaignPoints }
    ruleDecisions { kind id matched reason points }
  }
}
`;

/**
 * A page of another site can have its own name point to this machine, and then reads what we serve under it: the
 * demo's key is for who asks for this machine by name.
 */
const ownHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;
const loopback = /^(?:::ffff:)?127\.|^::1$/;

/**
 * Whether who asks sits at this machine: by the connection, which nobody can make up, and by the name that was asked
 * for. What a proxy passes on comes from somewhere else.
 */
function isLocal({ socket, headers }: IncomingMessage): boolean {
  if (!loopback.test(socket.remoteAddress ?? '')) return false;
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) return false;
  return headers.host !== undefined && ownHost.test(headers.host);
}

/**
 * Serves GraphiQL, one page that loads nothing from elsewhere. For Sandbox alone: whether there is one is the caller's
 * to know. The page is made when it is first asked for, and once: a server without visitors holds none of its nine
 * megabytes.
 */
export function createGraphiqlHandler(
  options: GraphiqlOptions = {},
): (req: IncomingMessage, res: ServerResponse, next?: (error: unknown) => void) => void {
  const { demo } = options;
  let demoPage: Promise<StaticDocument> | null = null;
  let plainPage: Promise<StaticDocument> | null = null;

  function pageFor(request: IncomingMessage): Promise<StaticDocument> {
    if (demo && isLocal(request)) {
      demoPage ??= renderPage(demo);
      return demoPage;
    }
    plainPage ??= renderPage(placeholders);
    return plainPage;
  }

  return (req, res, next) => {
    pageFor(req)
      .then((page) => page.send(req, res))
      .catch((error: unknown) => (next ? next(error) : res.destroy()));
  };
}

async function renderPage(demo: GraphiqlDemo): Promise<StaticDocument> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const headers = JSON.stringify(
    { Authorization: `Bearer ${demo.apiKey}`, 'X-Environment': demo.environmentId },
    null,
    2,
  );
  const html = renderGraphiQL({
    title: 'Rewards service · GraphiQL (Sandbox)',
    endpoint: graphqlPath,
    credentials: 'omit',
    headers,
    defaultHeaders: headers,
    shouldPersistHeaders: false,
    defaultQuery: '',
    defaultTabs: [
      { query: memberExample(demo), headers },
      { query: purchaseExample(demo), headers },
    ],
  });
  return new StaticDocument(html, {
    'Content-Type': 'text/html; charset=utf-8',
    // It may hold the demo's key.
    'Cache-Control': 'no-store',
    'Content-Security-Policy': contentSecurityPolicyOf(html),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
}

/**
 * The page's one script is allowed by its hash; its editor makes workers of blobs and styles of its own. Nothing may
 * be loaded from, or sent to, another origin.
 */
function contentSecurityPolicyOf(html: string): string {
  const opening = '<script>';
  const script = html.slice(html.indexOf(opening) + opening.length, html.lastIndexOf('</script>'));
  const hash = createHash('sha256').update(script).digest('base64');
  return [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
