import type { Pool } from 'pg';
import { ProgramCatalog } from '../programs/published/program-catalog.ts';
import { readOffers } from './evaluate-offers.ts';
import { MemberReader } from './members/member-reader.ts';
import type { Queries } from './queries.ts';
import { readRedemption } from './redemptions.ts';
import { findLedgerClose } from './reports/ledger-close/find-ledger-close.ts';
import { readLedgerSummary } from './reports/ledger-summary.ts';
import { ProgramReader } from './shared/current-programs.ts';
import { Cursors } from './shared/cursors.ts';
import { findReferrer, findResourceOwner } from './shared/resource-owners.ts';
import { listOfTransactions, readTransaction } from './transactions/transactions.ts';

/**
 * The reads of the service on Postgres.
 * @param catalog of the process's own, where it has one: what is kept there need not be kept twice
 */
export function createQueries(pool: Pool, catalog = new ProgramCatalog()): Queries {
  const programs = new ProgramReader(pool, catalog);
  const members = new MemberReader(pool, programs);
  const cursors = new Cursors(pool);
  const findMember: Queries['member'] = (environmentId, externalCustomerId) =>
    members.find(environmentId, externalCustomerId);
  return {
    member: findMember,
    evaluateOffers: (environmentId, input) =>
      readOffers({ pool, programs, findMember }, environmentId, input),
    owner: (environmentId, reference) => findResourceOwner(pool, environmentId, reference),
    referrer: (environmentId, programId, code) => findReferrer(pool, environmentId, programId, code),
    redemption: (environmentId, reservationId) => readRedemption(pool, environmentId, reservationId),
    transaction: (environmentId, id) => readTransaction(pool, environmentId, id),
    transactions: (environmentId, filter, limit, cursor) =>
      listOfTransactions(pool, cursors, environmentId, filter, limit, cursor),
    ledgerSummary: (environmentId, query) => readLedgerSummary(pool, environmentId, query),
    ledgerClose: (environmentId, query) => findLedgerClose(pool, environmentId, query),
  };
}
