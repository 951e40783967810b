import type {
  CustomerEligibilityReason,
  CustomerPayment,
  CustomerReward,
} from '../../contract/generated/types.ts';
import type { Queryable } from '../../db/pool.ts';
import { isActive } from '../../ledger/tables/members.ts';
import type { ProgramDocument, Reward } from '../../programs/document/program-document.ts';
import { versionAt } from '../../programs/published/published-program.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { stepsOf } from '../../rules/pay-with-points.ts';
import { leastPoints, whyNotEligible } from '../../rules/rewards.ts';
import { standingAt } from '../../rules/standing.ts';
import { isOnOffer } from '../../widget/shown-rewards.ts';
import type { CurrentPrograms } from '../shared/current-programs.ts';
import type { MemberView } from '../shared/member-view.ts';

/** How many of each reward of a program are held or redeemed, by id; none where a reward is absent. */
export type RewardStocks = ReadonlyMap<string, number>;

/**
 * The rewards of a program's present version that can be had at this time, in the order of the document. What another
 * surface would refuse is shown as not redeemable, with a reason that says nothing about the merchant's rules.
 * @param view null for a customer who is no member
 * @param readStocks reads what is taken; called only where that matters
 * @returns refusal: `program_not_found`
 */
export async function readCatalog(
  current: CurrentPrograms,
  view: MemberView | null,
  programId: string,
  readStocks: () => Promise<RewardStocks>,
): Promise<CustomerReward[] | Refusal> {
  const program = current.programs.get(programId);
  const version = program && versionAt(program, current.at);
  if (!version) return refuse('program_not_found', 'There is no program of this id.');
  const { document } = version;
  const limited = document.rewards?.some(({ inventory }) => inventory !== undefined) ?? false;
  return catalogView(
    { document, at: current.at, view, stocks: limited ? await readStocks() : new Map() },
    programId,
  );
}

/** What a catalog is made of. */
export interface CatalogSources {
  document: ProgramDocument;
  at: Date;
  /** Null for a customer who is no member. */
  view: MemberView | null;
  stocks: RewardStocks;
}

/** The catalog of a program, as `readCatalog` gives it. */
export function catalogView(
  { document, at, view, stocks }: CatalogSources,
  programId: string,
): CustomerReward[] {
  const standing = standingOf(view, document, programId, at);
  return (document.rewards ?? [])
    .filter((reward) => isOnOffer(reward, at))
    .map((reward) => rewardView(reward, stocks.get(reward.id) ?? 0, standing, document, at));
}

/** What of a customer decides about rewards; null where it is not enrolled. */
interface CustomerStanding {
  active: boolean;
  available: number;
  standing: ReturnType<typeof standingAt>;
}

function standingOf(
  view: MemberView | null,
  document: ProgramDocument,
  programId: string,
  at: Date,
): CustomerStanding | null {
  const profile = view?.profiles.find((each) => each.programId === programId && each.enrolled);
  if (!view || !profile) return null;
  const standing = standingAt(document, profile, at);
  return { active: isActive(view.member), available: profile.available, standing };
}

function rewardView(
  reward: Reward,
  takenCount: number,
  customer: CustomerStanding | null,
  document: ProgramDocument,
  at: Date,
): CustomerReward {
  const { id, name, description = null, imageUrl = null, inventory } = reward;
  const pointsCost = leastPoints(reward);
  const available = inventory === undefined || takenCount < inventory;
  const eligibilityReason = reasonAgainst(id, customer, document, at);
  const pointsNeeded = customer && Math.max(0, pointsCost - customer.available);
  return {
    ...{ id, name, description, imageUrl, pointsCost, available },
    eligible: eligibilityReason === null,
    eligibilityReason,
    pointsNeeded,
    redeemable: available && eligibilityReason === null && pointsNeeded === 0,
    payWithPoints: paymentView(reward, document),
  };
}

function paymentView({ payWithPoints }: Reward, { currency }: ProgramDocument): CustomerPayment | null {
  if (!payWithPoints) return null;
  const { pointsPerUnit, unitMinor, maximumPoints = null, maximumShareOfOrder = null } = payWithPoints;
  const limits = { ...stepsOf(payWithPoints), maximumPoints, maximumShareOfOrder };
  return { pointsPerUnit, unitMinor, currency, ...limits };
}

function reasonAgainst(
  rewardId: string,
  customer: CustomerStanding | null,
  document: ProgramDocument,
  at: Date,
): CustomerEligibilityReason | null {
  if (!customer) return 'enrollment_required';
  if (!customer.active) return 'member_not_active';
  return whyNotEligible(document, rewardId, customer.standing, at) === null ? null : 'not_eligible';
}

export async function readRewardStocks(
  connections: Queryable,
  environmentId: string,
  programId: string,
): Promise<RewardStocks> {
  const { rows } = await connections.query<{ reward_id: string; taken: number }>({
    name: 'taken_rewards',
    text: 'select reward_id, taken from reward_stocks where environment_id = $1::uuid and program_id = $2',
    values: [environmentId, programId],
  });
  return new Map(rows.map((row) => [row.reward_id, row.taken]));
}
