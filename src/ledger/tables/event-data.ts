import { toTypeId } from '../../ids.ts';

// Most events say that a purchase has earned points, or that some are redeemed, and most of their data is the names of
// its fields, and what other columns have. So what only the data says is stored, as a list. Data that this does not
// give back byte for byte is stored whole: other events, and fields that are new.

/** What an event's data repeats of its other columns. */
export interface EventColumns {
  /**
   * UUID. Of a purchase's `points.earned` and of `redemption.reserved` and `.committed` it is that of the transaction.
   */
  id: string;
  programId: string | null;
  at: Date;
}

type Fields = Readonly<Record<string, unknown>>;

/** Data of `points.earned`, in the order of its fields, as far as this is about it. */
interface EarnedData extends Fields {
  sourceReference: string | null;
  points: number;
  basePoints: number;
  campaignPoints: number;
  /** ISO 8601, as `occurredAt`. */
  activatesAt: string | null;
  occurredAt: string;
  balances: { available: number; pending: number; reserved: number };
  profileVersion: number;
}

/**
 * The stored list. What follows the version is left out where it is the usual: all points are base points, and so on.
 */
type ShortData = [
  sourceReference: string | null,
  points: number,
  available: number,
  pending: number,
  reserved: number,
  profileVersion: number,
  basePoints?: number,
  campaignPoints?: number,
  activatesAt?: string | null,
  occurredAt?: string,
];

/** Data of `redemption.reserved` and `redemption.committed`, in the order of its fields but for those of one type. */
interface RedeemedData extends Fields {
  reservationId: string;
  rewardId: string;
  sourceReference: string;
  points: number;
  balances: { available: number; pending: number; reserved: number };
  profileVersion: number;
}

/** By type of event, what its list begins with, and its own field. Those of purchases begin with no number. */
const REDEEMED = {
  'redemption.reserved': { mark: 1, field: 'expiresAt' },
  'redemption.committed': { mark: 2, field: 'authorizationReference' },
} as const;
const FIELDS = new Map(Object.values(REDEEMED).map(({ mark, field }) => [mark, field]));

type RedeemedMark = (typeof REDEEMED)[keyof typeof REDEEMED]['mark'];

/** The stored list of a redemption. */
type ShortRedeemed = [
  mark: RedeemedMark,
  reservationId: string,
  rewardId: string,
  sourceReference: string,
  points: number,
  own: string,
  available: number,
  pending: number,
  reserved: number,
  profileVersion: number,
];

/** The data of an event as it is stored. @param event with its data as the change reports it */
export function storedData({
  type,
  data,
  ...columns
}: EventColumns & { type: string; data: object }): object {
  const short = shortOf(type, data, columns);
  return short && isSame(data as Fields, wholeOf(short, columns)) ? short : data;
}

/** The data of an event as it was reported. @param data as it is stored; null where it was emptied */
export function wholeData<Data extends object | null>({
  data,
  ...columns
}: EventColumns & { data: Data }): Data | Fields {
  return Array.isArray(data) ? wholeOf(data as ShortData | ShortRedeemed, columns) : data;
}

function shortOf(type: string, data: object, columns: EventColumns): ShortData | ShortRedeemed | null {
  if (type === 'points.earned') return isEarned(data) ? shortData(data, columns) : null;
  if (!isRedeemed(type)) return null;
  const { balances } = data as Partial<RedeemedData>;
  if (!isFields(balances)) return null;
  const { reservationId, rewardId, sourceReference, points, profileVersion, ...others } =
    data as RedeemedData;
  const { available, pending, reserved } = balances;
  const { mark, field } = REDEEMED[type];
  const ownValue = others[field];
  if (typeof ownValue !== 'string') return null;
  return [
    ...([mark, reservationId, rewardId, sourceReference, points, ownValue] as const),
    ...([available, pending, reserved, profileVersion] as const),
  ];
}

function wholeOf(short: ShortData | ShortRedeemed, columns: EventColumns): Fields {
  return isShortRedeemed(short) ? redeemedData(short, columns) : earnedData(short, columns);
}

function isRedeemed(type: string): type is keyof typeof REDEEMED {
  return Object.hasOwn(REDEEMED, type);
}

function isShortRedeemed(short: ShortData | ShortRedeemed): short is ShortRedeemed {
  return typeof short[0] === 'number';
}

function redeemedData(short: ShortRedeemed, { id, programId }: EventColumns): RedeemedData {
  const [mark, reservationId, rewardId, sourceReference, points, ownValue] = short;
  const [, , , , , , available, pending, reserved, profileVersion] = short;
  return {
    reservationId,
    transactionId: toTypeId('txn', id),
    programId,
    rewardId,
    sourceReference,
    points,
    [FIELDS.get(mark) as string]: ownValue,
    balances: { available, pending, reserved },
    profileVersion,
  };
}

function isEarned(data: object): data is EarnedData {
  const { eventType, balances } = data as Partial<EarnedData>;
  return eventType === 'purchase.completed' && isFields(balances);
}

function shortData(data: EarnedData, { at }: EventColumns): ShortData {
  const { sourceReference, points, basePoints, campaignPoints, activatesAt, occurredAt } = data;
  const { available, pending, reserved } = data.balances;
  const short: ShortData = [sourceReference, points, available, pending, reserved, data.profileVersion];
  const isUsual =
    basePoints === points && campaignPoints === 0 && activatesAt === null && occurredAt === at.toISOString();
  if (!isUsual) short.push(basePoints, campaignPoints, activatesAt, occurredAt);
  return short;
}

function earnedData(short: ShortData, { id, programId, at }: EventColumns): EarnedData {
  const [sourceReference = null, points, available, pending, reserved, profileVersion] = short;
  const [, , , , , , basePoints = points, campaignPoints = 0, activatesAt = null, occurredAt] = short;
  return {
    transactionId: toTypeId('txn', id),
    programId,
    eventType: 'purchase.completed',
    sourceReference,
    points,
    basePoints,
    campaignPoints,
    activatesAt,
    occurredAt: occurredAt ?? at.toISOString(),
    balances: { available, pending, reserved },
    profileVersion,
  };
}

/** Whether two objects have the same JSON text: the same fields in the same order. */
function isSame(a: Fields, b: Fields): boolean {
  const names = Object.keys(a);
  const others = Object.keys(b);
  return (
    names.length === others.length &&
    names.every((name, index) => {
      const [value, other] = [a[name], b[name]];
      return (
        name === others[index] &&
        (value === other || (isFields(value) && isFields(other) && isSame(value, other)))
      );
    })
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
