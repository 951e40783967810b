import type { Sent } from './serve-adapter.ts';

export const purchase = {
  type: 'purchase.completed',
  programId: 'coffee-club',
  externalCustomerId: 'cust-1',
  amountMinor: 1250,
  channel: 'web',
  sourceReference: 'order-1',
};

export const enrollment = {
  consentStatus: 'opted_in',
  noticeVersion: 'v1',
  evidence: { source: 'checkout' },
};
export const unenrollment = { noticeVersion: 'v1', evidence: { source: 'app' }, reason: 'moved away' };
export const newMember = { externalCustomerId: 'cust-1', consentStatus: 'opted_in', noticeVersion: 'v1' };

export const returned = { sourceReference: 'order-1', returnReference: 'return-1', returnAmountMinor: 1250 };

/** A request with a JSON body and an idempotency key; `change` can replace both. */
export function json(method: string, path: string, body: object, change: Partial<Sent> = {}): Sent {
  return {
    method,
    path,
    body: JSON.stringify(body),
    ...change,
    headers: { 'content-type': 'application/json', 'idempotency-key': 'key-1', ...change.headers },
  };
}

/** A valid request of each mutation. */
export const mutations: Readonly<Record<string, Sent>> = {
  createMember: json('POST', '/members', newMember),
  updateMember: json('PATCH', '/members/cust-1', { displayName: 'Ada' }),
  enrollMember: json('PUT', '/members/cust-1/programs/coffee-club', enrollment),
  unenrollMember: json('DELETE', '/members/cust-1/programs/coffee-club', unenrollment),
  purchaseEarn: json('POST', '/events', purchase),
  recordReturn: json('POST', '/returns', returned),
};

const program = {
  programId: 'coffee-club',
  tier: 'base',
  status: 'enrolled',
  qualificationPoints: 0,
  referralCode: null,
  balances: [{ accountType: 'member', available: 0, pending: 0, reserved: 0 }],
};
/** A member as reads show it, with the points that expire next. */
const present = {
  ...program,
  profileVersion: 3,
  balances: [
    {
      accountType: 'member',
      available: 9,
      pending: 0,
      reserved: 0,
      nextExpiry: { points: 5, at: '2026-12-01T00:00:00.000Z' },
    },
  ],
};
const identity = {
  id: 'mem_1',
  externalCustomerId: 'cust-1',
  displayName: 'Ada',
  status: 'active',
  consentStatus: 'granted',
  identityStatus: 'unverified',
  consent: { status: 'granted', noticeVersion: 'v1', at: '2026-01-01T00:00:00Z' },
};
const reference = { id: 'mem_1', externalCustomerId: 'cust-1', tier: 'base' };

export const mutationNames = Object.keys(mutations);

/** A valid request for a mutation; for any other operation, a read of the member. */
export function sentBy(operation: string): Sent {
  return mutations[operation] ?? { method: 'GET', path: '/members/cust-1' };
}

/** The result of each root field. */
export const payloads: Readonly<Record<string, Record<string, unknown>>> = {
  createMember: { requestId: 'r', idempotent: false, member: identity },
  updateMember: { requestId: 'r', idempotent: false, member: identity },
  enrollMember: { requestId: 'r', idempotent: false, created: true, member: reference, program },
  unenrollMember: {
    requestId: 'r',
    idempotent: false,
    program: { programId: 'coffee-club', status: 'unenrolled' },
  },
  purchaseEarn: {
    id: 'txn_1',
    status: 'committed',
    requestId: 'r',
    idempotent: false,
    member: reference,
    award: { points: 12, basePoints: 12, campaignPoints: 0 },
    campaigns: [],
    referral: null,
    coupon: null,
    evaluationMode: 'receipt_time_current_configuration',
    evaluationAt: '2026-01-01T00:00:00Z',
    configurationVersion: 1,
    loyaltyUnitPrecision: 0,
    ruleDecisions: [{ kind: 'earn_rule', id: 'base', matched: true, reason: null, points: 12, lines: null }],
    lines: null,
  },
  recordReturn: {
    id: 'txn_2',
    status: 'committed',
    requestId: 'r',
    idempotent: false,
    return: {
      sourceReference: 'order-1',
      returnReference: 'return-1',
      returnAmountMinor: 1250,
      pointsClawedBack: 12,
      shortfall: 0,
      orderStatus: 'returned',
    },
  },
  member: { requestId: 'r', member: identity, programs: [present] },
  members: { requestId: 'r', data: [], page: { nextCursor: null, hasMore: false } },
  transactions: { requestId: 'r', data: [], page: { nextCursor: 'c2', hasMore: true } },
};
