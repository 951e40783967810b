import type { Outcome } from '../ledger/command.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { CsvRow } from './csv-rows.ts';
import { type RejectedRow, RejectionsInOrder } from './rejections-in-order.ts';

/** What the rows of a file become. */
export type ImportKind = 'members' | 'balances' | 'purchases' | 'exchange' | 'list';

/** The counts of an import so far. */
export interface ImportProgress {
  /** Rows processed: committed, replayed and rejected. */
  done: number;
  /** Rows that this run committed. */
  committed: number;
  /** Rows that were committed before, such as by an earlier run; members who were there already. */
  replayed: number;
  rejected: number;
  /** Points of the committed and of the replayed rows, in the smallest loyalty unit. */
  committedPoints: bigint;
  replayedPoints: bigint;
  membersCreated: number;
}

/** The ledger refuses every command for now (`production_locked`, `overloaded`), whatever the row: the import ends. */
export class ImportStoppedError extends Error {
  readonly code: string;

  constructor({ code, message }: Refusal) {
    super(message);
    this.code = code;
  }
}

/** The cells of one row by column name. An empty cell, or one whose column the file lacks, counts as absent. */
export type Cells<Column extends string> = Partial<Record<Column, string>>;

/** The input of a row, or why the row has none: a code, and a message with the names of the columns. */
export type ReadRow<Input> = { ok: true; input: Input } | { ok: false; code: string; message: string };

/** The columns of a file. */
export interface FileColumns<Column extends string> {
  /** In the order in which help and messages list them. */
  columns: readonly Column[];
  required: readonly Column[];
  /** The column that names a row in the report of rejected rows. */
  reference: Column;
}

/** How rows are read and submitted. */
export interface RowHandler<Column extends string, Input> {
  file: FileColumns<Column>;
  read(cells: Cells<Column>): ReadRow<Input>;
  /**
   * Submits a row. Rows are handed over in the order of the file, and those of one customer are applied in this order.
   */
  submit(input: Input): Promise<Outcome>;
  /** The points of a row, from its receipt. */
  pointsOf(receipt: object): number;
  /** Why a row was refused, and what to change in it, with the names of the columns. */
  describe(refusal: Refusal, cells: Cells<Column>): string;
}

/** How an import runs, whatever the rows become. */
export interface RunOptions {
  /** The most rows in flight at once. */
  maxInFlight: number;
  /** Called for each rejected row, in the order of the file. */
  onRejected(row: RejectedRow): void;
  /** Ends the import early: rows in flight are finished, and no others are begun. */
  signal: AbortSignal;
}

const STOPPING: ReadonlySet<string> = new Set(['production_locked', 'overloaded']);

export function newProgress(): ImportProgress {
  return {
    done: 0,
    committed: 0,
    replayed: 0,
    rejected: 0,
    committedPoints: 0n,
    replayedPoints: 0n,
    membersCreated: 0,
  };
}

/**
 * Submits each row to the ledger's writer, many at once, the rows of one customer in the order of the file. Idempotency
 * keys are made from the references, so a second run replays what the first committed and continues after it.
 * @param progress updated while the import runs; rows that it counts are durable, even where the import throws
 * @throws ImportStoppedError where the environment is locked or the writer overloaded; any other error as it is, such
 *   as a lost connection to the database
 */
export async function importRows<Column extends string, Input>(
  rows: AsyncIterable<CsvRow<Column>>,
  handler: RowHandler<Column, Input>,
  { maxInFlight, onRejected, signal }: RunOptions,
  progress: ImportProgress,
): Promise<void> {
  const inFlight = new Set<Promise<void>>();
  let broken: unknown = null;
  let roomMade: (() => void) | null = null;
  const rejections = new RejectionsInOrder(onRejected);

  const reject = (row: RejectedRow): void => {
    progress.done += 1;
    progress.rejected += 1;
    rejections.add(row);
  };

  const send = async (row: Read<Column, Input>): Promise<void> => {
    const outcome = await handler.submit(row.input);
    if (isRefusal(outcome)) {
      if (STOPPING.has(outcome.code)) throw new ImportStoppedError(outcome);
      const message = handler.describe(outcome, row.cells);
      reject({ line: row.line, reference: row.reference, code: outcome.code, message });
      return;
    }
    const points = BigInt(handler.pointsOf(outcome.receipt));
    progress.done += 1;
    progress[outcome.idempotent ? 'replayed' : 'committed'] += 1;
    progress[outcome.idempotent ? 'replayedPoints' : 'committedPoints'] += points;
  };

  for await (const row of rows) {
    if (broken !== null || signal.aborted) break;
    const read = readRow(row, handler);
    if ('code' in read) {
      reject(read);
      continue;
    }
    rejections.begin(row.line);
    const sent: Promise<void> = send(read).then(ignore, (error) => {
      broken ??= error;
    });
    inFlight.add(sent);
    void sent.then(() => {
      rejections.end(row.line);
      inFlight.delete(sent);
      roomMade?.();
    });
    while (inFlight.size >= maxInFlight) {
      await new Promise<void>((resolve) => {
        roomMade = resolve;
      });
    }
  }
  await Promise.all(inFlight);
  if (broken !== null) throw broken;
}

/** A row with its input. */
interface Read<Column extends string, Input> {
  line: number;
  reference: string;
  input: Input;
  cells: Cells<Column>;
}

function readRow<Column extends string, Input>(
  row: CsvRow<Column>,
  { read, file }: RowHandler<Column, Input>,
): Read<Column, Input> | RejectedRow {
  const { line } = row;
  if ('problem' in row) return { line, reference: '', code: 'invalid_row', message: row.problem };
  const { cells } = row;
  const reference = cells[file.reference] ?? '';
  const result = read(cells);
  if (!result.ok) return { line, reference, code: result.code, message: result.message };
  return { line, reference, input: result.input, cells };
}

function ignore(): void {}
