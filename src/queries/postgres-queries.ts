import type { Pool } from 'pg';
import { Cursors } from './cursors.ts';
import { findLedgerClose } from './ledger-close/find-ledger-close.ts';
import { readLedgerSummary } from './ledger-summary.ts';
import { MemberReader } from './member-reader.ts';
import { findOwner } from './owners.ts';
import type { Queries } from './queries.ts';
import { readRedemption } from './redemptions.ts';
import { listOfTransactions, readTransaction } from './transactions.ts';

/** The reads of the service on Postgres. */
export function createQueries(pool: Pool): Queries {
  const members = new MemberReader(pool);
  const cursors = new Cursors(pool);
  return {
    member: (environmentId, externalCustomerId) => members.find(environmentId, externalCustomerId),
    owner: (environmentId, owned) => findOwner(pool, environmentId, owned),
    redemption: (environmentId, reservationId) => readRedemption(pool, environmentId, reservationId),
    transaction: (environmentId, id) => readTransaction(pool, environmentId, id),
    transactions: (environmentId, filter, limit, cursor) =>
      listOfTransactions(pool, cursors, environmentId, filter, limit, cursor),
    ledgerSummary: (environmentId, query) => readLedgerSummary(pool, environmentId, query),
    ledgerClose: (environmentId, query) => findLedgerClose(pool, environmentId, query),
  };
}
