import type { PurchaseEarnInput } from '../contract/generated/types.ts';
import type { Command, Decision, State } from '../ledger/command.ts';
import type { MemberRecord, ProfileRecord } from '../ledger/records.ts';
import { type PublishedProgram, versionAt } from '../programs/published-program.ts';
import { isRefusal, type Refusal, refuse } from '../refusal.ts';
import { evaluatePurchase, type PurchaseEvaluation } from '../rules/evaluate-purchase.ts';
import { limitPeriodStart } from '../rules/limit-period.ts';
import { memberLimitId } from '../rules/member-limit.ts';
import { type EvaluationRequest, type PickedVersion, pickVersion } from '../rules/pick-version.ts';
import { standingAfter, standingAt } from '../rules/standing.ts';
import { awardDecision } from './award-decision.ts';
import { type Caller, envelope } from './caller.ts';

/** A purchase may be dated this far ahead: clocks differ. */
const MAX_AHEAD_MS = 5 * 60 * 1000;

/**
 * Awards points for a completed purchase (specification, `POST /events`, GraphQL `purchaseEarn`). Refusals:
 * `program_not_found`, `member_not_found`, `source_reference_conflict`, `enrollment_required`, `invalid_event`,
 * `configuration_not_effective`, `currency_mismatch`, `unknown_tier`, `member_limit_reached`, `balance_limit_exceeded`.
 */
export function purchaseEarn(input: PurchaseEarnInput, caller: Caller): Command {
  const { programId, externalCustomerId, sourceReference } = input;
  const request = evaluationRequest(input);
  const pinned = request.mode === 'event_time_pinned_configuration';
  const at = pinned ? (request.occurredAt ?? null) : null;
  return {
    ...envelope('purchaseEarn', input, caller),
    laneKey: externalCustomerId,
    subjects: [
      { kind: 'member', externalCustomerId },
      { kind: 'profile', programId, externalCustomerId },
      { kind: 'limitCounters', programId, externalCustomerId, at },
      { kind: 'order', sourceReference },
      { kind: 'due', programId, externalCustomerId },
    ],
    decide: (state, now) => decide(input, request, state, now),
  };
}

function decide(
  input: PurchaseEarnInput,
  request: EvaluationRequest,
  state: State,
  now: Date,
): Decision | Refusal {
  const program = state.program(input.programId);
  if (!program) return refuse('program_not_found', 'This environment has no published program of this id.');
  const member = state.member(input.externalCustomerId);
  if (member?.status !== 'active') {
    return refuse('member_not_found', 'No active member of this environment has this externalCustomerId.');
  }
  if (state.order(input.sourceReference)) {
    return refuse('source_reference_conflict', 'Another key already recorded this order reference.');
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
  return award({ input, request, program, member, profile, picked, state, now });
}

interface Purchase {
  input: PurchaseEarnInput;
  request: EvaluationRequest;
  program: PublishedProgram;
  member: MemberRecord;
  profile: ProfileRecord;
  picked: PickedVersion;
  state: State;
  now: Date;
}

function award(purchase: Purchase): Decision | Refusal {
  const { input, request, program, member, profile, picked, state, now } = purchase;
  const { document, version } = picked.version;
  const occurredAt = request.occurredAt ?? now;
  // Where a member stands is the present configuration's affair, whichever one a late event is evaluated under.
  const present = versionAt(program, now)?.document ?? document;
  const standing = standingAt(present, profile, now);
  const limit = document.memberLimit;
  // A month and a day may begin together: each kind of period has counters of its own.
  const limitId = limit ? `${memberLimitId}.${limit.period}` : memberLimitId;
  const periodStart = limit && limitPeriodStart(limit.period, picked.evaluationAt);
  const used = periodStart
    ? (state.limitCounter(program.programId, input.externalCustomerId, limitId, periodStart)?.points ?? 0)
    : 0;
  const tier = picked.memberTier ?? standing.tier;
  const { qualificationPoints } = standing;
  const evaluation: PurchaseEvaluation | Refusal = evaluatePurchase({
    program: document,
    version,
    mode: picked.mode,
    evaluationAt: picked.evaluationAt,
    purchase: { ...input, occurredAt, attributes: input.context?.attributes },
    profile: { tier, qualificationPoints },
    limitUsed: used,
  });
  if (isRefusal(evaluation)) return evaluation;
  return awardDecision({
    input,
    member,
    before: profile,
    standing: standingAfter(
      present,
      standing,
      { points: evaluation.qualificationPoints, at: picked.evaluationAt },
      now,
    ),
    currency: document.currency,
    picked,
    evaluatedFrom: { tier, qualificationPoints, limitUsed: used },
    evaluation,
    limitCounter: periodStart
      ? {
          programId: program.programId,
          memberId: member.id,
          limitId,
          periodStart,
          points: used + evaluation.points,
        }
      : null,
    occurredAt,
    state,
    now,
  });
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
