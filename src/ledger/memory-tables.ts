import { MAX_POINTS } from './posting.ts';
import type {
  AdjustmentRecord,
  AuditRecord,
  ChallengeProgressRecord,
  ChoiceClaimRecord,
  ChoiceGrantRecord,
  ConsentRecord,
  CustomEventRecord,
  DisputeRecord,
  IdempotencyRecord,
  LimitCounterRecord,
  LotRecord,
  MemberRecord,
  OrderRecord,
  PostingRecord,
  ProfileRecord,
  QuoteRecord,
  ReservationRecord,
  ReturnRecord,
  SharedCounterRecord,
  StockRecord,
  TransactionRecord,
} from './records.ts';
import { keyOf, type WorkingSet } from './working-set.ts';

/** A constraint of the schema that a batch would break, with the SQLSTATE that Postgres would answer. */
export class ConstraintViolation extends Error {
  override name = 'ConstraintViolation';
  readonly code: '23505' | '23514' | '23503';
  readonly constraint: string;

  constructor(code: ConstraintViolation['code'], constraint: string, row: string) {
    super(`${constraint}: ${row.replaceAll('\u0000', ' ')}`);
    this.code = code;
    this.constraint = constraint;
  }
}

/** The tables of one environment, each by its key. */
export class MemoryTables {
  /** By externalCustomerId. */
  readonly members = new Map<string, MemberRecord>();
  /** By program and member id. */
  readonly profiles = new Map<string, ProfileRecord>();
  readonly consents = new Map<string, ConsentRecord>();
  readonly transactions = new Map<string, TransactionRecord>();
  readonly lots = new Map<string, LotRecord>();
  /** By transaction and line. */
  readonly postings = new Map<string, PostingRecord>();
  /** By sourceReference. */
  readonly orders = new Map<string, OrderRecord>();
  readonly limitCounters = new Map<string, LimitCounterRecord>();
  /** By operation and key. */
  readonly idempotency = new Map<string, IdempotencyRecord>();
  readonly audits = new Map<string, AuditRecord>();
  /** By returnReference. */
  readonly returns = new Map<string, { record: ReturnRecord; receipt: object }>();
  readonly quotes = new Map<string, QuoteRecord>();
  readonly reservations = new Map<string, ReservationRecord>();
  readonly disputes = new Map<string, DisputeRecord>();
  /** By program and reward. */
  readonly stocks = new Map<string, StockRecord>();
  readonly adjustments = new Map<string, AdjustmentRecord>();
  /** By program and counter. */
  readonly sharedCounters = new Map<string, SharedCounterRecord>();
  /** By sourceReference. */
  readonly customEvents = new Map<string, CustomEventRecord>();
  readonly challengeProgress = new Map<string, ChallengeProgressRecord>();
  readonly choiceGrants = new Map<string, ChoiceGrantRecord>();
  /** By sourceReference. */
  readonly choiceClaims = new Map<string, ChoiceClaimRecord>();

  /** The same rows, by what their readers look for. */
  readonly lotIdsOfProfile = new Map<string, Set<string>>();
  readonly postingsOfTransaction = new Map<string, PostingRecord[]>();
  readonly orderOfTransaction = new Map<string, string>();
  readonly openReservationsOfProfile = new Map<string, Set<string>>();
  readonly openQuotesOfProfile = new Map<string, Set<string>>();
  readonly reservedQuotes = new Set<string>();
  readonly disputesOfReservation = new Map<string, string[]>();
}

/**
 * Holds what a batch is about to write to what the database holds it to: CHECKs, primary, unique and foreign keys.
 * @throws ConstraintViolation
 */
