import { documents } from '../rest-adapter/generated/documents.ts';
import { checkReceipt, type FirstReceipts, isSampled, receiptOf } from './answer-checks.ts';
import { codeOf, PLAIN_COUPON } from './codes.ts';
import { customerReads, surfaceReads } from './customers.ts';
import { CREATED, type HttpScenario, OK, type Step } from './http-scenario.ts';
import { listReads } from './lists.ts';
import { cartEvaluations, previews } from './offers.ts';
import { pageReads } from './pages.ts';
import { type BenchPurchase, customerOf, purchaseOf, type Series } from './purchases.ts';
import { quotes, redemptionPairs } from './redemptions.ts';
import { content, headerLines, restPosts } from './request-text.ts';
import type { Job, ScenarioId, Target } from './scenarios.ts';

const AWARDED = '"award":{"points":';

/** What the load process remembers from job to job. */
export interface LoadMemory {
  /** Ids of all quotes that were made, redeemed or not, in the order of their responses. */
  quotes: string[];
  receipts: FirstReceipts;
  /** Tokens or sessions of the members, where the scenario needs them. */
  credentials: readonly string[];
}

/** The requests of a job to one place. @param target with the fields of that place */
export function httpScenario(
  scenario: Exclude<ScenarioId, 'a' | 't0'>,
  target: Target,
  { recorded, cursor }: Pick<Job, 'recorded' | 'cursor'>,
  { quotes: gathered, receipts, credentials }: LoadMemory,
): HttpScenario {
  const { serverPort: port, members } = target;
  const only = (step: Step): HttpScenario => ({ port, steps: [step], end: null, points: null });
  switch (scenario) {
    case 'b': {
      const purchases = restPurchases(target, 'b');
      return {
        ...purchases,
        take(answer, number) {
          purchases.take?.(answer, number);
          receipts.keep(number, answer);
        },
      };
    }
    case 'd':
    case 'm':
    case 'o':
    case 'z':
      return restPurchases(target, scenario);
    case 'w1':
    case 'w5':
      return restPurchases(target, 'w');
    case 'j':
      return restPurchases(target, 'j');
    case 'k0':
      return couponPurchases(target, 'k0', () => PLAIN_COUPON);
    case 'k':
      return couponPurchases(target, 'k', codeOf);
    case 'c':
      return graphqlPurchases(target);
    case 'f': {
      const request = eventRequests(target, 'b');
      return {
        ...only({
          request: (number) => request(number % recorded),
          statusLine: OK,
          mark: 'Idempotent-Replayed: true',
        }),
        take: (answer, number) => receipts.compare(number % recorded, answer),
      };
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
    case 'l':
      return customerReads(target, credentials);
    case 's0':
    case 's':
      return surfaceReads(target, scenario === 's' ? credentials : null);
    case 'g0':
      return quotes(port, target, gathered);
    case 'g':
      return redemptionPairs(port, target, gathered);
    case 'h':
      return {
        ...only({ request: returnRequests(target), statusLine: CREATED, mark: '"status":"committed"' }),
        end: recorded,
        points: '"pointsClawedBack":',
      };
    case 'i':
      return cartEvaluations(port, target);
    case 'v':
      return previews(port, target);
    case 'p1':
    case 'p2':
    case 'p3':
    case 'p4':
      return pageReads(scenario, port, target, cursor);
    default:
      return listReads(scenario, port, target);
  }
}

/** Purchases over REST; those of series `j` are made in the store, where campaigns apply. */
function restPurchases(target: Target, series: Series): HttpScenario {
  const request = series === 'j' ? storeRequests(target) : eventRequests(target, series);
  return {
    port: target.serverPort,
    steps: [{ request, statusLine: CREATED, mark: '"status":"committed"' }],
    end: null,
    points: AWARDED,
    take: checkSample(target, series),
  };
}

/**
 * Purchases over REST with a coupon code each, which all of them redeem.
 * @param codeOfNumber by number of the request
 */
function couponPurchases(
  target: Target,
  series: Series,
  codeOfNumber: (number: number) => string,
): HttpScenario {
  const request = eventRequests(target, series, (number) => ({ couponCode: codeOfNumber(number) }));
  return {
    port: target.serverPort,
    steps: [{ request, statusLine: CREATED, mark: '"valid":true,"redeemed":true' }],
    end: null,
    points: AWARDED,
    take: checkSample(target, series, true),
  };
}

/** Purchases over GraphQL with the same selection as the REST operation's document. */
function graphqlPurchases(target: Target): HttpScenario {
  return {
    port: target.serverPort,
    steps: [{ request: graphqlRequests(target), statusLine: OK, mark: '"idempotent":false' }],
    end: null,
    points: AWARDED,
    take: checkSample(target, 'c'),
  };
}

/** Checks the receipts of a sample in full. */
function checkSample({ members, multipliers }: Target, series: Series, campaigns = series === 'j') {
  return (answer: string, number: number): void => {
    if (!isSampled(number)) return;
    const sent = series === 'j' ? storePurchaseOf(number, members) : purchaseOf(series, number, members);
    checkReceipt(receiptOf(answer), sent, multipliers, campaigns);
  };
}

function eventRequests(
  target: Target,
  series: Series,
  more: (number: number) => object = () => ({}),
): (number: number) => string {
  const post = restPosts(target);
  return (number) => {
    const { idempotencyKey, ...purchase } = purchaseOf(series, number, target.members);
    return post(number, '/events', idempotencyKey, {
      type: 'purchase.completed',
      ...purchaseFields(target, purchase),
      ...more(number),
    });
  };
}

/** Purchases of 41 to 60 dollars: half of them are big baskets, and members soon qualify as regulars. */
function storePurchaseOf(number: number, members: number): BenchPurchase {
  const purchase = purchaseOf('j', number, members);
  return { ...purchase, amountMinor: purchase.amountMinor + 4_000 };
}

function storeRequests(target: Target): (number: number) => string {
  const post = restPosts(target);
  return (number) => {
    const { idempotencyKey, ...purchase } = storePurchaseOf(number, target.members);
    return post(number, '/events', idempotencyKey, {
      type: 'purchase.completed',
      ...purchaseFields(target, purchase),
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
