import type { RefusalCodeOf } from '../../contract/generated/refusals.ts';
import type { ListMembersInput, TagMemberInput } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import type { AuditEntry, Command, Decision, Subject } from '../../ledger/command.ts';
import type { State } from '../../ledger/state.ts';
import type { MemberRecord } from '../../ledger/tables/members.ts';
import { memberNotFound, type Refusal, refuse } from '../../refusal.ts';
import { type Caller, envelope } from '../shared/caller.ts';
import { LABEL_RULE, normalizeLabel } from '../shared/label.ts';
import type { RefusalOf } from '../shared/operation-command.ts';
import { NO_FINGERPRINT } from '../shared/time-driven-command.ts';
import { memberUpdated } from './member-events.ts';

/** Tags and lists work the same way; merchants use them for different purposes. Audiences can use both. */
export type LabelKind = 'tags' | 'lists';

/** The most tags, and the most lists, of one member. */
export const MOST_LABELS = 50;
/** The most members of one change. */
export const MOST_MEMBERS = 1_000;

export interface LabelChange {
  kind: LabelKind;
  /** Normalized by `normalizeLabel`. */
  labels: readonly string[];
  /** True to add the labels, false to remove them. */
  adds: boolean;
}

/**
 * What a change did. Members for whom nothing could be done are named by their index among those that were asked for,
 * from 0: a receipt is kept for ever, and must not hold the ids of other people's customers.
 */
export interface LabelledMembers {
  /** How many members were changed. */
  changed: number;
  /** How many had the labels as requested already. */
  unchanged: number;
  /** Not in the environment, or erased. */
  unknown: number[];
  /** The member would have more than 50 labels of the kind: none were written for it. */
  full: number[];
}

/** A member as the receipt of a change of it names it. */
interface NamedMember {
  /** TypeID. */
  id: string;
  externalCustomerId: string;
}

/** The receipt of a tag that is put on a member or taken off. The tag stands in the input alone. */
export interface TagReceipt {
  member: NamedMember;
  /** False where the member had the tag, or lacked it, already. */
  changed: boolean;
}

/** The receipt of a change of a list. */
export interface ListReceipt extends LabelledMembers {
  /** Where one customer was asked for and is there: the key may be made of its id, so the receipt says whose it is. */
  member: NamedMember | null;
}

/**
 * Adds labels to members or removes them. Only operators send it, so it has no idempotency key, and it is allowed while
 * Production is locked. A second one changes nothing.
 * @param externalCustomerIds at most 1,000
 */
export function labelMembers(
  externalCustomerIds: readonly string[],
  change: LabelChange,
  { environmentId, actor, requestId }: Caller,
): Command<LabelledMembers> {
  return {
    environmentId,
    operation: 'labelMembers',
    idempotencyKey: null,
    fingerprint: NO_FINGERPRINT,
    actor,
    requestId,
    laneKey: laneOf(externalCustomerIds, change),
    allowedWhileLocked: true,
    subjects: subjectsOf(externalCustomerIds),
    decide: (state) => {
      const { outcome, ...changes } = label(externalCustomerIds, change, state, environmentId);
      return { receipt: outcome, ...changes };
    },
  };
}

/**
 * Puts a tag on a member (`adds`) or takes it off. Refusals: `validation_failed` for a tag with invisible
 * characters, `member_not_found`, `tag_limit_reached`.
 */
export function tagMember(
  input: TagMemberInput,
  adds: boolean,
  caller: Caller,
): Command<TagReceipt, RefusalCodeOf<'tagMember'>> | RefusalOf<'tagMember'> {
  const tag = normalizeLabel(input.tag);
  if (tag === null) return invalidLabel('tag');
  const { externalCustomerId } = input;
  const change: LabelChange = { kind: 'tags', labels: [tag], adds };
  return {
    ...envelope(adds ? 'tagMember' : 'untagMember', input, caller),
    laneKey: externalCustomerId,
    subjects: subjectsOf([externalCustomerId]),
    decide: (state) => {
      const { outcome, ...changes } = label([externalCustomerId], change, state, caller.environmentId);
      const member = state.member(externalCustomerId);
      if (!member || outcome.unknown.length > 0) {
        return memberNotFound;
      }
      if (outcome.full.length > 0) {
        return refuse('tag_limit_reached', `The member has ${MOST_LABELS} tags, the most that one can have.`);
      }
      return { receipt: { member: named(member), changed: outcome.changed > 0 }, ...changes };
    },
  };
}

/**
 * Puts members on a list (`adds`) or takes them off. Refusal: `validation_failed` for a name with invisible
 * characters.
 */
