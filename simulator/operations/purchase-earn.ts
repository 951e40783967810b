import { purchaseEarn } from '../../src/commands/earning/purchase-earn.ts';
import { operation, type Surroundings } from '../client/intent.ts';
import type { LookupKey } from '../client/lookups.ts';
import { nameOf } from '../model/model.ts';
import { predictPurchase } from '../model/purchase.ts';
import { PINNED, type Pin, type Purchase, type PurchasedItem } from '../model/purchase-input.ts';
import { COUPONS, POOLS } from '../programs/campaigns.ts';
import { CATEGORIES } from '../programs/lines.ts';
import type { Random } from '../random.ts';
import { someone } from './shared/someone.ts';

const CHANNELS = ['web', 'store', 'app'] as const;
const DAY_MS = 86_400_000;

export const purchaseEarnOperation = operation<Purchase>({
  name: 'purchaseEarn',
  weight: 60,
  invent: (surroundings) => inventPurchase(surroundings, surroundings.orderReference()),
  alter: (input, random) => ({ ...input, amountMinor: input.amountMinor + random.between(1, 100) }),
  lookup: referrerLookup,
  command: (input, caller, owner) => purchaseEarn(input, caller, owner?.externalCustomerId ?? null),
  predict: predictPurchase,
});

/** A code of a pool, as customers type it: in small letters, with blanks, with errors. Null where there are none. */
function typedCode({ random, codes }: Surroundings): string | null {
  if (codes.length === 0) return null;
  const code = random.pick(codes.slice(-30));
  return random.pick([
    code,
    code,
    ` ${code.toLowerCase().replaceAll('-', ' ')}`,
    code.replaceAll('0', 'O').replaceAll('1', 'l'),
    `${code.slice(0, -1)}${code.endsWith('7') ? '8' : '7'}`,
  ]);
}

export function inventPurchase(surroundings: Surroundings, sourceReference: string): Purchase {
  const { random, now } = surroundings;
  const input: Purchase = {
    ...someone(surroundings),
    amountMinor: random.pick([
      0,
      random.below(500),
      random.below(20_000),
      random.below(20_000),
      random.below(10_000_000),
    ]),
    channel: random.pick(CHANNELS),
    sourceReference,
  };
  if (random.chance(0.5)) input.items = inventItems(random);
  if (random.chance(0.1)) input.currency = random.pick(['USD', 'USD', 'EUR']);
  if (random.chance(0.3)) input.couponCode = random.chance(0.05) ? 'NONE' : random.pick(COUPONS);
  else if (random.chance(0.25)) input.couponCode = typedCode(surroundings) ?? random.pick(POOLS);
  // Now and then from a clock that is fast.
  if (random.chance(0.4)) input.occurredAt = moment(now, random.between(-40 * DAY_MS, DAY_MS / 2));
  if (random.chance(0.25)) pin(input, surroundings);
  refer(input, surroundings);
  return input;
}

/** The member whose referral code came with a purchase. */
export function referrerLookup({ programId, context }: Purchase): LookupKey | null {
  const code = context?.attributes.referralCode;
  return code ? { kind: 'referralCode', programId, code } : null;
}

/** Items of one category, or each of its own. */
function inventItems(random: Random): PurchasedItem[] {
  const shared = random.chance(0.3) ? random.pick(CATEGORIES) : null;
  return Array.from({ length: random.between(1, 4) }, (_, index) => ({
    category: shared ?? random.pick(CATEGORIES),
    lineReference: `line-${index + 1}`,
    ...(random.chance(0.7) ? { quantity: random.between(1, 4) } : {}),
    ...(random.chance(0.7) ? { unitPriceMinor: random.pick([0, 99, 1_000, 2_549]) } : {}),
  }));
}

/** Asks for the configuration in effect when the event occurred; at times with missing or wrong fields. */
function pin(input: Purchase, { random, now, model }: Surroundings): void {
  const svcEvaluation: Pin = { mode: PINNED };
  const versions = model.programs.get(input.programId) ?? [];
  if (random.chance(0.95)) input.occurredAt = moment(now, -random.below(60 * DAY_MS));
  const occurredAt = new Date(input.occurredAt ?? now);
  const inEffect = versions.filter(
    (each) => each.publishedAt <= occurredAt && each.effectiveFrom <= occurredAt,
  );
  const right = inEffect.at(-1);
  if (random.chance(0.95)) {
    svcEvaluation.configurationVersion =
      right && random.chance(0.9) ? right.version : random.between(1, versions.length + 1);
  }
  if (random.chance(0.95)) {
    const tiers = right?.program.tiers.map((tier) => tier.id) ?? [];
    svcEvaluation.memberTier = random.pick([...tiers, ...tiers, ...tiers, 'sixth']);
  }
  input.context = { attributes: { svcEvaluation } };
}

/** Adds a referral code, often to a first purchase and seldom to others. */
function refer(input: Purchase, { random, model, referralCode }: Surroundings): void {
  const { programId, externalCustomerId } = input;
  const first = model.profiles.get(nameOf(programId, externalCustomerId))?.purchases === 0;
  if (!random.chance(first ? 0.7 : 0.03)) return;
  const code = random.chance(0.05) ? '0000000000' : referralCode(programId);
  if (code) input.context = { attributes: { ...input.context?.attributes, referralCode: code } };
}

function moment(now: Date, offsetMs: number): string {
  return new Date(now.getTime() + offsetMs).toISOString();
}
