import type { ClientBase } from 'pg';
import type { Statement } from '../../../db/statement.ts';

/** The totals of two sides that were compared row by row, and the number of rows that differ. */
export interface Compared {
  expected: bigint;
  found: bigint;
  differences: number;
}

/** As a statement returns it. */
export interface ComparedRow {
  expected: string;
  found: string;
  differences: number;
}

export function comparedOf({ expected, found, differences }: ComparedRow): Compared {
  return { expected: BigInt(expected), found: BigInt(found), differences };
}

/** Runs a statement that returns exactly one row. */
export async function one<Row extends object>(client: ClientBase, statement: Statement): Promise<Row> {
  const { rows } = await client.query<Row>(statement);
  if (!rows[0]) throw new Error(`${statement.name} gave no row`);
  return rows[0];
}
