import { LRUCache } from 'lru-cache';
import { purchaseEarn } from '../commands/earning/purchase-earn.ts';
import { createMember } from '../commands/members/create-member.ts';
import type { Caller } from '../commands/shared/caller.ts';
import type { PurchaseEarnInput } from '../contract/generated/types.ts';
import type { CommandDoor, Outcome, Prerequisites } from '../ledger/command.ts';
import { isRefusal, type RefusalCode } from '../refusal.ts';
import type { ValidateInput } from './cells.ts';
import { ofPurchases } from './describe-rejection.ts';
import { MOST_CUSTOMERS } from './first-rows-alone.ts';
import { importEnrollment, whyNotEnrolled } from './import-enrollment.ts';
import { importKey } from './import-keys.ts';
import type { ImportProgress } from './import-rows.ts';

/** How customers who are not there become members. */
export interface EnrollmentOfCustomers {
  door: CommandDoor;
  caller: Caller;
  /** The version of the notice that they have consented to. */
  noticeVersion: string;
  validate: ValidateInput;
}

/** A customer of the file. */
interface Customer {
  /** Commands that make the customer a member and enroll it; null where an earlier row was accepted without them. */
  joining: Prerequisites | null;
  /** While it is asked whether the customer is enrolled: the end of that. */
  asking: Promise<void> | null;
}

/** The refusals of a purchase whose customer is no active member, or not enrolled. */
const OUTSIDE: ReadonlySet<RefusalCode> = new Set(['member_not_found', 'enrollment_required']);

/** The member exists already, or an earlier run submitted the command with another notice version. */
const TAKEN: ReadonlySet<RefusalCode> = new Set(['member_exists', 'idempotency_key_reused']);

/**
 * Submits purchases, and makes their customers members and enrolls them where they are not. The purchases of each
 * customer are applied in the order in which they are submitted.
 *
 * Where the customer before was not there, the next one is expected not to be there either: its purchases are submitted
 * together with its enrollment, as their prerequisite. Otherwise the first purchase goes alone, and is submitted again
 * with the enrollment where it is refused. Both come to the same: they differ in what the database has to look up.
 */
export class EnrollingCustomers {
  readonly #options: EnrollmentOfCustomers;
  readonly #progress: Pick<ImportProgress, 'membersCreated'>;
  readonly #customers = new LRUCache<string, Customer>({ max: MOST_CUSTOMERS });
  #expectsNew = true;

  /** @param progress its `membersCreated` is counted */
  constructor(options: EnrollmentOfCustomers, progress: Pick<ImportProgress, 'membersCreated'>) {
    this.#options = options;
    this.#progress = progress;
  }

  submit(input: PurchaseEarnInput): Promise<Outcome> {
    const customer = this.#customers.get(input.externalCustomerId);
    if (customer?.asking) return customer.asking.then(() => this.submit(input));
    if (customer) return this.#submitFor(customer, input);
    return this.#expectsNew ? this.#enroll(input) : this.#ask(input);
  }

  #remember(input: PurchaseEarnInput, joins: boolean): Customer {
    const customer = { joining: joins ? this.#joiningOf(input) : null, asking: null };
    this.#customers.set(input.externalCustomerId, customer);
    return customer;
  }

  /** Submits the first purchase of a customer who is expected not to be there. */
  async #enroll(input: PurchaseEarnInput): Promise<Outcome> {
    const outcome = await this.#submitFor(this.#remember(input, true), input);
    if (!isRefusal(outcome)) this.#expectsNew = outcome.prerequisites !== undefined;
    return outcome;
  }

  /**
   * Submits the first purchase of a customer who is expected to be enrolled. The customer's others wait for its
   * outcome.
   */
  async #ask(input: PurchaseEarnInput): Promise<Outcome> {
    const customer = this.#remember(input, false);
    const asked = this.#submitFor(customer, input);
    customer.asking = asked.then(ignore, ignore);
    const outcome = await asked;
    customer.asking = null;
    // Refused for another reason, before it was looked whether the customer is enrolled: the next purchase will tell.
    if (isRefusal(outcome)) customer.joining = this.#joiningOf(input);
    if (!isOutside(outcome)) return outcome;
    this.#expectsNew = true;
    return this.#submitFor(customer, input);
  }

  async #submitFor(customer: Customer, input: PurchaseEarnInput): Promise<Outcome> {
    const { door, caller } = this.#options;
    const { joining } = customer;
    const purchase = purchaseEarn(input, caller);
    if (joining === null) return door.submit(purchase);
    const outcome = await door.submit({ ...purchase, prerequisites: joining });
    if (!isRefusal(outcome)) customer.joining = null;
    const [created, enrolled] = outcome.prerequisites ?? [];
    if (!created || !enrolled) return outcome;
    if (!isRefusal(created) && !created.idempotent) this.#progress.membersCreated += 1;
    if (!isOutside(outcome)) return outcome;
    // Somebody else may have enrolled the customer while the rows of this transaction were loaded: the next one sees
    // that.
    const again = await door.submit(purchase);
    if (!isRefusal(again)) customer.joining = null;
    if (!isOutside(again)) return again;
    const objection = [created, enrolled].find((first) => isRefusal(first) && !TAKEN.has(first.code));
    return objection ?? (await this.#whyNotEnrolled(input)) ?? again;
  }

  /** Where the enrollment was only replayed, the member has left or withdrawn consent since. */
  #whyNotEnrolled({ programId, externalCustomerId }: PurchaseEarnInput): Promise<Outcome | null> {
    const { door, caller, noticeVersion } = this.#options;
    return whyNotEnrolled(door, { programId, externalCustomerId, noticeVersion }, caller);
  }

  #joiningOf({ programId, externalCustomerId }: PurchaseEarnInput): Prerequisites {
    const { caller, noticeVersion, validate } = this.#options;
    const member = {
      idempotencyKey: importKey(externalCustomerId),
      externalCustomerId,
      consentStatus: 'opted_in' as const,
      noticeVersion,
    };
    const details = validate('CreateMemberInput', member);
    if (details.length > 0)
      throw new Error(`no member can be created: ${ofPurchases.violations(details, {})}`);
    const created = createMember(member, caller);
    if (isRefusal(created)) throw new Error(`no member can be created: ${created.message}`);
    const enrolled = importEnrollment({ programId, externalCustomerId, noticeVersion }, caller);
    return { after: OUTSIDE, commands: [created, enrolled] };
  }
}

function isOutside(outcome: Outcome): boolean {
  return isRefusal(outcome) && OUTSIDE.has(outcome.code);
}

function ignore(): void {}
