import { describe, expect, test } from '@jest/globals';
import { checkReceipt, FirstReceipts, receiptOf } from '../../bench/answer-checks.ts';

const MULTIPLIERS = { bronze: [1, 1], silver: [5, 4] } as const;
const sent = { externalCustomerId: 'customer-1', amountMinor: 1_299 };

interface Points {
  rule: number;
  tier?: number;
  campaign?: number;
}

/** The receipt of a purchase that got these points. */
function receipt({ rule, tier = 0, campaign = 0 }: Points, tierId = 'bronze') {
  const basePoints = rule + tier;
  return {
    status: 'committed',
    member: { externalCustomerId: 'customer-1' },
    award: { points: basePoints + campaign, basePoints, campaignPoints: campaign },
    ruleDecisions: [
      { kind: 'earn_rule', id: 'base', points: rule },
      { kind: 'tier', id: tierId, points: tier },
      { kind: 'campaign', id: 'big-basket', points: campaign },
    ],
  };
}

describe('receipts', () => {
  test.each([
    ['full dollars', receipt({ rule: 12 })],
    ['a quarter more in silver, 3 of 12', receipt({ rule: 12, tier: 3 }, 'silver')],
  ])('right: %s', (_, right) => {
    expect(() => checkReceipt(right, sent, MULTIPLIERS, false)).not.toThrow();
  });

  test('halves are rounded up: 10 dollars in silver are 13 points, not 12', () => {
    const tenDollars = { ...sent, amountMinor: 1_000 };
    expect(() =>
      checkReceipt(receipt({ rule: 10, tier: 3 }, 'silver'), tenDollars, MULTIPLIERS, false),
    ).not.toThrow();
    expect(() =>
      checkReceipt(receipt({ rule: 10, tier: 2 }, 'silver'), tenDollars, MULTIPLIERS, false),
    ).toThrow();
  });

  test.each([
    ['a point too many', receipt({ rule: 13 })],
    ['a tier that does not exist', receipt({ rule: 12 }, 'platinum')],
    ['another customer', { ...receipt({ rule: 12 }), member: { externalCustomerId: 'customer-2' } }],
    ['another status', { ...receipt({ rule: 12 }), status: 'reversed' }],
    ['a campaign where there is none', receipt({ rule: 12, campaign: 5 })],
    [
      'decisions with another sum',
      { ...receipt({ rule: 12 }), ruleDecisions: receipt({ rule: 11 }).ruleDecisions },
    ],
  ])('not right: %s', (_, wrong) => {
    expect(() => checkReceipt(wrong, sent, MULTIPLIERS, false)).toThrow('A receipt is not right');
  });

  test('campaigns may add points where there are some', () => {
    expect(() => checkReceipt(receipt({ rule: 12, campaign: 5 }), sent, MULTIPLIERS, true)).not.toThrow();
  });

  test('they are found in the answers of REST and GraphQL', () => {
    const rest = 'HTTP/1.1 201 Created\r\nContent-Length: 12\r\n\r\n{"status":1}';
    const graphql = 'HTTP/1.1 200 OK\r\n\r\n{"data":{"purchaseEarn":{"status":1}}}';
    expect(receiptOf(rest)).toEqual({ status: 1 });
    expect(receiptOf(graphql)).toEqual({ status: 1 });
  });
});

describe('replays', () => {
  const answer = (statusLine: string, requestId: string, points: number): string =>
    `HTTP/1.1 ${statusLine}\r\nX-Request-Id: ${requestId}\r\n\r\n` +
    `{"id":"txn_1","requestId":"${requestId}","award":{"points":${points}}}`;
  const receipts = new FirstReceipts();
  receipts.keep(64, answer('201 Created', 'req_1', 12));
  receipts.keep(65, answer('201 Created', 'req_2', 12));

  test('are the first receipt, apart from the id of the request', () => {
    expect(() => receipts.compare(64, answer('200 OK', 'req_3', 12))).not.toThrow();
    expect(() => receipts.compare(64, answer('200 OK', 'req_3', 13))).toThrow('A replay differs');
    expect(() => receipts.compare(64, answer('201 Created', 'req_3', 12))).toThrow('A replay differs');
  });

  test('only those of the sample are compared', () => {
    expect(() => receipts.compare(65, answer('200 OK', 'req_3', 99))).not.toThrow();
  });
});
