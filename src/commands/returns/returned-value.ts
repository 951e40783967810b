import type { RecordReturnInput, ReturnItemInput } from '../../contract/generated/types.ts';
import type { OrderRecord } from '../../ledger/tables/orders.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import {
  addedUp,
  boughtQuantities,
  type PurchaseLine,
  type Quantities,
  worthOfLines,
} from '../../rules/shared/line-value.ts';

/** What a return takes back of an order, and the order after it. */
export interface ReturnedValue {
  /** In minor currency units. */
  returnAmountMinor: number;
  /** The lines that the return names; null in the amount form. */
  lines: ReturnItemInput[] | null;
  order: Pick<OrderRecord, 'state' | 'returnedMinor' | 'returnedLines'>;
}

/**
 * Values a return: by its lines where it names any, else by its amount. Refusals: `unknown_line`,
 * `return_exceeds_remaining`.
 */
export function returnedValue(
  { returnAmountMinor, items }: Pick<RecordReturnInput, 'returnAmountMinor' | 'items'>,
  order: OrderRecord,
): ReturnedValue | Refusal<'return_exceeds_remaining' | 'unknown_line'> {
  if (items?.length) return returnOfLines(items, order);
  return returnOf(returnAmountMinor ?? 0, null, quantities(order), order);
}

function returnOfLines(
  items: readonly ReturnItemInput[],
  order: OrderRecord,
): ReturnedValue | Refusal<'return_exceeds_remaining' | 'unknown_line'> {
  const lines = linesOf(order);
  const bought = boughtQuantities(lines);
  const before = quantities(order);
  const asked = addedUp(items);
  const pathOf = (reference: string): string =>
    `items[${items.findIndex((item) => item.lineReference === reference)}]`;
  const unknown = [...asked.keys()].filter((reference) => !bought.has(reference));
  if (unknown.length > 0) {
    return refuse(
      'unknown_line',
      lines.length === 0
        ? 'The order was recorded without lines: send returnAmountMinor.'
        : 'The order has no line of this lineReference.',
      unknown.map((reference) => ({
        path: `${pathOf(reference)}.lineReference`,
        message: 'is no line of the order',
      })),
    );
  }
  const after = addedUp(
    [...before, ...asked].map(([lineReference, quantity]) => ({ lineReference, quantity })),
  );
  const remains = (reference: string): number => (bought.get(reference) ?? 0) - (before.get(reference) ?? 0);
  const tooMany = [...asked].filter(([reference, quantity]) => quantity > remains(reference));
  if (tooMany.length > 0) {
    return refuse(
      'return_exceeds_remaining',
      'More is returned of a line than remains of it.',
      tooMany.map(([reference]) => ({
        path: `${pathOf(reference)}.quantity`,
        message:
          `must be at most ${remains(reference)} for this line in all: ` +
          `${before.get(reference) ?? 0} of ${bought.get(reference)} returned before`,
      })),
    );
  }
  const { amountMinor } = order;
  const worth = worthOfLines(lines, amountMinor, after) - worthOfLines(lines, amountMinor, before);
  return returnOf(
    worth,
    [...asked].map(([lineReference, quantity]) => ({ lineReference, quantity })),
    after,
    order,
  );
}

function returnOf(
  returnAmountMinor: number,
  lines: ReturnItemInput[] | null,
  after: Quantities,
  order: OrderRecord,
): ReturnedValue | Refusal<'return_exceeds_remaining'> {
  const remaining = order.amountMinor - order.returnedMinor;
  if (returnAmountMinor > remaining) {
    return refuse(
      'return_exceeds_remaining',
      `The return is worth ${returnAmountMinor}, and ${remaining} remain of the order.`,
    );
  }
  const returnedMinor = order.returnedMinor + returnAmountMinor;
  const everything =
    order.amountMinor > 0 ? returnedMinor === order.amountMinor : isFullyReturned(order, after);
  return {
    returnAmountMinor,
    lines,
    order: {
      state: everything ? 'returned' : 'partially_returned',
      returnedMinor,
      returnedLines: after.size > 0 ? Object.fromEntries(after) : null,
    },
  };
}

/** Whether every line was returned in full. It decides the state of an order of no value. */
function isFullyReturned(order: OrderRecord, after: Quantities): boolean {
  const lines = linesOf(order);
  return (
    lines.every(({ lineReference }) => lineReference) &&
    [...boughtQuantities(lines)].every(([reference, quantity]) => after.get(reference) === quantity)
  );
}

/** The quantities that returns by line took back of an order. */
export function quantities({ returnedLines }: Pick<OrderRecord, 'returnedLines'>): Quantities {
  return new Map(Object.entries(returnedLines ?? {}));
}

/** The lines of an order. */
export function linesOf({ lines }: OrderRecord): readonly PurchaseLine[] {
  return (lines ?? []) as readonly PurchaseLine[];
}
