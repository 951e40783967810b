import { setImmediate } from 'node:timers/promises';
import type { EvaluateOffersInput } from '../contract/generated/types.ts';
import type { Connections } from '../db/pool.ts';
import { isActive } from '../ledger/tables/members.ts';
import { type PublishedProgram, versionAt } from '../programs/published/published-program.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { compileProgram } from '../rules/compiled/compiled-program.ts';
import { couponIdOf, unusedCoupon } from '../rules/compiled/coupons.ts';
import { memberFactsOf, newcomer } from '../rules/conditions/member-facts.ts';
import type { OfferEvaluation, OfferProgram } from '../rules/offers/cart.ts';
import { evaluateInSlices } from '../rules/offers/evaluate-offers.ts';
import { standingAt } from '../rules/standing.ts';
import { findPoolCodes } from './coupon-codes.ts';
import { readCouponUses } from './coupon-uses.ts';
import type { ReadPrograms } from './shared/current-programs.ts';
import type { MemberView } from './shared/member-view.ts';

/** What offers are read from. */
export interface OfferSources {
  /** UUID. */
  environmentId: string;
  connections: Connections;
  programs(): Promise<ReadPrograms>;
  /** @returns null where the environment has no such member */
  member(externalCustomerId: string): Promise<MemberView | null>;
}

/**
 * Says which offers apply to a cart, under the versions in effect now. It only reads: no coupon is used up. For a
 * customer who is not an active member of the environment, only the offers for everyone apply.
 * @returns refusals: `program_not_found`, `currency_mismatch` (of the named program), `validation_failed` (a cart worth
 *   more than 2^53-1), `cart_too_large`
 */
export async function readOffers(
  from: OfferSources,
  input: EvaluateOffersInput,
): Promise<OfferEvaluation | Refusal> {
  const { connections, environmentId } = from;
  const { externalCustomerId, currency, programId = null } = input;
  // Trimmed as in a purchase.
  const couponCode = input.couponCode?.trim() ?? null;
  const [{ programs, at, couponSecret }, view] = await Promise.all([
    from.programs(),
    externalCustomerId ? from.member(externalCustomerId) : null,
  ]);
  const activeView = view && isActive(view.member) ? view : null;
  const inEffect = [...programs.values()].flatMap((program) => offerProgram(program, activeView, at));
  if (programId !== null) {
    const named = inEffect.find((program) => program.programId === programId);
    if (!named) {
      return refuse('program_not_found', 'This environment has no program of this id in effect.');
    }
    if (currency && currency !== named.document.currency) {
      return refuse(
        'currency_mismatch',
        `The cart is in ${currency}, the program in ${named.document.currency}.`,
      );
    }
  }
  if (couponCode !== null) {
    const couponQuery = { code: couponCode, secret: couponSecret, memberId: activeView?.member.id ?? null };
    const poolCodes = await findPoolCodes(connections, environmentId, couponQuery, [...programs.values()]);
    for (const program of inEffect) program.poolCode = poolCodes.get(program.programId) ?? null;
    await countUses(connections, environmentId, couponCode, inEffect, activeView);
  }
  const explain = input.explain ?? false;
  const cart = { ...input, couponCode };
  const slices = evaluateInSlices({ cart, programId, programs: inEffect, at, explain });
  for (;;) {
    const slice = slices.next();
    if (slice.done) return slice.value;
    // Other requests have their turn between two slices.
    await setImmediate();
  }
}

/** The program with the facts about the customer in it; an empty list where no version is in effect yet. */
function offerProgram(program: PublishedProgram, view: MemberView | null, at: Date): OfferProgram[] {
  const version = versionAt(program, at);
  if (!version) return [];
  const { programId } = program;
  const { document } = version;
  const plain = { programId, document, couponUses: unusedCoupon, poolCode: null };
  if (!view) return [{ ...plain, customer: null }];
  const { member, profiles } = view;
  const profile = profiles.find((candidate) => candidate.programId === programId && candidate.enrolled);
  return [
    {
      ...plain,
      customer: profile
        ? { profile: standingAt(document, profile, at), member: memberFactsOf(profile, member) }
        : { profile: null, member: { ...newcomer, tags: member.tags, lists: member.lists } },
    },
  ];
}

/** Fills in how often the coupon was used, in the programs that limit its uses. */
async function countUses(
  connections: Connections,
  environmentId: string,
  code: string,
  programs: OfferProgram[],
  view: MemberView | null,
): Promise<void> {
  const limited = programs.filter(({ document, poolCode }) => {
    const limits = compileProgram(document).coupons.get(couponIdOf(code, poolCode))?.coupon.limits;
    return limits?.total !== undefined || limits?.perMember !== undefined;
  });
  if (limited.length === 0) return;
  const coupons = limited.map(({ programId, poolCode }) => ({
    programId,
    couponId: couponIdOf(code, poolCode),
  }));
  const uses = await readCouponUses(connections, environmentId, coupons, view?.member.id ?? null);
  for (const program of limited) program.couponUses = uses.get(program.programId) ?? unusedCoupon;
}
