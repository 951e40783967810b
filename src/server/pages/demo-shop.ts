import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Express, RequestHandler, Response } from 'express';
import { answerFailure } from '../../../rest-adapter/answer.ts';
import { compileSchema, type Validate } from '../../graphql/schema/validate-input.ts';
import { isLocal } from '../../http/local-request.ts';
import { discardBody, readJsonBody } from '../../http/read-json-body.ts';
import { StaticDocument } from '../../http/static-document.ts';
import { parseStrictJson } from '../../http/strict-json.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { requestIdOf } from '../requests/send-error.ts';
import type { Refusals } from '../service/refusals.ts';
import { bundle } from '../widgets/bundle.ts';

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
const folder = new URL('../../../web/widget/demo/', import.meta.url);
/** The customers of the demo: sessions are for nobody else. */
const CUSTOMERS: readonly unknown[] = ['customer-ada', 'customer-grace', 'customer-alan'];
const PURCHASE_MINOR = 15_000;
const BODY_LIMIT_BYTES = 1_000;

const otherOrigin = refuse('origin_not_allowed', "Only the demo's own page sends such requests.");
const otherCustomer = refuse(
  'insufficient_scope',
  `The demo's shop has these customers: ${CUSTOMERS.join(', ')}.`,
);

const text = { type: 'string' };
/** The reference of a purchase is its idempotency key too. */
const key = {
  ...text,
  pattern: '^[\\x21-\\x7e]{1,255}$',
  'x-message': 'must be 1 to 255 visible ASCII characters',
};
const checkSession = compileBody({ externalCustomerId: text });
const checkPurchase = compileBody({ externalCustomerId: text, sourceReference: key });

function compileBody(properties: object): Validate {
  return compileSchema({
    ...{ type: 'object', properties },
    ...{ required: Object.keys(properties), additionalProperties: false },
  });
}

/**
 * Serves a page that shows the demo's widget, and what a shop's backend does for it: it opens sessions of the demo's
 * customers, and sends purchases, through the REST API with the demo's key. All of it is for requests from this machine
 * alone, as the key is.
 */
export function serveDemoShop(app: Express, demo: DemoShop, reportRefusal: Refusals['note']): void {
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
    script ??= bundle('web/widget/demo/widget.ts').then(
      (text) => new StaticDocument(text, { 'Content-Type': 'text/javascript; charset=utf-8' }),
    );
    await (await script).send(request, response);
  });
  app.post(`${PATH}/session`, onlyHere, (request, response) =>
    handle(request, response, checkSession, reportRefusal, ({ externalCustomerId }) => {
      const path = `widgets/${demo.deploymentId}/sessions`;
      return sendAsShop(request, response, demo, path, {
        externalCustomerId,
        origin: request.headers.origin,
      });
    }),
  );
  app.post(`${PATH}/purchase`, onlyHere, (request, response) =>
    handle(request, response, checkPurchase, reportRefusal, ({ externalCustomerId, sourceReference }) =>
      sendAsShop(request, response, demo, 'events', {
        type: 'purchase.completed',
        programId: demo.programId,
        ...{ externalCustomerId, sourceReference, amountMinor: PURCHASE_MINOR, channel: 'web' },
      }),
    ),
  );
}

/** Passes on only requests from this machine: to everybody else the path is unknown. */
const onlyHere: RequestHandler = (request, _response, next) => next(isLocal(request) ? undefined : 'route');

/** Reads the body of a request, and gives it to `pass`, which answers; or answers why it is refused. */
async function handle(
  request: IncomingMessage,
  response: Response,
  check: Validate,
  reportRefusal: Refusals['note'],
  pass: (body: Readonly<Record<string, unknown>>) => Promise<void>,
): Promise<void> {
  const body = await readBody(request, response, check);
  if ('ok' in body) return pass(body.value);
  const { code, message, details } = body;
  reportRefusal(response, code);
  discardBody(request, response, BODY_LIMIT_BYTES);
  answerFailure(
    { response, headers: {}, requestId: requestIdOf(request) },
    { code, message, ...(details && { details }) },
  );
}

/** @returns what the page asks for one of the demo's customers, or why the request is refused */
async function readBody(
  request: IncomingMessage,
  response: Response,
  check: Validate,
): Promise<{ ok: true; value: Record<string, unknown> } | Refusal> {
  // A page of another site may send a request to this machine, but may not act for the demo's customers.
  const { origin, host } = request.headers;
  if (origin !== `http://${host}`) return otherOrigin;
  const bytes = await readJsonBody(request, response, BODY_LIMIT_BYTES);
  if (isRefusal(bytes)) return bytes;
  const parsed = parseStrictJson(bytes);
  if (!parsed.ok) return refuse('invalid_json', parsed.message);
  const { value, violations } = parsed;
  const wrong = check(value);
  const details = wrong.length > 0 ? wrong : violations;
  const [first] = details;
  if (first) {
    const message = `The request violates the contract: ${first.path} ${first.message}.`;
    return refuse('validation_failed', message, details);
  }
  return CUSTOMERS.includes(value.externalCustomerId) ? { ok: true, value } : otherCustomer;
}

/** Sends a request to the REST API of this server with the demo's key, and passes the answer on. */
async function sendAsShop(
  request: IncomingMessage,
  response: Response,
  { environmentId, apiKey }: DemoShop,
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
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
 * The page loads from this server alone, and has no inline script or style. It sends to this server under both of its
 * names.
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
