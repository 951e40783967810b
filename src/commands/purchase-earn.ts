import type { PurchaseEarnInput } from '../contract/generated/types.ts';
import { toTypeId } from '../ids.ts';
import type { Command, Decision, State, Subject } from '../ledger/command.ts';
import { isRefusal, type Refusal, refuse } from '../refusal.ts';
import { type EvaluationRequest, pickVersion } from '../rules/pick-version.ts';
import { type Caller, envelope } from './caller.ts';
import { awardPurchase } from './purchase-award.ts';
import { sharedCountersOf } from './shared-counters.ts';

/** A purchase may be dated this far ahead: clocks differ. */
const MAX_AHEAD_MS = 5 * 60 * 1000;

/**
 * Awards points for a completed purchase (specification, `POST /events`, GraphQL `purchaseEarn`). Refusals:
 * `program_not_found`, `member_not_found`, `source_reference_conflict`, `enrollment_required`, `invalid_event`,
 * `configuration_not_effective`, `currency_mismatch`, `unknown_tier`, `member_limit_reached`, `balance_limit_exceeded`.
 * @param referrerId externalCustomerId of the member whose referral code came with it; null where none has it
 */
export function purchaseEarn(
  said: PurchaseEarnInput,
  caller: Caller,
  referrerId: string | null = null,
): Command {
  const input = withTrimmedCode(said);
  const { programId, externalCustomerId, sourceReference } = input;
  const request = evaluationRequest(input);
  const pinned = request.mode === 'event_time_pinned_configuration';
  const at = pinned ? (request.occurredAt ?? null) : null;
  const subjects: Subject[] = [
    { kind: 'member', externalCustomerId },
    { kind: 'profile', programId, externalCustomerId },
    { kind: 'limitCounters', programId, externalCustomerId, at },
    { kind: 'order', sourceReference },
    { kind: 'due', programId, externalCustomerId },
    { kind: 'sharedCounters', programId, wanted: sharedCountersOf(request, input.couponCode) },
  ];
  if (referrerId !== null && referrerId !== externalCustomerId) {
    subjects.push(
      { kind: 'member', externalCustomerId: referrerId },
      { kind: 'profile', programId, externalCustomerId: referrerId },
      { kind: 'due', programId, externalCustomerId: referrerId },
    );
  }
  return {
    ...envelope('purchaseEarn', said, caller),
    laneKey: externalCustomerId,
    subjects,
    decide: (state, now) => decide(input, request, referrerId, state, now),
  };
}

function decide(
  input: PurchaseEarnInput,
  request: EvaluationRequest,
  referrerId: string | null,
  state: State,
  now: Date,
): Decision | Refusal {
  const program = state.program(input.programId);
  if (!program) return refuse('program_not_found', 'This environment has no published program of this id.');
  const member = state.member(input.externalCustomerId);
  if (member?.status !== 'active') {
    return refuse('member_not_found', 'No active member of this environment has this externalCustomerId.');
  }
  const recorded = state.order(input.sourceReference);
  if (recorded) {
    return refuse(
      'source_reference_conflict',
      `Another Idempotency-Key already recorded this order reference: ${toTypeId('txn', recorded.transactionId)}.`,
    );
  }
  const profile = state.profile(input.programId, input.externalCustomerId);
  if (!profile?.enrolled) {
    return refuse(
      'enrollment_required',
      'The member is not enrolled in this program: PUT the enrollment first.',
    );
  }
  if (request.occurredAt && request.occurredAt.getTime() > now.getTime() + MAX_AHEAD_MS) {
    return refuse('invalid_event', 'occurredAt lies in the future.', [
      { path: 'occurredAt', message: 'must not lie in the future' },
    ]);
  }
  const picked = pickVersion(program, request, now);
  if (isRefusal(picked)) return picked;
  const occurredAt = request.occurredAt ?? now;
  return awardPurchase({ input, program, member, profile, picked, referrerId, occurredAt, state, now });
}

/** Customers type codes, and their keyboards add spaces. */
function withTrimmedCode(said: PurchaseEarnInput): PurchaseEarnInput {
  const couponCode = said.couponCode?.trim();
  return couponCode === undefined || couponCode === said.couponCode ? said : { ...said, couponCode };
}

/** What the event says of its own evaluation; its shape has been validated. */
function evaluationRequest(input: PurchaseEarnInput): EvaluationRequest {
  const said = input.context?.attributes?.svcEvaluation as EvaluationRequest | null | undefined;
  return {
    mode: said?.mode,
    configurationVersion: said?.configurationVersion,
    memberTier: said?.memberTier,
    occurredAt: input.occurredAt ? new Date(input.occurredAt) : null,
  };
}
