import type { Pool } from 'pg';
import { expireAdjustment } from '../commands/adjustments/expire-adjustment.ts';
import { type SettlementReceipt, settleProfile } from '../commands/members/settle-profile.ts';
import { newUuid, toTypeId } from '../ids.ts';
import type { Command, CommandDoor } from '../ledger/command.ts';
import { isRefusal } from '../refusal.ts';
import {
  countDueProfiles,
  type DueProfile,
  dueAdjustments,
  dueProfiles,
  expireChoices,
  expireQuotes,
} from './due.ts';
import type { FailurePause } from './failure-pause.ts';
import { type OperationRun, startRun } from './operation-run.ts';
import { emptyResult } from './sweep-result.ts';

/** What the sweeps of all environments share. */
export interface SweepContext {
  pool: Pool;
  door: CommandDoor;
  failures: FailurePause;
  /** Called for each profile or adjustment that failed; the sweep goes on with the others. */
  onFailed(error: unknown, subject: string): void;
}

const PAGE = 256;
/** A sweep that has more profiles than this to settle in an environment creates an operation. */
const OPERATION_FROM = 1_000;

/** The part of a sweep in one environment. */
export class EnvironmentSweep {
  readonly counts = emptyResult();
  readonly #environmentId: string;
  readonly #at: Date;
  readonly #context: SweepContext;
  #requestId = toTypeId('req', newUuid());
  /** The writer has refused a command as `overloaded`: this sweep ends, and the next one goes on. */
  #overloaded = false;

  /** @param at the sweep does what is due by this instant */
  constructor(environmentId: string, at: Date, context: SweepContext) {
    this.#environmentId = environmentId;
    this.#at = at;
    this.#context = context;
  }

  /** Does what is due, page by page; yields after each page. */
  async *pages(): AsyncGenerator<void, void, void> {
    const { pool } = this.#context;
    const due = await countDueProfiles(pool, this.#environmentId, this.#at);
    if (due > OPERATION_FROM) yield* this.#profilesOfRun(due);
    else if (due > 0) yield* this.#profiles(null);
    yield* this.#quotes();
    yield* this.#choices();
    yield* this.#adjustments();
  }

  /** Settles the profiles as `#profiles` does, with an operation that shows its progress and result. */
  async *#profilesOfRun(due: number): AsyncGenerator<void, void, void> {
    const run = await startRun(this.#context.pool, this.#environmentId, 'expiry_run', due);
    this.#requestId = run.requestId;
    let complete = false;
    try {
      yield* this.#profiles(run);
      complete = !this.#overloaded;
    } finally {
      await run.finish(
        this.counts,
        !complete ? 'interrupted' : this.counts.failed > 0 ? 'internal_error' : null,
      );
    }
  }

  async *#profiles(run: OperationRun | null): AsyncGenerator<void, void, void> {
    const { pool } = this.#context;
    const environmentId = this.#environmentId;
    let after: DueProfile | null = null;
    let done = 0;
    for (;;) {
      const page: DueProfile[] = await dueProfiles(pool, environmentId, this.#at, after, PAGE);
      yield* this.#settle(page);
      if (page.length < PAGE || this.#overloaded) return;
      done += page.length;
      after = page.at(-1) ?? null;
      await run?.update(done);
      yield;
    }
  }

  /** Settles the profiles of a page. Yields between the steps of those with very many lots. */
  async *#settle(page: readonly DueProfile[]): AsyncGenerator<void, void, void> {
    const environmentId = this.#environmentId;
    const requestId = this.#requestId;
    const counted = new Set<DueProfile>();
    let open = page;
    for (;;) {
      const receipts = await Promise.all(
        open.map(({ programId, externalCustomerId, memberId }) =>
          this.#submit<SettlementReceipt>(
            settleProfile({ environmentId, programId, externalCustomerId, requestId }),
            `${toTypeId('mem', memberId)} in ${programId}`,
          ),
        ),
      );
      open.forEach((profile, index) => {
        this.#count(receipts[index] ?? null, profile, counted);
      });
      open = open.filter((_profile, index) => receipts[index]?.unfinished);
      if (open.length === 0 || this.#overloaded) return;
      yield;
    }
  }

  async *#quotes(): AsyncGenerator<void, void, void> {
    for (;;) {
      const expired = await expireQuotes(this.#context.pool, this.#environmentId, this.#at, PAGE);
      this.counts.quotes += expired;
      if (expired < PAGE) return;
      yield;
    }
  }

  async *#choices(): AsyncGenerator<void, void, void> {
    for (;;) {
      const expired = await expireChoices(this.#context.pool, this.#environmentId, this.#at, PAGE);
      this.counts.choices += expired;
      if (expired < PAGE) return;
      yield;
    }
  }

  async *#adjustments(): AsyncGenerator<void, void, void> {
    for (;;) {
      const page = await dueAdjustments(this.#context.pool, this.#environmentId, this.#at, PAGE);
      const receipts = await Promise.all(
        page.map((due) =>
          this.#submit(expireAdjustment(this.#environmentId, due, this.#requestId), toTypeId('adj', due.id)),
        ),
      );
      const expired = receipts.filter((receipt) => receipt !== null).length;
      this.counts.adjustments += expired;
      if (expired < PAGE) return;
      yield;
    }
  }

  /**
   * @returns null where nothing was done: the command failed or was refused, or the subject failed a short while ago
   */
  async #submit<Receipt extends object>(command: Command, subject: string): Promise<Receipt | null> {
    const { door, failures, onFailed } = this.#context;
    if (failures.has(subject)) return null;
    try {
      const outcome = await door.submit(command);
      if (!isRefusal(outcome)) return outcome.receipt as Receipt;
      if (outcome.code === 'overloaded') this.#overloaded = true;
      return null;
    } catch (error) {
      this.counts.failed += 1;
      failures.note(subject);
      onFailed(error, subject);
      return null;
    }
  }

  /** @param countedProfiles the profiles of the page that were counted before, with an earlier step */
  #count(receipt: SettlementReceipt | null, profile: DueProfile, countedProfiles: Set<DueProfile>): void {
    if (!receipt || receipt.transactionIds.length === 0) return;
    if (!countedProfiles.has(profile)) this.counts.profiles += 1;
    countedProfiles.add(profile);
    this.counts.transactions += receipt.transactionIds.length;
    this.counts.reservations += receipt.reservationIds.length;
  }
}
