import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import express, { type Express, type RequestHandler, type Response } from 'express';
import { isLocal } from '../http/local-request.ts';
import { StaticDocument } from '../http/static-document.ts';
import { bundle } from './bundle.ts';

/** What the page of the demo's widget works with. */
export interface DemoShop {
  environmentId: string;
  /** A key of the environment with every scope: what a shop's backend has. */
  apiKey: string;
  programId: string;
  /** TypeID `wdg_…`. */
  deploymentId: string;
}

const PATH = '/demo/widget';
const folder = new URL('../../web/demo/', import.meta.url);
/** The customers of the demo: sessions are for nobody else. */
const CUSTOMERS: readonly unknown[] = ['customer-ada', 'customer-grace', 'customer-alan'];
const PURCHASE_MINOR = 15_000;

/**
 * Serves a page that shows the demo's widget, and what a shop's backend does for it: it opens sessions of the demo's
 * customers, and sends purchases, through the REST API with the demo's key. All of it is for requests from this machine
 * alone, as the key is.
 */
export function serveDemoShop(app: Express, demo: DemoShop): void {
  const html = readFileSync(new URL('widget.html', folder), 'utf8');
  const page = html.replace('{{deployment}}', demo.deploymentId);
  const css = new StaticDocument(readFileSync(new URL('widget.css', folder), 'utf8'), {
    'Content-Type': 'text/css; charset=utf-8',
  });
  let script: Promise<StaticDocument> | null = null;
  app.get(PATH, onlyHere, (request, response) => {
    response.setHeader('Cache-Control', 'no-store').setHeader('Content-Security-Policy', policyOf(request));
    response.type('html').send(page);
  });
  app.get(`${PATH}.css`, onlyHere, (request, response) => css.send(request, response));
  app.get(`${PATH}.js`, onlyHere, async (request, response) => {
    script ??= bundle('web/demo/widget.ts').then(
      (text) => new StaticDocument(text, { 'Content-Type': 'text/javascript; charset=utf-8' }),
    );
    await (await script).send(request, response);
  });
  const body = express.json({ limit: 1_000 });
  app.post(`${PATH}/session`, onlyHere, body, async (request, response) => {
    const { externalCustomerId } = request.body as { externalCustomerId?: unknown };
    const { origin } = request.headers;
    const path = `widgets/${demo.deploymentId}/sessions`;
    await sendAsShop(request, response, demo, path, externalCustomerId, { externalCustomerId, origin });
  });
  app.post(`${PATH}/purchase`, onlyHere, body, async (request, response) => {
    const { externalCustomerId, sourceReference } = request.body as Record<string, unknown>;
    await sendAsShop(request, response, demo, 'events', externalCustomerId, {
      type: 'purchase.completed',
      programId: demo.programId,
      ...{ externalCustomerId, sourceReference, amountMinor: PURCHASE_MINOR, channel: 'web' },
    });
  });
}

/** Passes on only requests from this machine: to everybody else the path is unknown. */
const onlyHere: RequestHandler = (request, _response, next) => next(isLocal(request) ? undefined : 'route');

/** Sends a request to the REST API of this server with the demo's key, and passes the answer on. */
async function sendAsShop(
  request: IncomingMessage,
  response: Response,
  { environmentId, apiKey }: DemoShop,
  path: string,
  externalCustomerId: unknown,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  // A page of another site may send a request to this machine, but may not act for the demo's customers.
  const { origin, host } = request.headers;
  if (origin !== `http://${host}` || !CUSTOMERS.includes(externalCustomerId)) {
    response.status(403).end();
    return;
  }
  const { localAddress = '', localPort } = request.socket;
  const address = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  const answer = await fetch(`http://${address}:${localPort}/api/v1/${path}`, {
    method: 'POST',
    headers: {
      ...{ Authorization: `Bearer ${apiKey}`, 'X-Environment': environmentId },
      'Content-Type': 'application/json',
      ...(body.sourceReference === undefined ? {} : { 'Idempotency-Key': String(body.sourceReference) }),
    },
    body: JSON.stringify(body),
  });
  response.status(answer.status).setHeader('Cache-Control', 'no-store');
  response.type('json').send(await answer.text());
}

/**
 * The page loads from this server alone, and has no inline script or style. It sends to this server under both of its names.
 */
function policyOf({ headers }: IncomingMessage): string {
  const port = /:\d+$/.exec(headers.host ?? '')?.[0] ?? '';
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self' http://localhost${port} http://127.0.0.1${port}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}
