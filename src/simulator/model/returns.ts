/** A line of a purchase, as the model keeps it. */
export interface ModelLine {
  reference: string;
  quantity: number;
  price: number;
}

/** The model's account of an order. */
export interface ModelOrder {
  /** The profile's name. */
  profile: string;
  programId: string;
  externalCustomerId: string;
  points: number;
  amountMinor: number;
  returnedMinor: number;
  lines: readonly ModelLine[];
  returnedLines: Readonly<Record<string, number>>;
  /** The place of its lot among the profile's; null where it earned nothing. */
  lot: number | null;
}

/** Half up, on whole numbers that are not negative. */
function share(part: bigint, of: bigint, whole: bigint): bigint {
  return (2n * part * of + whole) / (2n * whole);
}

/** What is owed of an order's points once so much of it has gone back. */
export function pointsOwed(
  { points, amountMinor }: Pick<ModelOrder, 'points' | 'amountMinor'>,
  returnedMinor: number,
): number {
  if (amountMinor === 0) return 0;
  return Number(share(BigInt(returnedMinor), BigInt(points), BigInt(amountMinor)));
}

/** What these quantities of an order's lines are worth together. Each reference names one line. */
export function worthOf({ lines, amountMinor }: ModelOrder, returned: Record<string, number>): number {
  // Where nothing has a price, a piece is a piece.
  const priced = lines.some((line) => line.price > 0);
  const value = (quantityOf: (line: ModelLine) => number): bigint =>
    lines.reduce((sum, line) => sum + BigInt(quantityOf(line)) * BigInt(priced ? line.price : 1), 0n);
  const whole = value((line) => line.quantity);
  if (whole === 0n) return 0;
  return Number(
    share(
      BigInt(amountMinor),
      value((line) => returned[line.reference] ?? 0),
      whole,
    ),
  );
}

/** The state of an order of which something has gone back. Of one of no value the lines tell. */
export function stateOf(
  { amountMinor, lines }: ModelOrder,
  returnedMinor: number,
  returnedLines: Readonly<Record<string, number>>,
): 'returned' | 'partially_returned' {
  const gone =
    amountMinor > 0
      ? returnedMinor === amountMinor
      : lines.every(({ reference, quantity }) => returnedLines[reference] === quantity);
  return gone ? 'returned' : 'partially_returned';
}
