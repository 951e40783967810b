import { purchaseEarn } from '../../../src/commands/earning/purchase-earn.ts';
import { createMember } from '../../../src/commands/members/create-member.ts';
import { enrollMember } from '../../../src/commands/members/enroll-member.ts';
import { type SettableStatus, setMemberStatus } from '../../../src/commands/members/set-member-status.ts';
import { unenrollMember } from '../../../src/commands/members/unenroll-member.ts';
import { updateMember } from '../../../src/commands/members/update-member.ts';
import { recordReturn } from '../../../src/commands/returns/record-return.ts';
import type { Caller } from '../../../src/commands/shared/caller.ts';
import type {
  CreateMemberInput,
  EnrollMemberInput,
  PurchaseEarnInput,
  RecordReturnInput,
  UnenrollMemberInput,
  UpdateMemberInput,
} from '../../../src/contract/generated/types.ts';
import { newUuid } from '../../../src/ids.ts';
import type { Command, Outcome } from '../../../src/ledger/command.ts';
import { MemoryStore } from '../../../src/ledger/memory/memory-store.ts';
import type { ReferralReward, ResourceOwner } from '../../../src/ledger/resource-owner.ts';
import type { EnvironmentRecord } from '../../../src/ledger/tables/environments.ts';
import type { MemberRecord } from '../../../src/ledger/tables/members.ts';
import type { ProfileRecord } from '../../../src/ledger/tables/program-profiles.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import type { ProgramVersion } from '../../../src/programs/published/published-program.ts';
import { isRefusal, type Refusal } from '../../../src/refusal.ts';
import { noon, program } from '../rules/fixtures.ts';
import { validateData } from '../webhooks/validate-event.ts';

/**
 * A memory store with a method for each command. `coffee-club` is published, and the clock shows noon until it is set.
 * Every input has defaults that can be overridden. Events that are not as the contract says throw.
 */
export class Desk {
  readonly store: MemoryStore;
  readonly caller: Caller;
  now = noon;
  #keys = 0;
  #validated = 0;

  constructor(kind: EnvironmentRecord['kind'] = 'production') {
    const id = newUuid();
    this.caller = { environmentId: id, actor: { type: 'api_key', id: 'key_a' }, requestId: 'req_a' };
    this.store = new MemoryStore({
      environment: { id, kind, locked: false, revision: 1 },
      newId: newUuid,
      clock: () => this.now,
    });
    this.publish(program());
  }

  /** Publishes a document as the next version, by default in effect since a year before noon. */
  publish(
    document: ProgramDocument,
    options: { effectiveFrom?: Date; publishedAt?: Date; versions?: ProgramVersion[] } = {},
  ): void {
    const { effectiveFrom = daysFrom(noon, -365), versions = [] } = options;
    const { publishedAt = effectiveFrom } = options;
    const version = { version: versions.length + 1, effectiveFrom, publishedAt, document };
    this.store.publish({ programId: document.id, versions: [...versions, version] });
  }

  run(command: Command | Refusal): Outcome {
    if (isRefusal(command)) return command;
    const [outcome] = this.store.runBatch([command], this.now);
    this.#validateEvents();
    return outcome as Outcome;
  }

