import { enrollMember } from '../commands/members/enroll-member.ts';
import type { Caller } from '../commands/shared/caller.ts';
import { readReferralCode, referralCodeOf } from '../commands/shared/referral-code.ts';
import type { Command, Decision } from '../ledger/command.ts';
import { withoutRetry } from '../ledger/retry.ts';
import type { ProfileRecord } from '../ledger/tables/program-profiles.ts';
import { type PublishedProgram, versionAt } from '../programs/published/published-program.ts';
import type { PurchaseReceipt } from '../queries/transactions/recorded-award.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { type EnrollmentChange, EnrollmentCourse } from './enrollment-course.ts';
import { type Remaining, SimulatedLots } from './open-points.ts';
import { engagementCommand, purchaseCommand, type Replay } from './past-commands.ts';
import type { PastEngagement, PastEvent, PastPurchase, PastReturn } from './read-history.ts';
import type { ProgramMember } from './read-members.ts';
import type { SimulationClock } from './simulated-program.ts';
import { type SimulatedMember, SimulatedState } from './simulated-state.ts';
import { type Side, Tally } from './tally.ts';

export interface SimulationSettings {
  /** UUID. */
  environmentId: string;
  /**
   * The program with the draft, as `withDraft` makes it; or as it was published, for the column to compare a draft
   * with.
   */
  program: PublishedProgram;
  clock: SimulationClock;
  /** Events before this instant are run, for the members' standing, but not counted. Null counts all. */
  from: Date | null;
  /** The instant at which open points are summed. */
  end: Date;
  /** The column that the decisions fill. Default: the draft's. */
  side?: Side;
  /** The sums, which may be shared with the simulation of the other column. Default: a new tally. */
  tally?: Tally;
}

/**
 * Runs the commands of past events in order of time, on a state in memory, and adds up what they would have awarded. On
 * the clock of the receipt, the other column has what the events really awarded. On the clock of the events that would
 * compare two clocks, so a simulation of the published versions fills the other column. Pure: no I/O and no clock of
 * its own.
 */
export class Simulation {
  readonly tally: Tally;
  readonly #settings: SimulationSettings;
  readonly #side: Side;
  /** Whether this simulation counts the events. Only one of the two columns does. */
  readonly #counts: boolean;
  /** Whether the other column is filled with the awards on record. */
  readonly #records: boolean;
  readonly #state: SimulatedState;
  readonly #replay: Replay;
  readonly #lots: SimulatedLots;
  readonly #ofCode = new Map<string, SimulatedMember>();
  /** The references of the purchases that were refused. A return of one takes nothing off the member's purchases. */
  readonly #refused = new Set<string>();
  readonly #courses = new Map<string, { course: EnrollmentCourse; referralCode: string | null }>();

  constructor(settings: SimulationSettings) {
    const { environmentId, program, clock, end, side = 'draft', tally = new Tally() } = settings;
    const caller: Caller = {
      environmentId,
      actor: { type: 'operator', id: 'simulation' },
      requestId: 'simulation',
    };
    this.#settings = settings;
    this.tally = tally;
    this.#side = side;
    this.#counts = side === 'draft';
    this.#records = side === 'draft' && clock === 'receipt';
    this.#state = new SimulatedState(environmentId, program);
    this.#replay = { caller, program, clock };
    this.#lots = new SimulatedLots(end);
  }

  /** Adds a member. Call it for every member before the first event. */
  addMember({ member, enrollments, referralCode }: ProgramMember): void {
    const added = this.#state.add(member);
    if (referralCode !== null) this.#ofCode.set(referralCode, added);
    this.#courses.set(member.id, { course: new EnrollmentCourse(enrollments), referralCode });
  }

