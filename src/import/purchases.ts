import { LRUCache } from 'lru-cache';
import { purchaseEarn } from '../commands/earning/purchase-earn.ts';
import { createMember } from '../commands/members/create-member.ts';
import { enrollMember } from '../commands/members/enroll-member.ts';
import type { Caller } from '../commands/shared/caller.ts';
import { normalizeDateTime } from '../contract/date-time.ts';
import type { PurchaseEarnInput } from '../contract/generated/types.ts';
import type { CommandDoor, Outcome } from '../ledger/command.ts';
import { type Detail, isRefusal, type Refusal } from '../refusal.ts';
import type { CsvRow } from './csv-rows.ts';
import { describeRefusal, describeViolations } from './describe-rejection.ts';
import type { PurchaseColumn, PurchaseRow } from './purchase-columns.ts';
import { importEnrollmentKey, importKey, type RowDefaults, readPurchaseRow } from './purchase-row.ts';
import { type RejectedRow, RejectionsInOrder } from './rejections-in-order.ts';

/** The counts of an import so far. */
export interface ImportProgress {
  /** Rows processed: committed, replayed and rejected. */
  done: number;
  /** Purchases that this run committed. */
  committed: number;
  /** Purchases that were committed before, such as by an earlier run. */
  replayed: number;
  rejected: number;
  /** Points of the committed and of the replayed purchases, in the smallest loyalty unit. */
  committedPoints: bigint;
  replayedPoints: bigint;
  membersCreated: number;
}

/** The ledger refuses every purchase for now (`production_locked`, `overloaded`), whatever the row: the import ends. */
export class ImportStoppedError extends Error {
  readonly code: string;

  constructor({ code, message }: Refusal) {
    super(message);
    this.code = code;
  }
}

export interface ImportOptions {
  door: CommandDoor;
  caller: Caller;
  defaults: RowDefaults;
  /** Creates members for unknown customers and enrolls them, with consent to this version of the notice. Null: neither. */
  enroll: { noticeVersion: string } | null;
  /** The most rows in flight at once. */
  maxInFlight: number;
  /** @returns how an input of this type violates the contract; empty where it does not */
  validate(type: 'PurchaseEarnInput' | 'CreateMemberInput', input: object): Detail[];
  /** Called for each rejected row, in the order of the file. */
  onRejected(row: RejectedRow): void;
  /** Ends the import early: rows in flight are finished, and no others are begun. */
  signal: AbortSignal;
}

// Customers whose first row has been submitted. The next row of a forgotten customer is only treated as a first row again.
const MAX_OPENED_CUSTOMERS = 100_000;
const STOPPING: ReadonlySet<string> = new Set(['production_locked', 'overloaded']);

type Row = CsvRow<PurchaseColumn>;

/**
 * Submits each row to the ledger's writer, many at once, the rows of one customer in the order of the file. Idempotency keys
 * are made from the references, so a second run replays what the first committed and continues after it.
 * @param progress updated while the import runs; purchases that it counts are durable, even where the import throws
 * @throws ImportStoppedError where the environment is locked or the writer overloaded; any other error as it is, such as a
 *   lost connection to the database
 */
export async function importPurchases(
  rows: AsyncIterable<Row>,
  options: ImportOptions,
  progress: ImportProgress,
): Promise<void> {
  const opened = new LRUCache<string, Promise<void>>({ max: MAX_OPENED_CUSTOMERS });
  const inFlight = new Set<Promise<void>>();
  let broken: unknown = null;
  let roomMade: (() => void) | null = null;
  const rejections = new RejectionsInOrder(options.onRejected);

  const reject = (line: number, sourceReference: string, code: string, message: string): void => {
    progress.done += 1;
    progress.rejected += 1;
    rejections.add({ line, sourceReference, code, message });
  };

  const send = async (line: number, input: PurchaseEarnInput, cells: PurchaseRow): Promise<void> => {
    const before = opened.get(input.externalCustomerId);
    const outcome = before
      ? await before.then(() => options.door.submit(purchaseEarn(input, options.caller)))
      : await open(input);
    if (isRefusal(outcome)) {
      if (STOPPING.has(outcome.code)) throw new ImportStoppedError(outcome);
      const message = describeRefusal(outcome, cells, options.enroll !== null);
      reject(line, input.sourceReference, outcome.code, message);
      return;
    }
    const points = BigInt((outcome.receipt as { award: { points: number } }).award.points);
    progress.done += 1;
    progress[outcome.idempotent ? 'replayed' : 'committed'] += 1;
    progress[outcome.idempotent ? 'replayedPoints' : 'committedPoints'] += points;
  };

  // A customer's first row is submitted alone. Rows after it are submitted in order, and the writer's lane keeps that order.
  const open = async (input: PurchaseEarnInput): Promise<Outcome> => {
    const first = sendFirst(input, options, progress);
    opened.set(input.externalCustomerId, first.then(ignore, ignore));
    return first;
  };

  for await (const row of rows) {
    if (broken !== null || options.signal.aborted) break;
    const read = readRow(row, options);
    if ('code' in read) {
      reject(row.line, read.sourceReference, read.code, read.message);
      continue;
    }
    rejections.begin(row.line);
    const sent: Promise<void> = send(row.line, read.input, read.cells).then(ignore, (error) => {
      broken ??= error;
    });
    inFlight.add(sent);
    void sent.then(() => {
      rejections.end(row.line);
      inFlight.delete(sent);
      roomMade?.();
    });
    while (inFlight.size >= options.maxInFlight) {
      await new Promise<void>((resolve) => {
        roomMade = resolve;
      });
    }
  }
  await Promise.all(inFlight);
  if (broken !== null) throw broken;
}