  #validateEvents(): void {
    const { size } = this.store.tables.events;
    if (size === this.#validated) return;
    const events = this.store.webhookEvents.slice(this.#validated);
    this.#validated = size;
    const faults = events.flatMap(({ type, data }) => validateData(type, data));
    if (faults.length > 0) throw new Error(faults.join('\n'));
  }

  createMember(overrides: Partial<CreateMemberInput> = {}): Outcome {
    return this.run(createMember(this.memberInput(overrides), this.caller));
  }

  /** By default ann; nothing changes but what is given. */
  update(changes: Partial<UpdateMemberInput>): Outcome {
    const input = { idempotencyKey: this.#key(), externalCustomerId: 'ann', ...changes };
    return this.run(updateMember(input, this.caller));
  }

  /** Ann answers the question about consent. */
  answer(consentStatus: 'opted_in' | 'opted_out', changes: Partial<UpdateMemberInput> = {}): Outcome {
    return this.update({
      consentStatus,
      noticeVersion: 'identity-2',
      evidence: { source: 'account page' },
      ...changes,
    });
  }

  setStatus(status: SettableStatus, externalCustomerId = 'ann'): Outcome {
    const actor = { type: 'operator', id: 'eve' } as const;
    return this.run(setMemberStatus(externalCustomerId, status, { ...this.caller, actor }));
  }

  enroll(overrides: Partial<EnrollMemberInput> = {}): Outcome {
    return this.run(enrollMember(this.enrollInput(overrides), this.caller));
  }

  unenroll(overrides: Partial<UnenrollMemberInput> = {}): Outcome {
    return this.run(unenrollMember(this.unenrollInput(overrides), this.caller));
  }

  earn(overrides: Partial<PurchaseEarnInput> = {}): Outcome {
    return this.run(purchaseEarn(this.purchaseInput(overrides), this.caller));
  }

  /** Looks up the order's owner, as the resolver does. */
  return(input: Omit<RecordReturnInput, 'idempotencyKey'> & Partial<RecordReturnInput>): Outcome {
    return this.run(this.returnCommand({ idempotencyKey: this.#key(), ...input }));
  }

  returnCommand(input: RecordReturnInput): Command | Refusal {
    return recordReturn(input, this.orderOwner(input.sourceReference), this.caller);
  }

  orderOwner(sourceReference: string): ResourceOwner | null {
    const order = this.store.tables.orders.get(sourceReference);
    const member = [...this.store.tables.members.values()].find(({ id }) => id === order?.memberId);
    if (!order || !member) return null;
    const { programId, points } = order;
    const { externalCustomerId } = member;
    const referral = this.#rewardsOf(sourceReference);
    return {
      programId,
      externalCustomerId,
      points,
      rewardId: null,
      ...(referral.length > 0 && { referral }),
    };
  }

  memberInput(overrides: Partial<CreateMemberInput> = {}): CreateMemberInput {
    return {
      idempotencyKey: this.#key(),
      externalCustomerId: 'ann',
      consentStatus: 'opted_in',
      noticeVersion: 'identity-1',
      ...overrides,
    };
  }

  enrollInput(overrides: Partial<EnrollMemberInput> = {}): EnrollMemberInput {
    return {
      idempotencyKey: this.#key(),
      externalCustomerId: 'ann',
      programId: 'coffee-club',
      consentStatus: 'opted_in',
      noticeVersion: 'club-1',
      evidence: { source: 'checkout' },
      ...overrides,
    };
  }

  unenrollInput(overrides: Partial<UnenrollMemberInput> = {}): UnenrollMemberInput {
    return {
      idempotencyKey: this.#key(),
      externalCustomerId: 'ann',
      programId: 'coffee-club',
      noticeVersion: 'club-2',
      evidence: { source: 'account page' },
      reason: 'moved away',
      ...overrides,
    };
  }

  purchaseInput(overrides: Partial<PurchaseEarnInput> = {}): PurchaseEarnInput {
    const idempotencyKey = this.#key();
    return {
      idempotencyKey,
      programId: 'coffee-club',
      externalCustomerId: 'ann',
      amountMinor: 10_000,
      channel: 'web',
      sourceReference: `order-${idempotencyKey}`,
      ...overrides,
    };
  }

  member(externalCustomerId = 'ann'): MemberRecord {
    return this.store.tables.members.get(externalCustomerId) as MemberRecord;
  }

  profile(externalCustomerId = 'ann', programId = 'coffee-club'): ProfileRecord {
    const memberId = this.member(externalCustomerId).id;
    return [...this.store.tables.profiles.values()].find(
      (row) => row.memberId === memberId && row.programId === programId,
    ) as ProfileRecord;
  }

  /** Overwrites columns of a member that no command changes. */
  setMember(changes: Partial<MemberRecord>): void {
    const member = this.member();
    this.store.tables.members.set(member.externalCustomerId, { ...member, ...changes });
  }

  setProfile(changes: Partial<ProfileRecord>): void {
    const profile = this.profile();
    for (const [key, row] of this.store.tables.profiles) {
      if (row === profile) this.store.tables.profiles.set(key, { ...profile, ...changes });
    }
  }

  #rewardsOf(sourceReference: string): ReferralReward[] {
    const { members, transactions } = this.store.tables;
    return [...transactions.values()]
      .filter((row) => row.eventType === 'referral.awarded' && row.sourceReference === sourceReference)
      .filter(({ receipt }) => !JSON.stringify(receipt).includes('"onReturn":"keep"'))
      .map(({ id, memberId }) => {
        const member = [...members.values()].find((row) => row.id === memberId);
        const present = [...members.values()].find((row) => row.id === member?.mergedInto) ?? member;
        return { memberId, externalCustomerId: present?.externalCustomerId ?? '', transactionId: id };
      });
  }

  #key(): string {
    this.#keys += 1;
    return `key-${this.#keys}`;
  }
}

/** The code of a refusal, or `done`, or `replayed`. */
export function codeOf(outcome: Outcome): string {
  if (isRefusal(outcome)) return outcome.code;
  return outcome.idempotent ? 'replayed' : 'done';
}

/** @throws where the command was refused. */
export function receiptOf(outcome: Outcome): Record<string, unknown> {
  if (isRefusal(outcome)) throw new Error(`refused: ${outcome.code}`);
  return outcome.receipt as Record<string, unknown>;
}

export function daysFrom(instant: Date, days: number): Date {
  return new Date(instant.getTime() + days * 86_400_000);
}

/** A desk where ann is enrolled in `coffee-club`, under this document. */
export function counter(overrides: Partial<ProgramDocument> = {}): Desk {
  const desk = new Desk();
  desk.publish(program(overrides));
  desk.createMember();
  desk.enroll();
  return desk;
}

/** Every row of a table. */
export function rows<R>(table: ReadonlyMap<string, R>): R[] {
  return [...table.values()];
}
