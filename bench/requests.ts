import { documents } from '../rest-adapter/generated/documents.ts';
import { customerOf, purchaseOf, type Series } from './purchases.ts';
import type { ScenarioId, Target } from './scenarios.ts';

/** The requests of a scenario and how each answer must look. */
export interface HttpLoad {
  port: number;
  /** The whole request, ASCII alone. `number` counts through the scenario's requests. */
  request(number: number): string;
  /** What every answer begins with. */
  statusLine: string;
  /** What every answer holds besides. */
  mark: string;
  /** Whether the answers award points, which are added up. */
  awards: boolean;
}

const CREATED = 'HTTP/1.1 201 ';
const OK = 'HTTP/1.1 200 ';

/** @param recorded how many purchases of series `b` there are to replay */
export function httpLoad(scenario: Exclude<ScenarioId, 'a'>, target: Target, recorded: number): HttpLoad {
  const { serverPort, members } = target;
  switch (scenario) {
    case 'b':
    case 'd':
      return {
        port: serverPort,
        request: eventRequests(target, scenario),
        statusLine: CREATED,
        mark: '"status":"committed"',
        awards: true,
      };
    case 'c':
      return {
        port: serverPort,
        request: graphqlRequests(target),
        statusLine: OK,
        mark: '"idempotent":false',
        awards: true,
      };
    case 'f': {
      const request = eventRequests(target, 'b');
      return {
        port: serverPort,
        request: (number) => request(number % recorded),
        statusLine: OK,
        mark: 'Idempotent-Replayed: true',
        awards: false,
      };
    }
    case 'e0':
      return {
        port: target.barePort,
        request: (number) =>
          `GET /members/${customerOf(number, members)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
        statusLine: OK,
        mark: '"balances":',
        awards: false,
      };
    case 'e': {
      const headers = headerLines(target);
      return {
        port: serverPort,
        request: (number) =>
          `GET /api/v1/members/${customerOf(number, members)} HTTP/1.1\r\n${headers(number)}\r\n`,
        statusLine: OK,
        mark: '"balances":',
        awards: false,
      };
    }
  }
}

function eventRequests(target: Target, series: Series): (number: number) => string {
  const headers = headerLines(target);
  return (number) => {
    const { idempotencyKey, ...purchase } = purchaseOf(series, number, target.members);
    const body = JSON.stringify({ type: 'purchase.completed', ...purchaseFields(target, purchase) });
    return `POST /api/v1/events HTTP/1.1\r\n${headers(number)}Idempotency-Key: ${idempotencyKey}\r\n${content(body)}`;
  };
}

/** The same selection as the REST operation's document. */
function graphqlRequests(target: Target): (number: number) => string {
  const headers = headerLines(target);
  const query = JSON.stringify(documents.purchaseEarn);
  return (number) => {
    const { idempotencyKey, ...purchase } = purchaseOf('c', number, target.members);
    const input = JSON.stringify({ idempotencyKey, ...purchaseFields(target, purchase) });
    const body = `{"query":${query},"variables":{"input":${input}}}`;
    return `POST /api/graphql HTTP/1.1\r\n${headers(number)}${content(body)}`;
  };
}

function purchaseFields({ programId, items }: Target, purchase: object): object {
  const fields = { programId, ...purchase, channel: 'web', currency: 'USD' };
  return items > 0 ? { ...fields, items: itemsOf(items) } : fields;
}

/** Lines of an order, which the service stores with it. */
export function itemsOf(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    lineReference: `line-${index + 1}`,
    sku: `sku-${index + 1}`,
    category: 'coffee',
    quantity: 1 + (index % 3),
    unitPriceMinor: 450,
  }));
}

/** Keys take turns, so that none comes to its limit. */
function headerLines({ apiKeys, environmentId }: Target): (number: number) => string {
  const lines = apiKeys.map(
    (key) => `Host: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nX-Environment: ${environmentId}\r\n`,
  );
  return (number) => lines[number % lines.length] as string;
}

function content(body: string): string {
  return `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
