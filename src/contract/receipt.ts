import type { Mutation } from './generated/types.ts';

/** What a mutation is answered with, whoever asks: its payload without what belongs to one request. */
export type Receipt<Name extends keyof Mutation> = Omit<
  NonNullable<Mutation[Name]>,
  'requestId' | 'idempotent'
>;