export function checkRows(working: WorkingSet, tables: MemoryTables): void {
  for (const key of working.members.inserted.keys()) {
    if (tables.members.has(key)) violate('members_external_customer_id_key', key);
  }
  const profileExists = (key: string): boolean =>
    tables.profiles.has(key) || working.profiles.inserted.has(key);
  for (const [key, row] of working.profiles.inserted) {
    if (tables.profiles.has(key)) violate('program_profiles_pkey', key);
    checkProfile(row);
  }
  for (const row of working.profiles.updated.values()) checkProfile(row);
  const transactionIds = new Set<string>();
  for (const row of working.transactions) {
    if (tables.transactions.has(row.id) || transactionIds.has(row.id)) violate('transactions_pkey', row.id);
    transactionIds.add(row.id);
    refer(profileExists(keyOf(row.programId, row.memberId)), 'transactions_profile_fkey', row.id);
  }
  const transactionExists = (id: string): boolean => tables.transactions.has(id) || transactionIds.has(id);
  for (const [key, row] of working.lots.inserted) {
    if (tables.lots.has(key)) violate('lots_pkey', key);
    refer(transactionExists(row.transactionId), 'lots_transaction_fkey', key);
    checkLot(row);
  }
  for (const row of working.lots.updated.values()) checkLot(row);
  checkPostings(working, tables, transactionExists);
  for (const [key, row] of working.orders.inserted) {
    if (tables.orders.has(key)) violate('orders_pkey', key);
    refer(transactionExists(row.transactionId), 'orders_transaction_fkey', key);
    checkOrder(row);
  }
  for (const row of working.orders.updated.values()) checkOrder(row);
  for (const [key, row] of working.limitCounters.inserted) {
    if (tables.limitCounters.has(key)) violate('limit_counters_pkey', key);
    check(row.points >= 0, 'limit_counters_points_check', key);
    refer(profileExists(keyOf(row.programId, row.memberId)), 'limit_counters_profile_fkey', key);
  }
  for (const [key, row] of working.limitCounters.updated) {
    check(row.points >= 0, 'limit_counters_points_check', key);
  }
  checkRedemptions(working, tables, profileExists, transactionExists);
  checkAdjustments(working, tables, transactionExists);
  checkEngagement(working, tables);
  for (const [key, { record }] of working.returns.inserted) {
    if (tables.returns.has(key)) violate('returns_pkey', key);
    refer(transactionExists(record.transactionId), 'returns_transaction_fkey', key);
    check(record.pointsClawedBack >= 0 && record.shortfall >= 0, 'returns_points_check', key);
  }
  for (const [key, row] of working.idempotency.inserted) {
    if (tables.idempotency.has(key)) violate('idempotency_keys_pkey', key);
    check(row.fingerprint.length === 32, 'idempotency_keys_fingerprint_check', key);
    if (row.transactionId) refer(transactionExists(row.transactionId), 'idempotency_transaction_fkey', key);
  }
}

function checkPostings(
  working: WorkingSet,
  tables: MemoryTables,
  transactionExists: (id: string) => boolean,
): void {
  const lines = new Set<string>();
  for (const row of working.postings) {
    const key = keyOf(row.transactionId, String(row.line));
    if (tables.postings.has(key) || lines.has(key)) violate('postings_pkey', key);
    lines.add(key);
    check(row.amount > 0 && row.line >= 1, 'postings_amount_check', key);
    check(row.debitAccount !== row.creditAccount, 'postings_accounts_check', key);
    refer(transactionExists(row.transactionId), 'postings_transaction_fkey', key);
    if (row.lotId === null) continue;
    const lot = working.lots.get(row.lotId) ?? tables.lots.get(row.lotId);
    refer(lot?.memberId === row.memberId && lot.programId === row.programId, 'postings_lot_fkey', key);
  }
}

function checkProfile(row: ProfileRecord): void {
  const key = keyOf(row.programId, row.memberId);
  const balances = [row.available, row.pending, row.reserved];
  check(
    balances.every((points) => points >= 0 && points <= MAX_POINTS),
    'program_profiles_balances_check',
    key,
  );
  check(row.enrolled || balances.every((points) => points === 0), 'points_only_while_enrolled', key);
  check(row.qualificationPoints >= 0, 'program_profiles_qualification_points_check', key);
  check(row.enrolled === (row.unenrolledAt === null), 'program_profiles_enrolled_check', key);
}

function checkLot(row: LotRecord): void {
  const amounts = [row.pending, row.available, row.reserved];
  check(row.granted > 0 && amounts.every((points) => points >= 0), 'lots_amounts_check', row.id);
  check(row.pending + row.available + row.reserved <= row.granted, 'lots_granted_check', row.id);
  check(
    row.claimed >= 0 && row.pending + row.available + row.claimed <= row.granted,
    'lots_claimed_check',
    row.id,
  );
}

function checkRedemptions(
  working: WorkingSet,
  tables: MemoryTables,
  profileExists: (key: string) => boolean,
  transactionExists: (id: string) => boolean,
): void {
  for (const [key, row] of working.quotes.inserted) {
    if (tables.quotes.has(key)) violate('redemption_quotes_pkey', key);
    check(row.points > 0, 'redemption_quotes_points_check', key);
    refer(profileExists(keyOf(row.programId, row.memberId)), 'redemption_quotes_profile_fkey', key);
  }
  const reservedQuotes = new Set<string>();
  for (const [key, row] of working.reservations.inserted) {
    if (tables.reservations.has(key)) violate('redemption_reservations_pkey', key);
    if (tables.reservedQuotes.has(row.quoteId) || reservedQuotes.has(row.quoteId)) {
      violate('redemption_reservations_quote_key', key);
    }
    reservedQuotes.add(row.quoteId);
    refer(
      tables.quotes.has(row.quoteId) || working.quotes.inserted.has(row.quoteId),
      'redemption_reservations_quote_fkey',
      key,
    );
    checkReservation(row, transactionExists);
  }
  for (const row of working.reservations.updated.values()) checkReservation(row, transactionExists);
  for (const [key, row] of [...working.stocks.inserted, ...working.stocks.updated]) {
    check(row.taken >= 0, 'reward_stocks_taken_check', key);
  }
  for (const key of working.stocks.inserted.keys()) {
    if (tables.stocks.has(key)) violate('reward_stocks_pkey', key);
  }
  for (const [key, row] of [...working.disputes.inserted, ...working.disputes.updated]) {
    check((row.state === 'open') === (row.closedAt === null), 'redemption_disputes_closed_check', key);
    refer(
      tables.reservations.has(row.reservationId) || working.reservations.inserted.has(row.reservationId),
      'redemption_disputes_reservation_fkey',
      key,
    );
  }
}

