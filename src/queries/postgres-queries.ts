import type { Pool } from 'pg';
import { ProgramCatalog } from '../programs/program-catalog.ts';
import { ProgramReader } from './current-programs.ts';
import { Cursors } from './cursors.ts';
import { readOffers } from './evaluate-offers.ts';
import { findLedgerClose } from './ledger-close/find-ledger-close.ts';
import { readLedgerSummary } from './ledger-summary.ts';
import { MemberReader } from './member-reader.ts';
import { findOwner, findReferrer } from './owners.ts';
import type { Queries } from './queries.ts';
import { readRedemption } from './redemptions.ts';
import { listOfEntries } from './transaction-entries.ts';
import { listOfTransactions, readTransaction } from './transactions.ts';

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
    owner: (environmentId, owned) => findOwner(pool, environmentId, owned),
    referrer: (environmentId, programId, code) => findReferrer(pool, environmentId, programId, code),
    redemption: (environmentId, reservationId) => readRedemption(pool, environmentId, reservationId),
    transaction: (environmentId, id, selection) => readTransaction(pool, environmentId, id, selection),
    transactions: (environmentId, filter, limit, cursor, selection) =>
      listOfTransactions(pool, cursors, environmentId, filter, limit, cursor, selection),
    transactionEntries: (environmentId, id, limit, cursor) =>
      listOfEntries(pool, cursors, environmentId, id, limit, cursor),
    ledgerSummary: (environmentId, query) => readLedgerSummary(pool, environmentId, query),
    ledgerClose: (environmentId, query) => findLedgerClose(pool, environmentId, query),
  };
}