export function changeList(
  input: ListMembersInput,
  adds: boolean,
  caller: Caller,
): Command<ListReceipt, RefusalCodeOf<'addToList'>> | RefusalOf<'addToList'> {
  const list = normalizeLabel(input.list);
  if (list === null) return invalidLabel('list');
  const { externalCustomerIds } = input;
  const change: LabelChange = { kind: 'lists', labels: [list], adds };
  return {
    ...envelope(adds ? 'addToList' : 'removeFromList', input, caller),
    laneKey: laneOf(externalCustomerIds, change),
    subjects: subjectsOf(externalCustomerIds),
    decide: (state) => {
      const { outcome, ...changes } = label(externalCustomerIds, change, state, caller.environmentId);
      const [only, ...others] = new Set(externalCustomerIds);
      const member = only !== undefined && others.length === 0 ? state.member(only) : null;
      return { receipt: { ...outcome, member: member && named(member) }, ...changes };
    },
  };
}

function invalidLabel(path: 'tag' | 'list'): Refusal<'validation_failed'> {
  return refuse('validation_failed', `The ${path} must be ${LABEL_RULE}.`, [
    { path, message: `must be ${LABEL_RULE}` },
  ]);
}

/** Changes of many members by the same label wait for each other in one lane, and not for locks in two. */
function laneOf(externalCustomerIds: readonly string[], { labels }: LabelChange): string {
  const [only = '', ...others] = externalCustomerIds;
  return others.length === 0 ? only : labels.join(' ');
}

function subjectsOf(externalCustomerIds: readonly string[]): Subject[] {
  if (externalCustomerIds.length > MOST_MEMBERS) {
    throw new RangeError(`at most ${MOST_MEMBERS} members at once`);
  }
  return externalCustomerIds.flatMap((externalCustomerId): Subject[] => [
    { kind: 'member', externalCustomerId },
    { kind: 'changedMember', externalCustomerId },
  ]);
}

function named({ id, externalCustomerId }: MemberRecord): NamedMember {
  return { id: toTypeId('mem', id), externalCustomerId };
}

/** A customer who is named twice counts once, also by the names of two accounts that were merged. */
function label(
  externalCustomerIds: readonly string[],
  change: LabelChange,
  state: State,
  environmentId: string,
): Omit<Decision, 'receipt'> & { outcome: LabelledMembers } {
  const outcome: LabelledMembers = { changed: 0, unchanged: 0, unknown: [], full: [] };
  const members: MemberRecord[] = [];
  const seenNames = new Set<string>();
  for (const [index, externalCustomerId] of externalCustomerIds.entries()) {
    const member = state.member(externalCustomerId);
    const name = member?.externalCustomerId ?? externalCustomerId;
    if (seenNames.has(name)) continue;
    seenNames.add(name);
    if (!member || member.status === 'erased') {
      outcome.unknown.push(index);
      continue;
    }
    const before = member[change.kind];
    const after = labelsAfter(before, change);
    if (after.length === before.length) outcome.unchanged += 1;
    else if (change.adds && after.length > MOST_LABELS) outcome.full.push(index);
    else {
      outcome.changed += 1;
      members.push({ ...member, [change.kind]: after });
    }
  }
  const audit = auditOf(environmentId, change, members);
  const webhookEvents = members.map((member) => memberUpdated(member, [change.kind]));
  return { outcome, inserts: {}, updates: { members }, audits: audit ? [audit] : [], webhookEvents };
}

/** Each label once, in the order of code units. */
function labelsAfter(before: readonly string[], { labels, adds }: LabelChange): string[] {
  if (adds) return [...new Set([...before, ...labels])].sort();
  return before.filter((each) => !labels.includes(each));
}

/**
 * The labels themselves are typed by the merchant about its customers, so the audit trail has only how many there were.
 */
function auditOf(
  environmentId: string,
  { kind, labels, adds }: LabelChange,
  members: readonly MemberRecord[],
): AuditEntry | null {
  const changed = members.map(({ id }) => toTypeId('mem', id));
  const [member] = changed;
  if (member === undefined) return null;
  const tagging = adds ? 'member.tagged' : 'member.untagged';
  const listing = adds ? 'list.members_added' : 'list.members_removed';
  return {
    action: kind === 'tags' ? tagging : listing,
    ...(changed.length === 1
      ? { targetType: 'member', targetId: member }
      : { targetType: 'environment', targetId: toTypeId('env', environmentId) }),
    changes: { [kind]: labels.length, members: changed },
  };
}
