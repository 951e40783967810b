import {
  type LabelledMembers,
  labelMembers,
  MOST_LABELS,
  MOST_MEMBERS,
} from '../commands/members/label-members.ts';
import type { Caller } from '../commands/shared/caller.ts';
import { storedReceipt } from '../commands/shared/receipts.ts';
import type { CommandDoor } from '../ledger/command.ts';
import { isRefusal } from '../refusal.ts';
import { objectionTo, type ValidateInput } from './cells.ts';
import type { CsvRow } from './csv-rows.ts';
import { describerOf } from './describe-cells.ts';
import { type FileColumns, type ImportProgress, ImportStoppedError, type RunOptions } from './import-rows.ts';

type ListColumn = 'external_customer_id';

export const LIST_FILE: FileColumns<ListColumn> = {
  columns: ['external_customer_id'],
  required: ['external_customer_id'],
  reference: 'external_customer_id',
};

const describer = describerOf<ListColumn>({
  columnOf: { externalCustomerId: 'external_customer_id' },
  rules: {},
});

/** Where the rows of a file of customers go. */
export interface ListImport {
  door: CommandDoor;
  caller: Caller;
  /** Normalized name of the list. */
  list: string;
  validate: ValidateInput;
}

/** A row of the file: the customer, or why the row is refused. */
type ListRow = {
  line: number;
  externalCustomerId: string;
  refused: { code: string; message: string } | null;
};

const UNKNOWN = { code: 'member_not_found', message: 'external_customer_id is that of no member' };
const FULL = {
  code: 'list_limit_reached',
  message: `external_customer_id is that of a member on ${MOST_LABELS} lists already`,
};

/**
 * Puts the members of a file on a list, a thousand in each transaction; no more of the file is in memory. Who is on the
 * list already is counted as replayed, so a second run of the same file finishes what was interrupted.
 * @param progress updated while the import runs; rows that it counts are durable, even where the import throws
 * @throws ImportStoppedError where the writer is overloaded
 */
export async function importList(
  rows: AsyncIterable<CsvRow<ListColumn>>,
  to: ListImport,
  { onRejected, signal }: Pick<RunOptions, 'onRejected' | 'signal'>,
  progress: ImportProgress,
): Promise<void> {
  let step: ListRow[] = [];
  const send = async (): Promise<void> => {
    const changed = await addToList(step, to);
    for (const { line, externalCustomerId: reference, refused } of step) {
      if (!refused) continue;
      progress.rejected += 1;
      progress.replayed -= 1;
      onRejected({ line, reference, ...refused });
    }
    progress.committed += changed;
    progress.replayed += step.length - changed;
    progress.done += step.length;
    step = [];
  };
  for await (const row of rows) {
    if (signal.aborted) break;
    step.push(readRow(row, to.validate));
    if (step.length === MOST_MEMBERS) await send();
  }
  if (step.length > 0 && !signal.aborted) await send();
}

function readRow(row: CsvRow<ListColumn>, validate: ValidateInput): ListRow {
  const { line } = row;
  if ('problem' in row) {
    return { line, externalCustomerId: '', refused: { code: 'invalid_row', message: row.problem } };
  }
  const { external_customer_id: externalCustomerId = '' } = row.cells;
  const objection = objectionTo('externalCustomerId', externalCustomerId, validate);
  if (objection === null) return { line, externalCustomerId, refused: null };
  const message = describer.cell(row.cells, 'external_customer_id', objection);
  return { line, externalCustomerId, refused: { code: 'invalid_row', message } };
}

/** Marks the rows that are refused. @returns how many members were put on the list */
async function addToList(step: readonly ListRow[], { door, caller, list }: ListImport): Promise<number> {
  const readable = step.filter(({ refused }) => refused === null);
  const ids = readable.map(({ externalCustomerId }) => externalCustomerId);
  if (ids.length === 0) return 0;
  const change = { kind: 'lists', labels: [list], adds: true } as const;
  const outcome = await door.submit(labelMembers(ids, change, caller));
  if (isRefusal(outcome)) throw new ImportStoppedError(outcome);
  const { changed, unknown, full } = storedReceipt<LabelledMembers>(outcome.receipt);
  // A customer may stand in several rows; the receipt names the first one.
  const why = new Map([
    ...unknown.map((place) => [ids[place] ?? '', UNKNOWN] as const),
    ...full.map((place) => [ids[place] ?? '', FULL] as const),
  ]);
  for (const row of readable) row.refused = why.get(row.externalCustomerId) ?? null;
  return changed;
}
