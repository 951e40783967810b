import type { Mutation } from './generated/types.ts';

/** The payload of a mutation without the fields that belong to one request; it is stored, and returned by a replay. */
export type Receipt<Name extends keyof Mutation> = Omit<
  NonNullable<Mutation[Name]>,
  'requestId' | 'idempotent'
>;
