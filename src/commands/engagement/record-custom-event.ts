import type { RecordCustomEventInput } from '../../contract/generated/types.ts';
import type { Receipt } from '../../contract/receipt.ts';
import { toTypeId } from '../../ids.ts';
import { mergeDecisions } from '../../ledger/merge-decisions.ts';
import type { State } from '../../ledger/state.ts';
import { isActive, type MemberRecord } from '../../ledger/tables/members.ts';
import type { EventDefinition } from '../../programs/document/engagement-document.ts';
import { attributeDetails } from '../../programs/document/event-attributes.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import { versionAt } from '../../programs/published/published-program.ts';
import { isRefusal, refuse } from '../../refusal.ts';
import { type Caller, envelope } from '../shared/caller.ts';
import { noActiveMember } from '../shared/no-active-member.ts';
import type { CommandOf, DecisionOf } from '../shared/operation-command.ts';
import { repeatedDecision } from '../shared/receipts.ts';
import { refuseErased } from '../shared/refuse-erased.ts';
import { refuseTooFarAhead } from '../shared/too-far-ahead.ts';
import { challengeAwards, type ProgramAwards } from './challenge-awards.ts';

/**
 * Records an engagement event and advances the challenges that it counts for, in every program that the member is
 * enrolled in (specification, `POST /custom-events`, GraphQL `recordCustomEvent`). Where the reference was already
 * recorded for the same type and member, the command returns the receipt of that event. Refusals:
 * `event_definition_not_found`, `member_not_found`, `source_reference_conflict`, `validation_failed`,
 * `attributes_invalid`, `balance_limit_exceeded`.
 */
export function recordCustomEvent(
  input: RecordCustomEventInput,
  caller: Caller,
): CommandOf<'recordCustomEvent'> {
  const { externalCustomerId, sourceReference } = input;
  return {
    ...envelope('recordCustomEvent', input, caller),
    repeatsWhileLocked: true,
    laneKey: externalCustomerId,
    subjects: [
      { kind: 'member', externalCustomerId },
      { kind: 'profiles', externalCustomerId },
      { kind: 'customEvent', sourceReference },
      { kind: 'challengeProgress', externalCustomerId },
    ],
    decide: (state, now) => decide(input, state, now),
  };
}

function decide(input: RecordCustomEventInput, state: State, now: Date): DecisionOf<'recordCustomEvent'> {
  const { type, externalCustomerId, sourceReference } = input;
  const documents = documentsInEffect(state, now);
  const definitions = documents.flatMap((document) => activeDefinitions(document, type));
  const member = state.member(externalCustomerId);
  const earlier = state.row('customEvents', sourceReference);
  if (earlier && earlier.type === type && state.isOf(earlier.memberId, member))
    return repeatedDecision(earlier.receipt);
  if (definitions.length === 0) {
    return refuse(
      'event_definition_not_found',
      'No published program of this environment defines an active event of this type.',
    );
  }
  if (!isActive(member)) return noActiveMember;
  if (earlier) {
    return refuse(
      'source_reference_conflict',
      `This sourceReference names an event of another type or of another member: ${toTypeId('evt', earlier.id)}.`,
    );
  }
  const erased = refuseErased('source_reference_conflict', state, 'customEvent', sourceReference);
  if (erased) return erased;
  const occurredAt = input.occurredAt ? new Date(input.occurredAt) : now;
  const tooFarAhead = refuseTooFarAhead('validation_failed', occurredAt, now);
  if (tooFarAhead) return tooFarAhead;
  const details = attributeDetails(definitions, input.attributes ?? {});
  if (details.length > 0) {
    return refuse(
      'attributes_invalid',
      'The attributes are not what the event definition asks for.',
      details,
    );
  }
  return record(input, member, documents, { occurredAt, state, now });
}

function record(
  input: RecordCustomEventInput,
  member: MemberRecord,
  documents: readonly ProgramDocument[],
  { occurredAt, state, now }: { occurredAt: Date; state: State; now: Date },
): DecisionOf<'recordCustomEvent'> {
  const { type, sourceReference } = input;
  const attributes = input.attributes ?? null;
  const event = { id: state.newId(), sourceReference, type, occurredAt };
  const programs: ProgramAwards[] = [];
  for (const document of documents) {
    const profile = state.profile(document.id, member.externalCustomerId);
    if (!profile?.enrolled) continue;
    const award = challengeAwards({ event, attributes, member, profile, document, state, now });
    if (award && isRefusal(award)) return award;
    if (award) programs.push(award);
  }
  const awards = programs.flatMap((program) => program.awards);
  const id = toTypeId('evt', event.id);
  const receipt: Receipt<'recordCustomEvent'> = { id, status: 'accepted', awards };
  return {
    receipt,
    ...mergeDecisions(
      {
        inserts: {
          customEvents: [{ ...event, memberId: member.id, attributes, receivedAt: now, receipt }],
        },
        audits: [
          {
            action: 'custom_event.accepted',
            targetType: 'custom_event',
            targetId: id,
            changes: { type, awards: awards.length },
          },
        ],
      },
      ...programs.map(({ decided }) => decided),
    ),
  };
}

/** The documents of the versions in effect, in the order of program ids. */
function documentsInEffect(state: State, now: Date): ProgramDocument[] {
  return state.programs().flatMap((program) => versionAt(program, now)?.document ?? []);
}

function activeDefinitions({ eventDefinitions = [] }: ProgramDocument, type: string): EventDefinition[] {
  return eventDefinitions.filter((definition) => definition.type === type && definition.active !== false);
}
