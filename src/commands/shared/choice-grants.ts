import { toTypeId } from '../../ids.ts';
import type { WebhookEvent } from '../../ledger/command.ts';
import type { DecisionPart } from '../../ledger/merge-decisions.ts';
import type { ChoiceGrantRecord } from '../../ledger/tables/choice-grants.ts';
import type { MemberRecord } from '../../ledger/tables/members.ts';
import type { ChoiceSet } from '../../programs/document/engagement-document.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';

const DAY_MS = 86_400_000;

/** The member who is granted choices, and when. */
export interface Grantee {
  member: Pick<MemberRecord, 'id'>;
  programId: string;
  now: Date;
  /** A new UUID. */
  newId(): string;
}

/**
 * Grants a choice set.
 * @param grantedBy the milestone, such as `tier:gold`: a milestone grants a set once
 */
export function grantOf(set: ChoiceSet, grantedBy: string, grantee: Grantee): ChoiceGrantRecord {
  const { member, programId, now, newId } = grantee;
  return {
    id: newId(),
    programId,
    memberId: member.id,
    choiceSetId: set.id,
    grantedBy,
    choices: set.choices,
    remaining: set.choices,
    state: 'open',
    grantedAt: now,
    expiresAt: set.validDays === undefined ? null : new Date(now.getTime() + set.validDays * DAY_MS),
  };
}

/** What is written of grants: the rows, and an event for each grant whose milestone has not granted the set before. */
export function grantChoices(choiceGrants: ChoiceGrantRecord[]): DecisionPart {
  return { inserts: { choiceGrants }, webhookEvents: choiceGrants.map(choiceGranted) };
}

function choiceGranted(grant: ChoiceGrantRecord): WebhookEvent {
  const { id, programId, memberId, choiceSetId, choices, grantedBy, expiresAt } = grant;
  return {
    id,
    type: 'choice.granted',
    data: {
      choiceGrantId: toTypeId('cgr', id),
      programId,
      memberId: toTypeId('mem', memberId),
      choiceSetId,
      choices,
      grantedBy,
      expiresAt: expiresAt?.toISOString() ?? null,
    },
  };
}

/** @returns null where the document has no such set. */
export function findChoiceSet(document: ProgramDocument, choiceSetId: string): ChoiceSet | null {
  return document.choiceSets?.find(({ id }) => id === choiceSetId) ?? null;
}

/**
 * The choices that a member is granted who rises from one tier to another: the sets of every tier on the way, so that
 * one large purchase grants as much as several small ones. Pure. A tier grants each set once, however often a member
 * reaches it: a grant that exists is left as it is when these are written.
 * @param from tier id before; null for a member who is new to the program, and so reaches the first tier as well
 * @param to tier id after; nothing is granted where it is `from` or a lower tier
 */
export function grantsForTier(
  document: ProgramDocument,
  from: string | null,
  to: string,
  grantee: Grantee,
): ChoiceGrantRecord[] {
  const sets = document.choiceSets;
  if (from === to || !sets?.some(({ grantedByTiers }) => grantedByTiers?.length)) return [];
  const indexOf = (id: string): number => document.tiers.findIndex((tier) => tier.id === id);
  const last = indexOf(to);
  const before = from === null ? -1 : indexOf(from);
  // Where the program no longer has the tier before, only the new tier is known to be reached.
  const first = from !== null && before === -1 ? last : before + 1;
  return document.tiers
    .slice(first, last + 1)
    .flatMap((tier) =>
      sets
        .filter(({ grantedByTiers }) => grantedByTiers?.includes(tier.id))
        .map((set) => grantOf(set, `tier:${tier.id}`, grantee)),
    );
}
