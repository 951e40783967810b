import {
  type ProgramVersion,
  type PublishedProgram,
  versionAt,
} from '../../programs/published/published-program.ts';
import { type Refusal, refuse } from '../../refusal.ts';

/** Which configuration and tier an event is evaluated under, and at what time. */
export type EvaluationMode = 'receipt_time_current_configuration' | 'event_time_pinned_configuration';

/** The part of an event that says how to evaluate it. Absent values are null or undefined. */
export interface EvaluationRequest {
  /** Receipt time where absent. */
  mode?: EvaluationMode | null | undefined;
  occurredAt?: Date | null | undefined;
  configurationVersion?: number | null | undefined;
  memberTier?: string | null | undefined;
}

/** How an event is evaluated: under which version, and at which instant. */
export interface PickedVersion {
  mode: EvaluationMode;
  /** The instant of the evaluation: the time of receipt, or the event's `occurredAt` in pinned mode. */
  evaluationAt: Date;
  version: ProgramVersion;
  /** The tier that the event names; null in receipt mode, where the profile's own tier is used. */
  memberTier: string | null;
}

/**
 * Picks the configuration version that an event is evaluated under.
 *
 * Receipt mode: the version in effect now. Pinned mode: the version that the event names, if it was in effect at
 * `occurredAt`: of the versions published and effective by then, the last one. (A version that was published after the
 * event and backdated before it does not count.)
 * @returns refusals: `program_not_found` (nothing in effect yet), `invalid_event` (pinned mode without its evidence),
 *   `configuration_not_effective`, `unknown_tier`
 */
export function pickVersion(
  program: PublishedProgram,
  request: EvaluationRequest,
  now: Date,
):
  | PickedVersion
  | Refusal<'configuration_not_effective' | 'invalid_event' | 'program_not_found' | 'unknown_tier'> {
  if (request.mode !== 'event_time_pinned_configuration') {
    const version = versionAt(program, now);
    return version
      ? { mode: 'receipt_time_current_configuration', evaluationAt: now, version, memberTier: null }
      : refuse('program_not_found', `No version of program ${program.programId} is in effect yet.`);
  }
  return pickPinned(program, request);
}

function pickPinned(
  program: PublishedProgram,
  request: EvaluationRequest,
): PickedVersion | Refusal<'configuration_not_effective' | 'invalid_event' | 'unknown_tier'> {
  const { occurredAt, configurationVersion, memberTier } = request;
  if (!occurredAt || !configurationVersion || !memberTier) {
    const missing = [
      occurredAt ? null : 'occurredAt',
      configurationVersion ? null : 'context.attributes.svcEvaluation.configurationVersion',
      memberTier ? null : 'context.attributes.svcEvaluation.memberTier',
    ].filter((path) => path !== null);
    return refuse(
      'invalid_event',
      `Mode event_time_pinned_configuration needs ${missing.join(', ')}.`,
      missing.map((path) => ({ path, message: 'is required in mode event_time_pinned_configuration' })),
    );
  }
  const inForce = program.versions.findLast(
    (candidate) => candidate.publishedAt <= occurredAt && candidate.effectiveFrom <= occurredAt,
  );
  if (inForce?.version !== configurationVersion) {
    return refuse(
      'configuration_not_effective',
      `Version ${configurationVersion} of program ${program.programId} was not the one in force at ` +
        `${occurredAt.toISOString()}; ${inForce ? `version ${inForce.version}` : 'none'} was.`,
    );
  }
  if (!inForce.document.tiers.some((tier) => tier.id === memberTier)) {
    return refuse(
      'unknown_tier',
      `Version ${configurationVersion} has no tier ${JSON.stringify(memberTier)}.`,
      [{ path: 'context.attributes.svcEvaluation.memberTier', message: 'is no tier of the pinned version' }],
    );
  }
  return { mode: 'event_time_pinned_configuration', evaluationAt: occurredAt, version: inForce, memberTier };
}
