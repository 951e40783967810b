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

/** How far an import has come. */
export interface ImportProgress {
  /** Rows dealt with: the sum of the three below. */
  done: number;
  /** Purchases committed now, and those that an earlier run had committed. */
  committed: number;
  replayed: number;
  rejected: number;
  /** Awarded now and before, in the smallest loyalty unit. */
  committedPoints: bigint;
  replayedPoints: bigint;
  membersCreated: number;
}

/** The environment takes no purchases at all for now: no row is to blame, and the import ends. */
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
  /** Creates and enrolls customers who are not there, on the consent that this notice version stands for. */
  enroll: { noticeVersion: string } | null;
  /** Most rows on their way at once. */
  maxInFlight: number;
  /** What violates the contract in an input of this type. */
  validate(type: 'PurchaseEarnInput' | 'CreateMemberInput', input: object): Detail[];
  /** Hears of the rejected rows in the order of the file. */
  onRejected(row: RejectedRow): void;
  /** Ends the import early: rows in flight are finished, no more are begun. */
  signal: AbortSignal;
}

// Customers whose first row has been dealt with; of one that is forgotten, the next row only asks once more.
const MAX_OPENED_CUSTOMERS = 100_000;
const STOPPING: ReadonlySet<string> = new Set(['production_locked', 'overloaded']);

type Row = CsvRow<PurchaseColumn>;

/**
 * Sends each row through the one door for writes, many at once, those of one customer in the order of the file. Keys
 * follow from the references, so a second run replays what the first committed and continues behind it.
 * @param progress counted up while the import runs
 * @throws ImportStoppedError where the environment is locked, and whatever broke, such as a lost database. What is
 *   counted by then is durable.
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

  // A customer's first row goes alone: behind it those that follow keep their order in the lane.
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

/** The purchase of a row with its cells, or why it is none that the API would take. */
function readRow(
  row: Row,
  { defaults, validate }: ImportOptions,
): { input: PurchaseEarnInput; cells: PurchaseRow } | Omit<RejectedRow, 'line'> {
  if ('problem' in row) return { sourceReference: '', code: 'invalid_row', message: row.problem };
  const { cells } = row;
  const read = readPurchaseRow(cells, defaults);
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

/** Sends a purchase, and where the customer is not there or not enrolled, makes that good and sends it again. */
async function sendFirst(
  input: PurchaseEarnInput,
  { door, caller, enroll, validate }: ImportOptions,
  progress: ImportProgress,
): Promise<Outcome> {
  const outcome = await door.submit(purchaseEarn(input, caller));
  if (!enroll || !isRefusal(outcome)) return outcome;
  if (outcome.code !== 'member_not_found' && outcome.code !== 'enrollment_required') return outcome;
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
    // Somebody made the member meanwhile: the enrollment sees what became of it.
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
      // Decided under the member's lock: who left the program, or withdrew consent, is not enrolled by a file.
      { onlyNew: true },
    ),
  );
  if (isRefusal(enrolled) && isTaken(enrolled)) return outcome;
  if (isRefusal(enrolled) && enrolled.code !== 'enrollment_required') return enrolled;
  // Sent again even where the enrollment was refused, for the member may have enrolled meanwhile. An enrollment that is
  // only replayed has been withdrawn since: this second try says so, and the row is rejected.
  const second = await door.submit(purchaseEarn(input, caller));
  const stillOutside = isRefusal(second) && second.code === 'enrollment_required';
  return stillOutside && isRefusal(enrolled) ? enrolled : second;
}

/** An earlier run sent this under another notice, or the member is there. */
function isTaken({ code }: Refusal): boolean {
  return code === 'member_exists' || code === 'idempotency_key_reused';
}

/** Instants as the API keeps them, so that the same purchase sent there is the same input. */
function normalise(input: PurchaseEarnInput): void {
  if (input.occurredAt) input.occurredAt = normalizeDateTime(input.occurredAt) ?? input.occurredAt;
  for (const item of input.items ?? []) item.quantity ??= 1;
}

function ignore(): void {}
