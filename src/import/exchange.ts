import { type ReverseExchangeInput, reverseExchange } from '../commands/exchange/reverse-exchange.ts';
import { type SettleExchangeInput, settleExchange } from '../commands/exchange/settle-exchange.ts';
import type { Caller } from '../commands/shared/caller.ts';
import type { CommandDoor } from '../ledger/command.ts';
import type { Refusal } from '../refusal.ts';
import { objectionTo, POINTS_RULE, readPoints, type ValidateInput } from './cells.ts';
import { describerOf } from './describe-cells.ts';
import { firstRowsAlone } from './first-rows-alone.ts';
import { importKey } from './import-keys.ts';
import type { Cells, FileColumns, ReadRow, RowHandler } from './import-rows.ts';

const COLUMNS = [
  'settlement_reference',
  'partner_id',
  'direction',
  'external_customer_id',
  'points',
  'reverses',
] as const;

type ExchangeColumn = (typeof COLUMNS)[number];

export const EXCHANGE_FILE: FileColumns<ExchangeColumn> = {
  columns: COLUMNS,
  required: COLUMNS.slice(0, -1),
  reference: 'settlement_reference',
};

const describer = describerOf<ExchangeColumn>({
  columnOf: {
    settlementReference: 'settlement_reference',
    partnerId: 'partner_id',
    externalCustomerId: 'external_customer_id',
    points: 'points',
  },
  rules: {
    points: POINTS_RULE,
    direction: 'must be in (the member gets points) or out (the member gives points)',
  },
});

/** A settlement, or the reversal of one. */
type ExchangeRow =
  | { reverses: false; input: SettleExchangeInput }
  | { reverses: true; input: ReverseExchangeInput };

/** Where the rows of a file of settlements go. */
export interface ExchangeImport {
  door: CommandDoor;
  caller: Caller;
  programId: string;
  validate: ValidateInput;
}

/** Makes each row a settlement with a partner, or the reversal of one, once under its reference. */
export function exchangeRows({
  door,
  caller,
  programId,
  validate,
}: ExchangeImport): RowHandler<ExchangeColumn, ExchangeRow> {
  return {
    file: EXCHANGE_FILE,
    read: (cells) => readExchange(cells, programId, validate),
    submit: firstRowsAlone(
      ({ input }) => input.externalCustomerId,
      ({ reverses, input }) =>
        door.submit(reverses ? reverseExchange(input, caller) : settleExchange(input, caller)),
    ),
    pointsOf: (receipt) => (receipt as { exchange: { points: number } }).exchange.points,
    describe: describeRefusal,
  };
}

function readExchange(
  cells: Cells<ExchangeColumn>,
  programId: string,
  validate: ValidateInput,
): ReadRow<ExchangeRow> {
  const { settlement_reference: settlementReference = '', external_customer_id: externalCustomerId = '' } =
    cells;
  const { partner_id: partnerId = '', direction = '', reverses = '' } = cells;
  const points = readPoints(cells.points ?? '');
  const isReversal = reverses !== '';
  const wrong: string[] = [];
  const check = (column: ExchangeColumn, rule: string | null | undefined): void => {
    // What a reversal has from the settlement may be empty in its row.
    const isOmitted = isReversal && isOfSettlement(column) && (cells[column] ?? '') === '';
    if (rule !== null && !isOmitted) wrong.push(describer.cell(cells, column, rule));
  };
  check('settlement_reference', objectionTo('sourceReference', settlementReference, validate));
  check('partner_id', objectionTo('sourceReference', partnerId, validate));
  check('direction', direction === 'in' || direction === 'out' ? null : undefined);
  check('external_customer_id', objectionTo('externalCustomerId', externalCustomerId, validate));
  check('points', points === null ? undefined : null);
  if (isReversal) {
    check('reverses', objectionTo('sourceReference', reverses, validate));
    if (reverses === settlementReference) check('reverses', 'must be the reference of another row');
  }
  if (wrong.length > 0) return { ok: false, code: 'invalid_row', message: wrong.join('; ') };
  const named = {
    idempotencyKey: importKey(settlementReference),
    settlementReference,
    programId,
    externalCustomerId,
  };
  if (isReversal) {
    const optionalFields = { ...(partnerId && { partnerId }), ...(points !== null && { points }) };
    return { ok: true, input: { reverses: true, input: { ...named, reverses, ...optionalFields } } };
  }
  return {
    ok: true,
    input: {
      reverses: false,
      input: { ...named, partnerId, direction: direction === 'in' ? 'in' : 'out', points: points ?? 0 },
    },
  };
}

function isOfSettlement(column: ExchangeColumn): boolean {
  return column === 'partner_id' || column === 'direction' || column === 'points';
}

function describeRefusal(refusal: Refusal, cells: Cells<ExchangeColumn>): string {
  switch (refusal.code) {
    case 'idempotency_key_reused':
      return (
        'settlement_reference was used by an earlier row or import with another customer, partner, direction, ' +
        'points or program, or for a customer who has been erased: correct the reference, or leave the row out; ' +
        'what was settled first stays'
      );
    case 'source_reference_conflict':
      return 'settlement_reference is that of a settlement or reversal that was recorded already: give the row its own';
    default:
      return describer.refusal(refusal, cells);
  }
}
