import { createHash } from 'node:crypto';
import { graphqlPath } from '../../graphql/yoga.ts';
import { StaticDocument } from '../../http/static-document.ts';
import type { DocumentationPage } from './documentation.ts';

const STYLE = `
/* The colours of the widget's page (web/widget/demo/widget.css). */
:root { color-scheme: light dark; color: light-dark(#1d1b26, #f1eff7); background: light-dark(#f5f3f9, #14121b); }
a { color: light-dark(#5636c8, #bdaeff); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1.25rem; }
h1 { font-size: 1.6rem; margin-bottom: 0; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.5rem; margin: 0; }
dd { margin: 0; }
ul { columns: 15rem; margin: 0; padding: 0; list-style: none; line-height: 1.8; }
@media (max-width: 32rem) { dl { display: block; } dd { margin-bottom: .6rem; } }
`;

/** The page may load and send nothing. Its one style is allowed by its hash. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Creates the page that a browser sees at `/` and `/docs`. It lists what is served, with the paths.
 * @param served whether GraphiQL is served, and the page of the demo's widget
 */
export function createFrontPage(
  served: { graphiql: boolean; demo: boolean },
  documentation: readonly DocumentationPage[],
): StaticDocument {
  const rows = [
    ...(served.demo
      ? [row('/demo/widget', 'Widget', "what customers see of their points, with the demo's members")]
      : []),
    ...(served.graphiql ? [row('/graphiql', 'GraphiQL', 'try GraphQL in the browser, in Sandbox')] : []),
    row('/openapi.json', 'OpenAPI', 'the REST API under /api/v1, as OpenAPI 3.1'),
    row('/openapi.customer.json', 'OpenAPI for customers', 'the API of customers under /loyalty/v1'),
    row(`${graphqlPath}/schema.graphql`, 'SDL', `the GraphQL schema of POST ${graphqlPath}`),
    row('/schemas/program.v1.json', 'Program schema', 'the JSON Schema of program documents, for editors'),
    row('/schemas/widget.v1.json', 'Widget schema', 'the JSON Schema of widget documents, for editors'),
    row('/schemas/agent-rewards-surface.v1.json', 'Surface schema', 'the JSON Schema of what widgets show'),
    row(
      '/widgets/svc-rewards.js',
      'Web component',
      'the script of &lt;svc-rewards&gt;; <a href="/widgets/manifest.json">its integrity</a>',
    ),
    row('/schemas/webhook-events.v1.json', 'Webhook schema', 'the JSON Schema of what webhook endpoints get'),
    row('/schemas/webhook-events.v1.ts', 'Webhook types', 'the same as types of TypeScript'),
    row('/readyz', 'Health', 'whether this server can take requests'),
  ];
  const pages = documentation.map(({ path, title }) => `<li><a href="${path}">${escapeHtml(title)}</a></li>`);
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Rewards service</title>
<style>${STYLE}</style>
<main>
<h1>Rewards service</h1>
<p>Members, points and redemptions for merchants' backends, through REST and GraphQL.</p>
<dl>
${rows.join('\n')}
</dl>
<h2>Documentation</h2>
<ul>
${pages.join('\n')}
</ul>
</main>
</html>
`;
  return new StaticDocument(html, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    Vary: 'Accept',
  });
}

function row(path: string, name: string, description: string): string {
  return `<dt><a href="${path}">${name}</a></dt><dd>${description}</dd>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
