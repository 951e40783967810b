import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { CloseApproval, LedgerClose, RollForwardLine } from '../../../contract/generated/types.ts';
import { toTypeId } from '../../../ids.ts';
import type { ProgramDocument } from '../../../programs/document/program-document.ts';
import { accountBooks, accountTotals, controlsOf, isOfMembers } from './controls.ts';
import { journalOf } from './journal.ts';
import { liabilityOf } from './liability.ts';
import { type Movement, movementsOf, signed, sum } from './movements.ts';
import type { Window } from './period.ts';
import { type Approval, approvalsOf, policyOf, reasonsOf, statusOf } from './policy.ts';
import type { Books } from './read-books.ts';

/** The version of the evidence's format, so that evidence can still be read years later. */
export const EVIDENCE_SCHEMA = 'rewards.ledger-close.v2';

/** The input of a report. */
export interface CloseInput {
  programId: string;
  currency: string;
  /** The version in effect at the end of the period; null where there was none. */
  version: { version: number; document: ProgramDocument } | null;
  approvals: readonly Approval[];
  window: Window;
  /** True where the period has ended, and nothing more is written into it. */
  isOver: boolean;
  books: Books;
  /** The number of distinct snapshots that were read. */
  snapshots: number;
}

/** The report without the id of the request. */
export type CloseReport = Omit<LedgerClose, 'requestId' | '__typename'>;

/**
 * Makes the report of a close. Pure: equal input gives an equal report, id and hash included. The evidence covers only
 * the period. Approvals may come later, so approvals and status are not part of the evidence.
 */
export function closeReport(input: CloseInput): CloseReport {
  const { books, programId, currency, version, window } = input;
  const inside = books.pairs.map((pair) => ({ ...pair, amount: pair.inside }));
  const movements = movementsOf(inside);
  const accounts = accountBooks(books);
  const controls = controlsOf(books, accounts, movements, input.isOver, input.snapshots);
  const policy = policyOf(version);
  const approvals = approvalsOf(policy, input.approvals);
  const { finance, journal } = version?.document ?? {};
  const lastInstant = new Date(window.to.getTime() - 1);
  const liability = liabilityOf(books.cohorts, finance, lastInstant);
  const visible = {
    programId,
    currency,
    period: { from: window.from.toISOString(), to: window.to.toISOString() },
    controls,
    totals: {
      debits: String(sum(accounts.map(({ debits }) => debits))),
      credits: String(sum(accounts.map(({ credits }) => credits))),
      postings: Number(sum(books.pairs.map(({ postings }) => postings))),
      transactions: Number(sum(books.pairs.map(({ transactions }) => transactions))),
      accounts: accountTotals(accounts),
    },
    rollForward: rollForwardOf(movements, sum(accounts.filter(isOfMembers).map(({ opening }) => opening))),
    journal: journalOf(movements, journal, finance?.valuation),
    liability,
  };
  // A copy, so that a change to the other parts of the report does not change the evidence.
  const evidence = structuredClone({
    schema: EVIDENCE_SCHEMA,
    ...visible,
    liabilityTotal: {
      points: total(liability.map(({ points }) => points)),
      expectedPoints: total(liability.map(({ expectedPoints }) => expectedPoints ?? null)),
      amountMinor: total(liability.map(({ amountMinor }) => amountMinor ?? null)),
    },
    policy,
  });
  const hash = hashEvidence(evidence);
  return {
    reportId: reportIdOf(hash, approvals),
    status: statusOf(controls, policy, approvals),
    statusReasons: reasonsOf({ controls, policy, approvals, periodEnd: visible.period.to }),
    ...visible,
    approvals,
    evidence,
    evidenceHash: hash,
  };
}

/** SHA-256 of the canonical JSON (RFC 8785) of a value, such as the evidence, in hex. */
export function hashEvidence(evidence: object): string {
  return createHash('sha256')
    .update(canonicalize(evidence) ?? '')
    .digest('hex');
}

/**
 * The id of a report. It is computed from its evidence and its approvals: the same books with the same approvals give
 * the same id.
 * @param evidenceHash in hex
 */
export function reportIdOf(evidenceHash: string, approvals: readonly CloseApproval[]): string {
  const hash = hashEvidence({ evidenceHash, approvals });
  return toTypeId('rpt', hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
}

function rollForwardOf(movements: readonly Movement[], opening: bigint): RollForwardLine[] {
  return [
    { line: 'opening', points: String(opening) },
    ...movements.map((movement) => ({ line: movement.kind.name, points: String(signed(movement)) })),
    { line: 'closing', points: String(opening + sum(movements.map(signed))) },
  ];
}

/** The sum; null where an amount is null, because there is no policy to value it by. */
function total(amounts: readonly (string | null)[]): string | null {
  if (amounts.some((amount) => amount === null)) return null;
  return String(sum(amounts.map((amount) => BigInt(amount ?? 0))));
}
