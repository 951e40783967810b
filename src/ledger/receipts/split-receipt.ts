import { toTypeId } from '../../ids.ts';

// Most of a purchase's receipt is the same for very many purchases: its structure, and the decisions on rules that did
// not apply, with their reasons. That part is its template. Of the rest, the transaction stores what its columns do not
// say: the fields that `verify ledger` compares with other tables by their names, and the others as a list, in the
// order of the receipt.

/** The columns of a transaction that its receipt repeats. */
export interface ReceiptColumns {
  /** UUID. */
  id: string;
  /** UUID. */
  memberId: string;
  points: number;
  createdAt: Date;
  occurredAt: Date;
}

type Fields = Record<string, unknown>;

/**
 * A receipt as it is stored: the template, which many receipts share, and its own values. They are stored as json:
 * jsonb would change the order of the template's fields, which is that of the values.
 */
export interface SplitReceipt {
  template: object;
  ownValues: OwnValues;
}

/** What of a receipt is stored with its transaction: the values in the order of the template, and those with names. */
export interface OwnValues extends Fields {
  values: unknown[];
}

/**
 * In a template, this stands for the next one of the values, and with a name for the column or the value of that name.
 */
const PLACE = '=';

/** Fields that a program or the contract determines. Other texts, such as those that customers type, are values. */
const SHARED: ReadonlySet<string> = new Set([
  'status',
  'tier',
  'evaluationMode',
  'loyaltyUnitPrecision',
  'currency',
  'channel',
  'kind',
]);

/** Where a field is: null for the receipt itself, the name of one of the receipt's fields, or DEEPER. */
type Parent = string | null;
const DEEPER = '';

/**
 * Fields that are stored under their names, because SQL reads them: those of the receipt, and those of its evidence.
 */
const NAMED: ReadonlySet<string> = new Set([
  'configurationVersion',
  'evaluationAt',
  'campaigns',
  'coupon',
  'referral',
  'lines',
]);
const NAMED_IN_EVIDENCE: ReadonlySet<string> = new Set(['amountMinor', 'poolCode']);

/** All of them. A receipt's own part has exactly those that its template has a place for. */
export const NAMED_PARTS: readonly string[] = [...NAMED, ...NAMED_IN_EVIDENCE];

/**
 * Splits the receipt of a purchase. `joinReceipt` gives the same receipt, byte for byte as JSON. Pure.
 * @param receipt a JSON object; dates in it are stored as JSON.stringify writes them
 */
export function splitReceipt(receipt: object, row: ReceiptColumns): SplitReceipt {
  const ownValues: OwnValues = { values: [] };
  const template = splitFields(receipt as Fields, null, columnsOf(row), ownValues);
  return { template, ownValues };
}

/**
 * Puts a receipt together again, from its template and its values as they were read from the database. Pure.
 * @returns null where the values are not as many as the template has places, or one is missing that it names
 */
export function joinReceipt({ template, ownValues }: SplitReceipt, row: ReceiptColumns): object | null {
  if (!Array.isArray(ownValues.values)) return null;
  const values: RemainingValues = { remaining: ownValues.values.values(), missing: false };
  const receipt = joined(template, values, { ...ownValues, ...columnsOf(row) }) as object;
  return values.missing || !values.remaining.next().done ? null : receipt;
}

/** The values that are not in the receipt yet, and whether one was missing. */
interface RemainingValues {
  remaining: Iterator<unknown>;
  missing: boolean;
}

/** The values of columns as receipts show them. */
function columnsOf({ id, memberId, points, createdAt, occurredAt }: ReceiptColumns): Fields {
  return {
    id: toTypeId('txn', id),
    memberId: toTypeId('mem', memberId),
    points,
    createdAt: createdAt.toISOString(),
    occurredAt: occurredAt.toISOString(),
  };
}

/** @returns the part of the template; values are added to `ownValues` */
function splitFields(from: Fields, parent: Parent, columns: Fields, ownValues: OwnValues): Fields {
  const shared: Fields = {};
  for (const name of Object.keys(from)) {
    const value = from[name];
    if (value !== undefined) shared[name] = splitField(from, parent, name, columns, ownValues);
  }
  return shared;
}

function splitField(
  from: Fields,
  parent: Parent,
  name: string,
  columns: Fields,
  ownValues: OwnValues,
): unknown {
  const value = from[name];
  const column = columnOf(parent, name);
  if (column !== null && value === columns[column]) return PLACE + column;
  if (isNamed(parent, name) && value !== null && !isEmpty(value)) {
    ownValues[name] = value;
    return PLACE + name;
  }
  if (isShared(from, parent, name)) return value;
  if (parent === null && name === 'ruleDecisions' && areFields(value)) {
    return value.map((decision) => splitFields(decision, name, columns, ownValues));
  }
  // Attributes are whatever a merchant sends: other names every time would make other templates.
  if (isFields(value) && name !== 'attributes') {
    return splitFields(value, parent === null ? name : DEEPER, columns, ownValues);
  }
  ownValues.values.push(value);
  return PLACE;
}

function isNamed(parent: Parent, name: string): boolean {
  return parent === null ? NAMED.has(name) : parent === 'evidence' && NAMED_IN_EVIDENCE.has(name);
}

/** The column that a field may repeat. */
function columnOf(parent: Parent, name: string): string | null {
  switch (name) {
    case 'id':
      if (parent === null) return 'id';
      return parent === 'member' ? 'memberId' : null;
    case 'points':
    case 'basePoints':
      return 'points';
    case 'evaluationAt':
      return 'createdAt';
    case 'occurredAt':
      return 'occurredAt';
    default:
      return null;
  }
}

function isShared(fields: Fields, parent: Parent, name: string): boolean {
  const value = fields[name];
  if (value === null || typeof value === 'boolean') return true;
  // Most rules and campaigns give 0 points. What the evidence counts is 0 at first and other numbers later.
  if (typeof value === 'number') return (value === 0 && parent !== DEEPER) || SHARED.has(name);
  if (typeof value !== 'string') return isEmpty(value);
  return !value.startsWith(PLACE) && (SHARED.has(name) || isProgramText(fields, name, value));
}

/**
 * Whether it is an id or a reason of a decision that comes from the program: the same for all that are decided alike.
 */
function isProgramText({ kind, matched }: Fields, name: string, text: string): boolean {
  if (typeof kind !== 'string' || kind === 'coupon' || kind === 'referral') return false;
  if (name === 'id') return true;
  // Where a cap or a limit takes effect, and where a campaign works on lines, the reason has amounts in it.
  return name === 'reason' && (kind === 'tier' || matched !== true || !/\d/.test(text));
}

function joined(shared: unknown, values: RemainingValues, named: Fields): unknown {
  if (Array.isArray(shared)) return shared.map((part) => joined(part, values, named));
  if (isFields(shared)) {
    const result: Fields = {};
    for (const name of Object.keys(shared)) result[name] = joined(shared[name], values, named);
    return result;
  }
  if (typeof shared !== 'string' || !shared.startsWith(PLACE)) return shared;
  const name = shared.slice(PLACE.length);
  const next =
    name === '' ? values.remaining.next() : { done: !Object.hasOwn(named, name), value: named[name] };
  if (next.done) values.missing = true;
  return next.value;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isFields(value) && Object.keys(value).length === 0;
}

function areFields(value: unknown): value is Fields[] {
  return Array.isArray(value) && value.every(isFields);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
