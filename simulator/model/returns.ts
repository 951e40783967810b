/** A line of an order. */
export interface ModelLine {
  reference: string;
  quantity: number;
  price: number;
  /** What it earned; null where the program did not look at lines. */
  points: number | null;
}

/** An order with what was returned of it so far. */
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
  /** The index of its lot among the profile's lots; null where it earned nothing. */
  lot: number | null;
  /** The rewards of its referral that returns take back; null where there are none. */
  referral: ModelReferral | null;
}

/** The lots that a referral gave to its two members, by their index; null where one of them got no points. */
export interface ModelReferral {
  /** The name of the referrer's profile. */
  referrer: string;
  referrerLot: number | null;
  refereeLot: number | null;
}

/** `part * of / whole`, rounded half up, on whole numbers that are not negative. */
function share(part: bigint, of: bigint, total: bigint): bigint {
  return (2n * part * of + total) / (2n * total);
}

/**
 * How many of an order's points have to be taken back once `returnedMinor` of its value was returned. Those of an order
 * of no value are due when it is gone: when all of its lines were returned.
 */
export function pointsOwed(
  { points, amountMinor }: Pick<ModelOrder, 'points' | 'amountMinor'>,
  returnedMinor: number,
  isReturned: boolean,
): number {
  if (amountMinor === 0) return isReturned ? points : 0;
  return Number(share(BigInt(returnedMinor), BigInt(points), BigInt(amountMinor)));
}

/**
 * The same for the points of the purchase itself: where its lines have points, returned pieces give back theirs, and
 * what was returned by amount gives back its share of the points of all else.
 */
export function ownPointsOwed(
  order: Pick<ModelOrder, 'points' | 'amountMinor' | 'lines'>,
  returnedMinor: number,
  returnedLines: Readonly<Record<string, number>>,
  isReturned: boolean,
): number {
  const { points, amountMinor, lines } = order;
  if (lines.every((line) => line.points === null)) return pointsOwed(order, returnedMinor, isReturned);
  if (isReturned) return points;
  let ofPieces = 0;
  for (const line of lines) {
    const back = BigInt(returnedLines[line.reference] ?? 0);
    ofPieces += Number(share(BigInt(line.points ?? 0), back, BigInt(line.quantity)));
  }
  const worth = worthOf(order, returnedLines);
  if (returnedMinor === worth) return ofPieces;
  const others = share(BigInt(points - ofPieces), BigInt(returnedMinor - worth), BigInt(amountMinor - worth));
  return ofPieces + Number(others);
}

/** The value of the returned quantities of an order's lines, in minor units. Each reference names one line. */
export function worthOf(
  { lines, amountMinor }: Pick<ModelOrder, 'lines' | 'amountMinor'>,
  returned: Readonly<Record<string, number>>,
): number {
  // Where no line has a price, every piece counts the same.
  const priced = lines.some((line) => line.price > 0);
  const value = (quantityOf: (line: ModelLine) => number): bigint =>
    lines.reduce((sum, line) => sum + BigInt(quantityOf(line)) * BigInt(priced ? line.price : 1), 0n);
  const total = value((line) => line.quantity);
  if (total === 0n) return 0;
  return Number(
    share(
      BigInt(amountMinor),
      value((line) => returned[line.reference] ?? 0),
      total,
    ),
  );
}

/** The state of an order after a return. For an order of no value, the quantities of its lines decide. */
export function stateOf(
  { amountMinor, lines }: ModelOrder,
  returnedMinor: number,
  returnedLines: Readonly<Record<string, number>>,
): 'returned' | 'partially_returned' {
  const isReturned =
    amountMinor > 0
      ? returnedMinor === amountMinor
      : lines.every(({ reference, quantity }) => returnedLines[reference] === quantity);
  return isReturned ? 'returned' : 'partially_returned';
}
