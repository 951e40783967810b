import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The site of a merchant, with a page that embeds a widget. */
export interface Shop {
  /** The origin of its pages. */
  url: string;
  /** The widget that its page shows, and where that is served. */
  widget: { deploymentId: string; base: string };
  /** Gives the page a session's token for the customer of its query; null for nobody. */
  openSession: (externalCustomerId: string) => Promise<string | null>;
  close(): Promise<void>;
}

/** A page in a few lines, as docs/guide/widget.md shows it, and what tests want to know of it. */
const SCRIPT = `
const widget = document.querySelector('svc-rewards');
const customer = new URLSearchParams(location.search).get('customer');
globalThis.seen = { events: [], violations: [], shifts: [], tokens: 0, firstFrameAt: null };
document.addEventListener('securitypolicyviolation', (event) => seen.violations.push(event.violatedDirective + ' ' + event.blockedURI));
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.shifts.push([entry.startTime, entry.value]);
}).observe({ type: 'layout-shift', buffered: true });
for (const name of ['loaded', 'redeemed', 'signed-out', 'error'])
  widget.addEventListener('svc-rewards:' + name, ({ detail, timeStamp }) => seen.events.push({ name, timeStamp, detail }));
customElements.whenDefined('svc-rewards').then(() =>
  requestAnimationFrame(() => setTimeout(() => { seen.firstFrameAt = performance.now(); })));
if (customer !== null)
  widget.getToken = async () => {
    seen.tokens += 1;
    const response = await fetch('/token?customer=' + encodeURIComponent(customer));
    return (await response.json()).token;
  };
`;

/** The second rule keeps the place of the widget until its script is there (docs/guide/widget.md). */
const STYLE = `
body { font: 1rem/1.5 sans-serif; background: light-dark(#ffffff, #121016); color: light-dark(#111111, #eeeeee); }
svc-rewards:not(:defined) { display: block; min-height: 100vh; }
`;

/** Starts a shop on an origin of its own. Its policy allows what the widget needs, and nothing more. */
export async function startShop(): Promise<Shop> {
  const shop: Shop = {
    url: '',
    widget: { deploymentId: '', base: '' },
    openSession: async () => null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const policy = (): string => {
    const { base } = shop.widget;
    return [
      "default-src 'none'",
      `script-src 'self' ${base}`,
      "style-src 'self'",
      `connect-src 'self' ${base}`,
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; ');
  };
  const page = (): string => {
    const { deploymentId, base } = shop.widget;
    return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Shop</title>
<link rel="stylesheet" href="/page.css">
<script type="module" src="/page.js"></script>
<script type="module" src="${base}/widgets/svc-rewards.js"></script></head>
<body><main><h1>Shop</h1>
<svc-rewards deployment="${deploymentId}" base="${base}"><a slot="sign-in" href="/login">Sign in</a></svc-rewards>
</main><footer><p>The end of the page.</p></footer></body></html>`;
  };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop');
    if (pathname === '/page.js') {
      response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(SCRIPT);
    } else if (pathname === '/page.css') {
      response.writeHead(200, { 'Content-Type': 'text/css' }).end(STYLE);
    } else if (pathname === '/token') {
      const token = await shop.openSession(searchParams.get('customer') ?? '').catch(() => null);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ token }));
    } else if (pathname === '/') {
      const headers = { 'Content-Type': 'text/html', 'Content-Security-Policy': policy() };
      response.writeHead(200, headers).end(page());
    } else response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  shop.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return shop;
}