function checkEngagement(working: WorkingSet, tables: MemoryTables): void {
  for (const [key, row] of [...working.sharedCounters.inserted, ...working.sharedCounters.updated]) {
    check(row.taken >= 0, 'shared_counters_taken_check', key);
  }
  for (const key of working.sharedCounters.inserted.keys()) {
    if (tables.sharedCounters.has(key)) violate('shared_counters_pkey', key);
  }
  for (const key of working.customEvents.inserted.keys()) {
    if (tables.customEvents.has(key)) violate('custom_events_source_reference_key', key);
  }
  for (const key of working.challengeProgressRows.inserted.keys()) {
    if (tables.challengeProgress.has(key)) violate('challenge_progress_pkey', key);
  }
  for (const key of working.claims.inserted.keys()) {
    if (tables.choiceClaims.has(key)) violate('choice_claims_source_reference_key', key);
  }
  for (const [key, row] of [...working.grants.inserted, ...working.grants.updated]) {
    check(row.remaining >= 0 && row.remaining <= row.choices, 'choice_grants_remaining_check', key);
    check((row.state === 'exhausted') === (row.remaining === 0), 'choice_grants_state_check', key);
  }
  const grants = newGrants(tables, working.grants.inserted.values());
  for (const { id, grantId } of working.claims.inserted.values()) {
    refer(tables.choiceGrants.has(grantId) || grants.has(grantId), 'choice_claims_grant_fkey', id);
  }
}

/** Those of the grants whose milestone has not granted before: the others are not written. */
export function newGrants(
  tables: MemoryTables,
  inserted: Iterable<ChoiceGrantRecord>,
): Map<string, ChoiceGrantRecord> {
  const rows = [...inserted];
  const granted = new Map<string, ChoiceGrantRecord>();
  if (rows.length === 0) return granted;
  const milestones = new Set([...tables.choiceGrants.values()].map(milestoneOf));
  for (const row of rows) {
    if (milestones.has(milestoneOf(row))) continue;
    milestones.add(milestoneOf(row));
    granted.set(row.id, row);
  }
  return granted;
}

function milestoneOf({ memberId, programId, choiceSetId, grantedBy }: ChoiceGrantRecord): string {
  return keyOf(memberId, programId, choiceSetId, grantedBy);
}

function checkReservation(row: ReservationRecord, transactionExists: (id: string) => boolean): void {
  const spent = row.state === 'committed' || row.state === 'reversed';
  check(spent === (row.commitTransactionId !== null), 'redemption_reservations_commit_check', row.id);
  refer(transactionExists(row.transactionId), 'redemption_reservations_transaction_fkey', row.id);
}

function checkAdjustments(
  working: WorkingSet,
  tables: MemoryTables,
  transactionExists: (id: string) => boolean,
): void {
  for (const key of working.adjustments.inserted.keys()) {
    if (tables.adjustments.has(key)) violate('adjustments_pkey', key);
  }
  for (const [key, row] of [...working.adjustments.inserted, ...working.adjustments.updated]) {
    const { state, requestedBy, decidedBy, reversedBy, transactionId, reversalTransactionId } = row;
    const posted = state === 'posted' || state === 'reversed';
    check(state === 'rejected' || decidedBy !== requestedBy, 'two_persons_approve', key);
    check(reversedBy !== requestedBy, 'two_persons_reverse', key);
    check(posted === (transactionId !== null), 'adjustments_transaction_check', key);
    check((state === 'reversed') === (reversalTransactionId !== null), 'adjustments_reversal_check', key);
    check((posted || state === 'rejected') === (decidedBy !== null), 'adjustments_decided_check', key);
    if (transactionId) refer(transactionExists(transactionId), 'adjustments_transaction_fkey', key);
  }
}

function checkOrder(row: OrderRecord): void {
  const { amountMinor, returnedMinor, points, clawedBack } = row;
  check(amountMinor >= 0 && points >= 0, 'orders_amounts_check', row.sourceReference);
  check(returnedMinor >= 0 && returnedMinor <= amountMinor, 'orders_returned_check', row.sourceReference);
  check(clawedBack >= 0 && clawedBack <= points, 'orders_clawed_back_check', row.sourceReference);
}

function check(holds: boolean, constraint: string, row: string): void {
  if (!holds) throw new ConstraintViolation('23514', constraint, row);
}

function refer(found: boolean, constraint: string, row: string): void {
  if (!found) throw new ConstraintViolation('23503', constraint, row);
}

function violate(constraint: string, row: string): never {
  throw new ConstraintViolation('23505', constraint, row);
}