  /** Runs the next event. Events have to come in order of time. */
  take(event: PastEvent): void {
    const counts = this.#settings.from === null || event.at >= this.#settings.from;
    switch (event.kind) {
      case 'purchase':
        this.#purchase(event, counts);
        break;
      case 'engagement':
        this.#engage(event, counts);
        break;
      case 'return':
        this.#takeBack(event);
        break;
      case 'referral':
        if (counts && this.#records) this.tally.referral('now', event.at, event.memberId, event.points);
    }
  }

  /** The points that would be left of the simulated awards. Call it once, after the last event. */
  remaining(): Remaining {
    return this.#lots.remaining();
  }

  #purchase(event: PastPurchase, counts: boolean): void {
    const { at, memberId, receipt } = event;
    const who = this.#memberOf(memberId, event);
    if (counts) {
      if (this.#counts) this.tally.purchases += 1;
      if (this.#records) this.tally.purchase('now', at, memberId, receipt);
    }
    if (!who) return;
    const referrer = this.#referrerOf(event);
    const { coupon, evidence } = receipt;
    if (coupon && evidence.poolCode) this.#state.setCode(coupon.code, evidence.poolCode, who);
    const decision = this.#decide(purchaseCommand(event, who, referrer, this.#replay), at, counts);
    if (isRefusal(decision)) {
      this.#refused.add(event.sourceReference);
      if (counts && this.#counts) this.tally.refuse(decision.code);
      return;
    }
    if (!counts) return;
    this.tally.purchase(this.#side, at, memberId, decision.receipt as PurchaseReceipt);
    for (const { eventType, memberId: rewarded, points } of decision.inserts.transactions ?? []) {
      if (eventType === 'referral.awarded') this.tally.referral(this.#side, at, rewarded, points);
    }
  }

  /** The externalCustomerId of the member whose referral code came with a purchase. Members have their real codes. */
  #referrerOf(event: PastPurchase): string | null {
    const typed = referralCodeOf(event.receipt.evidence.attributes);
    const referrer = typed === null ? undefined : this.#ofCode.get(readReferralCode(typed));
    if (!referrer) return null;
    this.#memberOf(referrer.member.id, event);
    return referrer.member.externalCustomerId;
  }

  #engage(event: PastEngagement, counts: boolean): void {
    const { at, memberId } = event;
    const { programId } = this.#settings.program;
    if (counts) {
      if (this.#counts) this.tally.engagementEvents += 1;
      if (this.#records) this.#challenges('now', event, event.awards);
    }
    if (!this.#memberOf(memberId, event)) return;
    const decision = this.#decide(engagementCommand(event, this.#replay), at, counts);
    if (isRefusal(decision) || !counts) return;
    this.#challenges(
      this.#side,
      event,
      decision.receipt.awards.filter((award) => award.programId === programId),
    );
  }

  #challenges(side: Side, { at, memberId }: PastEngagement, awards: PastEngagement['awards']): void {
    for (const { programId, challengeId, points } of awards) {
      if (programId === this.#settings.program.programId) {
        this.tally.challenge(side, at, memberId, challengeId, points);
      }
    }
  }

  #takeBack(event: PastReturn): void {
    const { memberId, sourceReference, returnAmountMinor } = event;
    const who = this.#memberOf(memberId, event);
    if (!who?.profile || this.#refused.has(sourceReference)) return;
    const { purchaseAmountMinor } = who.profile;
    who.profile = { ...who.profile, purchaseAmountMinor: purchaseAmountMinor - returnAmountMinor };
  }

  #decide<Receipt extends object>(
    command: Command<Receipt>,
    at: Date,
    counts: boolean,
  ): Decision<Receipt> | Refusal {
    const decision = withoutRetry(command.decide(this.#state, at));
    if (isRefusal(decision)) return decision;
    this.#state.apply(decision);
    if (counts) this.#follow(decision, at);
    return decision;
  }

  #follow({ inserts, updates }: Decision, at: Date): void {
    const expiration = versionAt(this.#settings.program, at)?.document.expiration;
    if (expiration?.policy === 'inactivity') {
      for (const { memberId } of updates.profiles ?? []) this.#lots.activity(memberId, at, expiration.days);
    }
    for (const lot of inserts.lots ?? []) this.#lots.add(lot);
  }

  /** The member, with its enrollment at the time when an event was received; null for a member that was not added. */
  #memberOf(memberId: string, event: PastEvent): SimulatedMember | null {
    const who = this.#state.memberById(memberId);
    const entered = this.#courses.get(memberId);
    if (!who || !entered) return who;
    const { course, referralCode } = entered;
    if (this.#settings.clock === 'event') {
      this.#standAsReceived(who, course, event);
    } else {
      for (let change = course.nextBefore(event); change; change = course.nextBefore(event)) {
        this.#change(who, change);
      }
    }
    const profile: ProfileRecord | null = who.profile;
    if (profile && referralCode && profile.referralCode !== referralCode) {
      who.profile = { ...profile, referralCode };
    }
    return who;
  }

  /**
   * Sets the enrollment on the clock of the events. Events in the order of that clock are not in the order of their
   * receipt, so the member is enrolled or not as it was when the event was really received. The first enrollment is
   * dated back to the first event where that event is earlier, as in an imported history.
   */
  #standAsReceived(member: SimulatedMember, course: EnrollmentCourse, event: PastEvent): void {
    const { profile } = member;
    const enrolled = course.enrolledAt(event);
    if (profile) {
      if (profile.enrolled !== enrolled) member.profile = { ...profile, enrolled };
    } else if (enrolled && course.first) {
      const at = new Date(Math.min(event.at.getTime(), course.first.at.getTime()));
      this.#change(member, { ...course.first, at });
    }
  }

  /**
   * Runs the enrollment command again. For a member who leaves, only the profile's state changes: awards read nothing
   * else.
   */
  #change(member: SimulatedMember, { at, enrolled }: EnrollmentChange): void {
    if (!enrolled) {
      if (member.profile) member.profile = { ...member.profile, enrolled: false, unenrolledAt: at };
      return;
    }
    const input = {
      idempotencyKey: member.member.externalCustomerId,
      programId: this.#settings.program.programId,
      externalCustomerId: member.member.externalCustomerId,
      consentStatus: 'opted_in' as const,
      noticeVersion: 'simulation',
      evidence: {},
    };
    const decision = withoutRetry(enrollMember(input, this.#replay.caller).decide(this.#state, at));
    if (!isRefusal(decision)) this.#state.apply(decision);
  }
}
