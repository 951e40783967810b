import type { ClientBase } from 'pg';
import type { Statement } from '../../../db/statement.ts';

/** Two sides that were compared, thing by thing. */
export interface Compared {
  expected: bigint;
  found: bigint;
  differences: number;
}

/** As a statement gives it. */
export interface ComparedRow {
  expected: string;
  found: string;
  differences: number;
}

export function comparedOf({ expected, found, differences }: ComparedRow): Compared {
  return { expected: BigInt(expected), found: BigInt(found), differences };
}

/** The one row of a statement. */
export async function one<Row extends object>(client: ClientBase, statement: Statement): Promise<Row> {
  const { rows } = await client.query<Row>(statement);
  if (!rows[0]) throw new Error(`${statement.name} gave no row`);
  return rows[0];
}
