import { type OpenBalanceInput, openBalance } from '../commands/adjustments/open-balance.ts';
import type { Caller } from '../commands/shared/caller.ts';
import type { CommandDoor } from '../ledger/command.ts';
import { objectionTo, POINTS_RULE, readInstant, readPoints, type ValidateInput } from './cells.ts';
import { describerOf } from './describe-cells.ts';
import { firstRowsAlone } from './first-rows-alone.ts';
import { importKey } from './import-keys.ts';
import type { Cells, FileColumns, ReadRow, RowHandler } from './import-rows.ts';

const COLUMNS = ['external_customer_id', 'points', 'reference', 'expires_at'] as const;

type BalanceColumn = (typeof COLUMNS)[number];

export const BALANCE_FILE: FileColumns<BalanceColumn> = {
  columns: COLUMNS,
  required: COLUMNS,
  reference: 'reference',
};

const describer = describerOf<BalanceColumn>({
  columnOf: {
    externalCustomerId: 'external_customer_id',
    points: 'points',
    reference: 'reference',
    expiresAt: 'expires_at',
  },
  rules: {
    points: POINTS_RULE,
    expires_at:
      'must be a date such as 2027-01-31 (its midnight in UTC), an instant with a time zone such as ' +
      "2027-01-31T12:00:00Z, the word never, or empty for the program's expiration policy",
  },
});

/** Where the rows of a file of opening balances go. */
export interface BalanceImport {
  door: CommandDoor;
  caller: Caller;
  programId: string;
  validate: ValidateInput;
}

/** Makes each row an opening balance, once under its reference. */
export function balanceRows({
  door,
  caller,
  programId,
  validate,
}: BalanceImport): RowHandler<BalanceColumn, OpenBalanceInput> {
  return {
    file: BALANCE_FILE,
    read: (cells) => readBalance(cells, programId, validate),
    submit: firstRowsAlone(
      ({ externalCustomerId }) => externalCustomerId,
      (input) => door.submit(openBalance(input, caller)),
    ),
    pointsOf: (receipt) => (receipt as { balance: { points: number } }).balance.points,
    describe: (refusal, cells) =>
      refusal.code === 'idempotency_key_reused'
        ? 'reference was used by an earlier row or import with another customer, points, date or program, or for a ' +
          'customer who has been erased: correct the reference, or leave the row out; what was posted first stays'
        : describer.refusal(refusal, cells),
  };
}

function readBalance(
  cells: Cells<BalanceColumn>,
  programId: string,
  validate: ValidateInput,
): ReadRow<OpenBalanceInput> {
  const {
    external_customer_id: externalCustomerId = '',
    reference = '',
    expires_at: expiryCell = '',
  } = cells;
  const points = readPoints(cells.points ?? '');
  const expiresAt =
    expiryCell === '' || expiryCell === 'never' ? expiryCell || null : readInstant(expiryCell);
  const problems = [
    ['external_customer_id', objectionTo('externalCustomerId', externalCustomerId, validate)],
    ['reference', objectionTo('sourceReference', reference, validate)],
  ] as const;
  const wrong = problems.flatMap(([column, rule]) => (rule ? [describer.cell(cells, column, rule)] : []));
  if (points === null) wrong.push(describer.cell(cells, 'points'));
  if (expiryCell !== '' && expiresAt === null) wrong.push(describer.cell(cells, 'expires_at'));
  if (points === null || wrong.length > 0)
    return { ok: false, code: 'invalid_row', message: wrong.join('; ') };
  const idempotencyKey = importKey(reference);
  return { ok: true, input: { idempotencyKey, programId, externalCustomerId, reference, points, expiresAt } };
}
