import type { JournalAccount } from '../../../programs/document/program-document.ts';

/** The sum of what was posted between two accounts. */
export interface PairSum {
  debitAccount: string;
  creditAccount: string;
  /** Null where it makes no difference: only adjustments and exchanges are told apart by it. */
  eventType: string | null;
  amount: bigint;
}

/** One kind of movement between the members' points and an account of the program. */
interface MovementKind {
  name: string;
  /** The program's account on the other side of the posting. */
  account: string;
  /** Whether members gain points: the program's account is debited. */
  gain: boolean;
  /** Whether it reverses an earlier movement; null where the account does not need that to tell movements apart. */
  reversal: boolean | null;
  booked: JournalAccount;
}

const REVERSALS: ReadonlySet<string | null> = new Set(['adjustment.reversed', 'exchange.reversed']);

/**
 * Every movement that changes the members' points, in the order of the report. A posting between two accounts of the
 * program (a reversal whose points go to the claim of a return) counts as two movements, in and out.
 */
export const MOVEMENTS: readonly MovementKind[] = [
  movement('points_issued', 'issuance', true, null, 'expense'),
  movement('points_clawed_back', 'issuance', false, null, 'expense'),
  movement('points_redeemed', 'redemption', false, null, 'redemption'),
  movement('redemptions_reversed', 'redemption', true, null, 'redemption'),
  movement('points_expired', 'expiry', false, null, 'breakage'),
  movement('expiries_reversed', 'expiry', true, null, 'breakage'),
  movement('adjusted_credit', 'adjustment', true, false, 'adjustment'),
  movement('adjusted_debit', 'adjustment', false, false, 'adjustment'),
  movement('credit_adjustments_reversed', 'adjustment', false, true, 'adjustment'),
  movement('debit_adjustments_reversed', 'adjustment', true, true, 'adjustment'),
  movement('exchanged_in', 'clearing', true, false, 'clearing'),
  movement('exchanged_out', 'clearing', false, false, 'clearing'),
  movement('exchanges_in_reversed', 'clearing', false, true, 'clearing'),
  movement('exchanges_out_reversed', 'clearing', true, true, 'clearing'),
];

/** How many points a kind of movement moved; never negative. */
export interface Movement {
  kind: MovementKind;
  points: bigint;
}

/** Sums postings by kind of movement. Every kind is there, with 0 where nothing moved. */
export function movementsOf(pairs: readonly PairSum[]): Movement[] {
  return MOVEMENTS.map((kind) => ({
    kind,
    points: sum(
      pairs
        .filter((pair) => (kind.gain ? pair.debitAccount : pair.creditAccount) === kind.account)
        .filter((pair) => kind.reversal === null || REVERSALS.has(pair.eventType) === kind.reversal)
        .map((pair) => pair.amount),
    ),
  }));
}

/** What a movement adds to the members' points; negative where they lose points. */
export function signed({ kind, points }: Movement): bigint {
  return kind.gain ? points : -points;
}

export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

function movement(
  name: string,
  account: string,
  gain: boolean,
  reversal: boolean | null,
  booked: JournalAccount,
): MovementKind {
  return { name, account: `program.${account}`, gain, reversal, booked };
}
