import type { Scope } from '../auth/scopes.ts';
import type { SearchHit, SearchKind } from '../contract/generated/types.ts';
import { fromTypeId, toTypeId } from '../ids.ts';
import { wantedCodeHash } from '../ledger/tables/coupon-codes.ts';
import { type CouponCodeRow, findCouponCodes } from './coupon-codes.ts';
import { endOfPrefix } from './member-list.ts';
import type { Reading } from './reading.ts';
import {
  type FoundPrefix,
  type FoundRow,
  findById,
  findNamed,
  findReferralCode,
  type Named,
} from './search-statements.ts';

/** The most hits of a search. */
const MOST_HITS = 20;
/** From so many characters on, a text finds what begins with it. */
const FEWEST_OF_PREFIX = 4;

/** The scopes that open each kind, any one of them: those of the read that shows it. */
export const SCOPES_OF_KINDS: Readonly<Record<SearchKind, readonly Scope[]>> = {
  member: ['members:read'],
  order: ['transactions:read'],
  transaction: ['transactions:read'],
  redemption: ['redemptions:write', 'transactions:read'],
  adjustment: ['adjustments:read', 'adjustments:write', 'adjustments:approve'],
  member_merge: ['adjustments:read', 'adjustments:write', 'adjustments:approve'],
  operation: ['operations:read'],
  webhook_endpoint: ['webhooks:read', 'webhooks:write'],
  webhook_delivery: ['webhooks:read', 'webhooks:write'],
  referral_code: ['members:read'],
  coupon_code: ['codes:write'],
};

const KINDS_BY_ID: Readonly<Record<FoundPrefix, SearchKind>> = {
  mem: 'member',
  txn: 'transaction',
  rsv: 'redemption',
  adj: 'adjustment',
  mrg: 'member_merge',
  op: 'operation',
  we: 'webhook_endpoint',
  msg: 'webhook_delivery',
};

/** What is looked for, and what its seeker may read. */
export interface Search {
  /** As it was typed. It is kept nowhere. */
  text: string;
  /** The text as a referral code is spelled. */
  referralCode: string;
  scopes: ReadonlySet<string>;
}

/**
 * Finds what a text names: ids and codes whole, customers' ids and references of orders also by their beginning. A kind
 * that the scopes do not open is not looked for, so that it is not even told by the time that a search takes. Every
 * look-up follows an index to at most 20 rows.
 */
export async function search(at: Reading, wanted: Search): Promise<SearchHit[]> {
  const { text, scopes } = wanted;
  const opens = (kind: SearchKind): boolean => SCOPES_OF_KINDS[kind].some((scope) => scopes.has(scope));
  const [whole, codes, members, orders] = await Promise.all([
    findWhole(at, text, opens),
    findCodes(at, wanted, opens),
    opens('member') ? findByName(at, 'member', text) : [],
    opens('order') ? findByName(at, 'order', text) : [],
  ]);
  const exact = [...whole, ...codes];
  const left = MOST_HITS - exact.length;
  // Neither takes the place of the other one's first hits.
  const ofMembers = members.slice(0, Math.max(Math.ceil(left / 2), left - orders.length));
  return [...exact, ...ofMembers, ...orders].slice(0, MOST_HITS);
}

async function findWhole(
  { connections, environmentId }: Reading,
  text: string,
  opens: (kind: SearchKind) => boolean,
): Promise<SearchHit[]> {
  const prefix = text.slice(0, text.indexOf('_'));
  if (!isFoundPrefix(prefix) || !opens(KINDS_BY_ID[prefix])) return [];
  const id = fromTypeId(prefix, text);
  if (id === null) return [];
  const { rows } = await connections.query<FoundRow>(findById(environmentId, prefix, id));
  return rows.map((row) => hit(KINDS_BY_ID[prefix], text, row));
}

function isFoundPrefix(prefix: string): prefix is FoundPrefix {
  return Object.hasOwn(KINDS_BY_ID, prefix);
}

/** The name itself comes before those that begin with it. */
async function findByName(
  { connections, environmentId }: Reading,
  named: Named,
  text: string,
): Promise<SearchHit[]> {
  const end = endOfPrefix(text);
  if (end === null) return [];
  const isPrefix = Array.from(text).length >= FEWEST_OF_PREFIX;
  const bounds = { from: text, before: end, limit: isPrefix ? MOST_HITS : 1 };
  const { rows } = await connections.query<FoundRow>(findNamed(environmentId, named, bounds));
  const prefix = named === 'member' ? 'mem' : 'txn';
  return rows
    .filter(({ label }) => isPrefix || label === text)
    .map((row) => hit(named, toTypeId(prefix, row.id), row));
}

/** Codes are found whole, and shown as they were typed. */
async function findCodes(
  at: Reading,
  { text, referralCode }: Search,
  opens: (kind: SearchKind) => boolean,
): Promise<SearchHit[]> {
  const { connections, environmentId } = at;
  if (!opens('referral_code') && !opens('coupon_code')) return [];
  const { programs, couponSecret } = await at.programs();
  const hits: SearchHit[] = [];
  if (opens('referral_code') && programs.size > 0) {
    const wanted = findReferralCode(environmentId, [...programs.keys()], referralCode);
    const { rows } = await connections.query<FoundRow>(wanted);
    hits.push(...rows.map((row) => hit('referral_code', row.id, { ...row, label: text })));
  }
  if (opens('coupon_code')) {
    const wanted = [...programs.values()].flatMap((program) => {
      const codeHash = wantedCodeHash(program, text, couponSecret);
      return codeHash === null ? [] : [{ programId: program.programId, codeHash }];
    });
    const { rows } =
      wanted.length === 0
        ? { rows: [] }
        : await connections.query<CouponCodeRow>(findCouponCodes(environmentId, wanted));
    hits.push(
      ...rows.map(({ programId, assignedTo, assignedCustomer }) =>
        hit('coupon_code', programId, {
          label: text,
          // Whose a code is, is shown to those who may read members.
          member_id: opens('member') ? assignedTo : null,
          external_customer_id: assignedCustomer,
        }),
      ),
    );
  }
  return hits.slice(0, MOST_HITS);
}

function hit(
  kind: SearchKind,
  id: string,
  { label, member_id, external_customer_id }: Omit<FoundRow, 'id'>,
): SearchHit {
  const member =
    member_id !== null && external_customer_id !== null
      ? { id: toTypeId('mem', member_id), externalCustomerId: external_customer_id }
      : null;
  return { kind, id, label, member };
}
