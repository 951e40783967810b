import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Mutation } from '../../contract/generated/types.ts';
import { receiptUnreadable } from '../../ledger/receipts/stored-receipt.ts';
import { refusalError } from '../errors/errors.ts';

type Fits = (value: unknown) => boolean;

/** Fields of a receipt that may be null by its type. */
interface StoredParts {
  /** Every receipt of the operation has had them, and not as null. */
  always: readonly string[];
  /** Every receipt has had them, some as null: JSON tells a part that is null from one that is missing. */
  orNull?: readonly string[];
}

/**
 * What receipts have had from the first one on, although the contract allows minimal replays without it (specification,
 * "GraphQL endpoint"). Fields that were added later may be missing in older receipts, and are not listed.
 */
const STORED_PARTS: { readonly [Name in keyof Mutation]?: StoredParts } = {
  purchaseEarn: {
    always: [
      ...['member', 'award', 'campaigns', 'evaluationMode', 'evaluationAt'],
      ...['configurationVersion', 'loyaltyUnitPrecision', 'ruleDecisions'],
    ],
    orNull: ['referral', 'coupon'],
  },
  recordReturn: { always: ['return'] },
};

/**
 * Lets a mutation refuse a replay whose stored receipt is not what the field's type promises, or lacks a part that it
 * was stored with (`receipt_unreadable`): somebody has changed it in the database. It is refused whatever the client
 * selects, so that GraphQL and REST answer alike. What a command has just made is not looked at.
 */
export function refuseUnreadableReplays<Context extends { requestId: string }>(
  field: GraphQLField<unknown, Context>,
): void {
  const fits = compileFits(field.type);
  const { always, orNull = [] } = STORED_PARTS[field.name as keyof Mutation] ?? { always: [] };
  const isWhole = (answer: object): boolean =>
    always.every((name) => (partOf(answer, name) ?? null) !== null) &&
    orNull.every((name) => partOf(answer, name) !== undefined);
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = async (source, args, context, info) => {
    const answer: unknown = await resolve(source, args, context, info);
    if (isReplay(answer) && !(isWhole(answer) && fits(answer))) {
      throw refusalError(receiptUnreadable, context.requestId);
    }
    return answer;
  };
}

function partOf(answer: object, name: string): unknown {
  return (answer as Readonly<Record<string, unknown>>)[name];
}

function isReplay(answer: unknown): answer is object {
  return (
    typeof answer === 'object' && answer !== null && 'idempotent' in answer && answer.idempotent === true
  );
}

/** Whether a value is one of a type, all fields included that are read from it as they are. */
function compileFits(type: GraphQLOutputType): Fits {
  if (isNonNullType(type)) {
    const fits = compileFits(type.ofType);
    return (value) => value !== undefined && value !== null && fits(value);
  }
  const fits = compilePresent(type);
  return (value) => value === undefined || value === null || fits(value);
}

function compilePresent(type: GraphQLOutputType): Fits {
  if (isListType(type)) {
    const fits = compileFits(type.ofType);
    return (value) => Array.isArray(value) && value.every(fits);
  }
  if (isObjectType(type)) return compileObject(type);
  return (value) => {
    if (!isLeafType(type)) return true;
    try {
      type.coerceOutputValue(value);
      return true;
    } catch {
      return false;
    }
  };
}

function compileObject(type: GraphQLObjectType): Fits {
  let members: { name: string; fits: Fits }[] | null = null;
  return (value) => {
    if (typeof value !== 'object') return false;
    // Types may contain themselves: their fields are compiled when the first value is seen.
    members ??= Object.values(type.getFields())
      .filter(({ resolve }) => !resolve)
      .map((field) => ({ name: field.name, fits: compileFits(field.type) }));
    const source = value as Readonly<Record<string, unknown>>;
    return members.every(({ name, fits }) => fits(source[name]));
  };
}
