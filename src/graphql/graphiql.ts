import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLocal } from '../http/local-request.ts';
import { StaticDocument } from '../http/static-document.ts';
import { type ExampleValues, exampleDocuments, exampleHeaders, FRESH } from './graphiql-examples.ts';
import { graphqlPath } from './yoga.ts';

export interface GraphiqlOptions {
  /** Absent, or for a request from another machine: the page has placeholders where the values go. */
  demo?: ExampleValues;
}

/**
 * Two corrections. The editor's font draws an `x` between digits as a multiplication sign, and ids are to be read
 * letter by letter. A tab that gets the focus jumps aside, because it keeps a transform of the animation with which it
 * appeared: the first click on it would be lost.
 */
const STYLE = `<style>
  * { font-variant-ligatures: none !important; font-feature-settings: "liga" 0, "calt" 0 !important; }
  .graphiql-tab { transform: none !important; }
</style>`;

/** Puts a new id in the place of each FRESH of a request, before the page's own script. */
const FRESH_IDS = `(() => {
  const send = window.fetch.bind(window);
  window.fetch = (url, options) =>
    send(url, typeof options?.body === 'string'
      ? { ...options, body: options.body.replaceAll('${FRESH}', () => crypto.randomUUID()) }
      : options);
})();
`;

/**
 * Serves GraphiQL, one page that loads nothing from other sites. It is for Sandbox only: the caller checks that there
 * is a Sandbox environment. The page is rendered once, at its first request, because it takes nine megabytes of memory.
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
    plainPage ??= renderPage(null);
    return plainPage;
  }

  return (req, res, next) => {
    pageFor(req)
      .then((page) => page.send(req, res))
      .catch((error: unknown) => (next ? next(error) : res.destroy()));
  };
}

async function renderPage(demo: ExampleValues | null): Promise<StaticDocument> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const headers = exampleHeaders(demo);
  const page = renderGraphiQL({
    title: 'Rewards service · GraphiQL (Sandbox)',
    endpoint: graphqlPath,
    credentials: 'omit',
    headers,
    defaultHeaders: headers,
    shouldPersistHeaders: false,
    defaultQuery: '',
    defaultTabs: exampleDocuments(demo).map((query) => ({ query, headers })),
  });
  const html = page
    .replace('</head>', () => `${STYLE}</head>`)
    .replace('<script>', () => `<script>${FRESH_IDS}`);
  return new StaticDocument(html, {
    'Content-Type': 'text/html; charset=utf-8',
    // The page can contain the demo's key.
    'Cache-Control': 'no-store',
    'Content-Security-Policy': contentSecurityPolicyOf(html),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
}

/**
 * The page's one script is allowed by its hash. Its editor creates workers from blobs, and its own styles. Nothing may
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