/** The purchase of a row with its cells, or why the API would not accept it. */
function readRow(
  row: Row,
  { defaults, validate }: ImportOptions,
): { input: PurchaseEarnInput; cells: PurchaseRow } | Omit<RejectedRow, 'line'> {
  if ('problem' in row) return { sourceReference: '', code: 'invalid_row', message: row.problem };
  const { cells } = row;
  const read = readPurchaseRow(cells, defaults, (input) => validate('PurchaseEarnInput', input));
  if (!read.ok) {
    return { sourceReference: cells.source_reference ?? '', code: 'invalid_row', message: read.message };
  }
  const { input } = read;
  const details = validate('PurchaseEarnInput', input);
  if (details.length > 0) {
    const message = describeViolations(details, cells);
    return { sourceReference: input.sourceReference, code: 'invalid_event', message };
  }
  normalise(input);
  return { input, cells };
}

/** Submits a purchase. If the customer is unknown or not enrolled: creates and enrolls the member, and submits it again. */
async function sendFirst(
  input: PurchaseEarnInput,
  { door, caller, enroll, validate }: ImportOptions,
  progress: ImportProgress,
): Promise<Outcome> {
  const outcome = await door.submit(purchaseEarn(input, caller));
  if (!enroll || !isRefusal(outcome)) return outcome;
  if (!isOutside(outcome)) return outcome;
  const { externalCustomerId, programId } = input;
  const { noticeVersion } = enroll;
  if (outcome.code === 'member_not_found') {
    const member = {
      idempotencyKey: importKey(externalCustomerId),
      externalCustomerId,
      consentStatus: 'opted_in' as const,
      noticeVersion,
    };
    const details = validate('CreateMemberInput', member);
    if (details.length > 0) throw new Error(`no member can be created: ${describeViolations(details, {})}`);
    const command = createMember(member, caller);
    const created = isRefusal(command) ? command : await door.submit(command);
    // Somebody else has created the member meanwhile: go on to the enrollment, which checks the member's state.
    if (isRefusal(created) && !isTaken(created)) return created;
    if (!isRefusal(created) && !created.idempotent) progress.membersCreated += 1;
  }
  const enrolled = await door.submit(
    enrollMember(
      {
        idempotencyKey: importEnrollmentKey(programId, externalCustomerId),
        externalCustomerId,
        programId,
        consentStatus: 'opted_in',
        noticeVersion,
        evidence: { source: 'import' },
      },
      caller,
      // Checked under the member's lock: a file does not enroll a member who left the program or withdrew consent.
      { onlyNew: true },
    ),
  );
  if (isRefusal(enrolled) && isTaken(enrolled)) return outcome;
  if (isRefusal(enrolled) && enrolled.code !== 'enrollment_required') return enrolled;
  // Submitted again even where the enrollment was refused, because the member may have enrolled meanwhile. Where the
  // enrollment was only replayed, the member has left since: the second attempt is refused too, and the row is rejected.
  const second = await door.submit(purchaseEarn(input, caller));
  const stillOutside = isRefusal(second) && isOutside(second);
  return stillOutside && isRefusal(enrolled) ? enrolled : second;
}

/** Whether the customer is no active member, or not enrolled. */
function isOutside({ code }: Refusal): boolean {
  return code === 'member_not_found' || code === 'enrollment_required';
}

/** Whether an earlier run submitted the command with another notice version, or the member exists already. */
function isTaken({ code }: Refusal): boolean {
  return code === 'member_exists' || code === 'idempotency_key_reused';
}

/** Normalizes instants and quantities as the API does, so that the same purchase through the API is the same input. */
function normalise(input: PurchaseEarnInput): void {
  if (input.occurredAt) input.occurredAt = normalizeDateTime(input.occurredAt) ?? input.occurredAt;
  for (const item of input.items ?? []) item.quantity ??= 1;
}

function ignore(): void {}
