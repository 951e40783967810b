import { documents } from '../rest-adapter/generated/documents.ts';
import { CREATED, type HttpScenario, OK, type Step } from './http-scenario.ts';
import { cartEvaluations } from './offers.ts';
import { pageReads } from './pages.ts';
import { customerOf, purchaseOf, type Series } from './purchases.ts';
import { quotes, redemptionPairs } from './redemptions.ts';
import { content, headerLines, restPosts } from './request-text.ts';
import type { Job, ScenarioId, Target } from './scenarios.ts';

const AWARDED = '"award":{"points":';

/**
 * The requests of a job.
 * @param gathered ids of quotes: `g0` adds those that it makes, `g` redeems them
 */
export function httpScenario(
  scenario: Exclude<ScenarioId, 'a'>,
  target: Target,
  { recorded, place, cursor }: Job,
  gathered: string[],
): HttpScenario {
  const { serverPort: port, members } = target;
  const only = (step: Step): HttpScenario => ({ port, steps: [step], end: null, points: null });
  switch (scenario) {
    case 'b':
    case 'd': {
      const request = eventRequests(target, scenario);
      return {
        ...only({ request, statusLine: CREATED, mark: '"status":"committed"' }),
        points: AWARDED,
      };
    }
    case 'c': {
      const request = graphqlRequests(target);
      return { ...only({ request, statusLine: OK, mark: '"idempotent":false' }), points: AWARDED };
    }
    case 'f': {
      const request = eventRequests(target, 'b');
      return only({
        request: (number) => request(number % recorded),
        statusLine: OK,
        mark: 'Idempotent-Replayed: true',
      });
    }
    case 'e0': {
      const request = (number: number): string =>
        `GET /members/${customerOf(number, members)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
      return { ...only({ request, statusLine: OK, mark: '"balances":' }), port: target.barePort };
    }
    case 'e': {
      const headers = headerLines(target);
      const request = (number: number): string =>
        `GET /api/v1/members/${customerOf(number, members)} HTTP/1.1\r\n${headers(number)}\r\n`;
      return only({ request, statusLine: OK, mark: '"balances":' });
    }
    case 'g0':
      return quotes(port, place ?? target, gathered);
    case 'g':
      return redemptionPairs(port, place ?? target, gathered);
    case 'h':
      return {
        ...only({ request: returnRequests(target), statusLine: CREATED, mark: '"status":"committed"' }),
        end: recorded,
        points: '"pointsClawedBack":',
      };
    case 'j': {
      const request = storeRequests({ ...target, ...place });
      return {
        ...only({ request, statusLine: CREATED, mark: '"status":"committed"' }),
        points: AWARDED,
      };
    }
    case 'i':
      return cartEvaluations(port, place ?? target);
    default:
      return pageReads(scenario, port, place ?? target, cursor);
  }
}

function eventRequests(target: Target, series: Series): (number: number) => string {
  const post = restPosts(target);
  return (number) => {
    const { idempotencyKey, ...purchase } = purchaseOf(series, number, target.members);
    return post(number, '/events', idempotencyKey, {
      type: 'purchase.completed',
      ...purchaseFields(target, purchase),
    });
  };
}

/** Purchases in the store for 41 to 60 dollars: half of them are big baskets, and members soon qualify as regulars. */
function storeRequests(target: Target): (number: number) => string {
  const post = restPosts(target);
  return (number) => {
    const { idempotencyKey, ...purchase } = purchaseOf('j', number, target.members);
    return post(number, '/events', idempotencyKey, {
      type: 'purchase.completed',
      ...purchaseFields(target, { ...purchase, amountMinor: purchase.amountMinor + 4_000 }),
      channel: 'store',
    });
  };
}

/** Returns half of the amount of each purchase of series `b`. */
function returnRequests(target: Target): (number: number) => string {
  const post = restPosts(target);
  return (number) => {
    const { idempotencyKey, sourceReference, amountMinor } = purchaseOf('b', number, target.members);
    return post(number, '/returns', idempotencyKey, {
      sourceReference,
      returnReference: `return-of-${sourceReference}`,
      returnAmountMinor: Math.ceil(amountMinor / 2),
    });
  };
}

/** Purchases over GraphQL with the same selection as the REST operation's document. */
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

/** The lines of an order, which the service stores with it. */
export function itemsOf(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    lineReference: `line-${index + 1}`,
    sku: `sku-${index + 1}`,
    category: 'coffee',
    quantity: 1 + (index % 3),
    unitPriceMinor: 450,
  }));
}
