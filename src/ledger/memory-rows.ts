import type { Subject } from './command.ts';
import { type MemoryTables, newGrants } from './memory-tables.ts';
import type { LotRecord, ReservationRecord } from './records.ts';
import { keyOf, type WorkingSet } from './working-set.ts';

/**
 * Takes the rows that a subject names from the tables into a working set, as the statements of load-batch.ts do. Open
 * lots are loaded all of them.
 * @param locks gets the rows that Postgres would lock
 */
export function loadSubject(
  tables: MemoryTables,
  working: WorkingSet,
  subject: Subject,
  now: Date,
  locks: Set<string>,
): void {
  switch (subject.kind) {
    case 'member': {
      const member = tables.members.get(subject.externalCustomerId);
      if (member) working.members.load(member);
      return;
    }
    case 'order': {
      const order = tables.orders.get(subject.sourceReference);
      if (!order) return;
      working.orders.load(order);
      locks.add(keyOf('order', order.sourceReference));
      return;
    }
    case 'return': {
      const found = tables.returns.get(subject.returnReference);
      if (found) working.returns.load(found);
      return;
    }
    case 'orderLots': {
      const order = tables.orders.get(subject.sourceReference);
      if (order) loadPostings(tables, working, order.transactionId);
      return;
    }
    case 'quote': {
      const quote = tables.quotes.get(subject.id);
      if (quote) working.quotes.load(quote);
      return;
    }
    case 'reservation': {
      const reservation = tables.reservations.get(subject.id);
      if (reservation) loadReservation(tables, working, reservation, locks);
      return;
    }
    case 'disputes':
      for (const id of tables.disputesOfReservation.get(subject.reservationId) ?? []) {
        const dispute = tables.disputes.get(id);
        if (dispute) working.disputes.load(dispute);
      }
      return;
    case 'stock':
      loadStock(tables, working, subject.programId, subject.rewardId, locks);
      return;
    case 'adjustment': {
      const adjustment = tables.adjustments.get(subject.id);
      if (!adjustment) return;
      working.adjustments.load(adjustment);
      if (adjustment.transactionId) loadPostings(tables, working, adjustment.transactionId);
      return;
    }
    case 'sharedCounters':
      loadSharedCounters(tables, working, subject, locks);
      return;
    case 'customEvent': {
      const event = tables.customEvents.get(subject.sourceReference);
      if (event) working.customEvents.load(event);
      return;
    }
    case 'choiceClaim': {
      const claim = tables.choiceClaims.get(subject.sourceReference);
      if (claim) working.claims.load(claim);
      return;
    }
    case 'profiles':
    case 'challengeProgress':
    case 'choiceGrants':
      loadOfMember(tables, working, subject, now, locks);
      return;
    default:
      loadOfProfile(tables, working, subject, now, locks);
  }
}

type OfKind<K extends Subject['kind']> = Extract<Subject, { kind: K }>;

function loadSharedCounters(
  tables: MemoryTables,
  working: WorkingSet,
  { programId, wanted }: OfKind<'sharedCounters'>,
  locks: Set<string>,
): void {
  for (const program of working.programs()) {
    if (programId !== null && program.programId !== programId) continue;
    for (const counterId of wanted(program)) {
      const name = keyOf(program.programId, counterId);
      const counter = tables.sharedCounters.get(name);
      if (!counter) continue;
      working.sharedCounters.load(counter);
      locks.add(keyOf('sharedCounter', name));
    }
  }
}

/** What a member has in every program. */
function loadOfMember(
  tables: MemoryTables,
  working: WorkingSet,
  { kind, externalCustomerId }: OfKind<'profiles' | 'challengeProgress' | 'choiceGrants'>,
  now: Date,
  locks: Set<string>,
): void {
  const memberId = tables.members.get(externalCustomerId)?.id;
  if (memberId === undefined) return;
  const isTheirs = (row: { memberId: string }): boolean => row.memberId === memberId;
  if (kind === 'profiles') {
    for (const [name, profile] of tables.profiles) {
      if (!isTheirs(profile)) continue;
      working.profiles.load(profile);
      locks.add(keyOf('profile', name));
      const due = { kind: 'due', programId: profile.programId, externalCustomerId } as const;
      loadOfProfile(tables, working, due, now, locks);
    }
  } else if (kind === 'challengeProgress') {
    for (const row of tables.challengeProgress.values()) {
      if (isTheirs(row)) working.challengeProgressRows.load(row);
    }
  } else {
    for (const grant of tables.choiceGrants.values()) {
      if (!isTheirs(grant) || (grant.state !== 'open' && !grant.grantedBy.startsWith('tier:'))) continue;
      working.grants.load(grant);
      for (const claim of tables.choiceClaims.values()) {
        if (claim.grantId === grant.id) working.claims.load(claim);
      }
    }
  }
}

type ProfileSubject = Extract<Subject, { programId: string; externalCustomerId: string }>;

function loadOfProfile(
  tables: MemoryTables,
  working: WorkingSet,
  subject: ProfileSubject,
  now: Date,
  locks: Set<string>,
): void {
  const member = tables.members.get(subject.externalCustomerId);
  if (!member) return;
  const name = keyOf(subject.programId, member.id);
  switch (subject.kind) {
    case 'profile': {
      const profile = tables.profiles.get(name);
      if (!profile) return;
      working.profiles.load(profile);
      locks.add(keyOf('profile', name));
      return;
    }
    case 'limitCounters':
      for (const counter of tables.limitCounters.values()) {
        if (counter.programId !== subject.programId || counter.memberId !== member.id) continue;
        if (holds(counter.periodStart, subject.at ?? now)) working.limitCounters.load(counter);
      }
      return;
    case 'openQuotes':
      for (const id of tables.openQuotesOfProfile.get(name) ?? []) {
        const quote = tables.quotes.get(id);
        if (quote) working.quotes.load(quote);
      }
      return;
    case 'due': {
      const dueAt = tables.profiles.get(name)?.nextDueAt;
      if (!dueAt || dueAt > now) return;
      const points = { ...subject, kind: 'points', points: 0 } as const;
      working.admit(points);
      loadOfProfile(tables, working, points, now, locks);
      return;
    }
    case 'points':
      for (const id of tables.openReservationsOfProfile.get(name) ?? []) {
        const reservation = tables.reservations.get(id);
        if (reservation) loadReservation(tables, working, reservation, locks);
      }
      for (const id of tables.lotIdsOfProfile.get(name) ?? []) {
        const lot = tables.lots.get(id);
        if (lot) loadLot(tables, working, lot);
      }
  }
}

function loadReservation(
  tables: MemoryTables,
  working: WorkingSet,
  reservation: ReservationRecord,
  locks: Set<string>,
): void {
  working.reservations.load(reservation);
  loadPostings(tables, working, reservation.reserveTransactionId);
  loadStock(tables, working, reservation.programId, reservation.rewardId, locks);
}

function loadStock(
  tables: MemoryTables,
  working: WorkingSet,
  programId: string,
  rewardId: string,
  locks: Set<string>,
): void {
  const name = keyOf(programId, rewardId);
  const stock = tables.stocks.get(name);
  if (!stock) return;
  working.stocks.load(stock);
  locks.add(keyOf('stock', name));
}

function loadPostings(tables: MemoryTables, working: WorkingSet, transactionId: string): void {
  const postings = tables.postingsOfTransaction.get(transactionId) ?? [];
  working.loadPostings(transactionId, postings);
  for (const { lotId } of postings) {
    const lot = lotId === null ? undefined : tables.lots.get(lotId);
    if (lot) loadLot(tables, working, lot);
  }
}

function loadLot(tables: MemoryTables, working: WorkingSet, lot: LotRecord): void {
  working.lots.load(lot);
  if (lot.claimed === 0) return;
  const order = tables.orders.get(tables.orderOfTransaction.get(lot.transactionId) ?? '');
  if (order) working.orders.load(order);
}

/** Writes what a working set has inserted and updated. */
export function writeRows(tables: MemoryTables, working: WorkingSet): void {
  write(tables.members, working.members);
  write(tables.profiles, working.profiles);
  write(tables.lots, working.lots);
  write(tables.orders, working.orders);
  write(tables.limitCounters, working.limitCounters);
  write(tables.returns, working.returns);
  write(tables.quotes, working.quotes);
  write(tables.reservations, working.reservations);
  write(tables.disputes, working.disputes);
  write(tables.stocks, working.stocks);
  write(tables.adjustments, working.adjustments);
  write(tables.sharedCounters, working.sharedCounters);
  write(tables.customEvents, working.customEvents);
  write(tables.challengeProgress, working.challengeProgressRows);
  write(tables.choiceGrants, {
    inserted: newGrants(tables, working.grants.inserted.values()),
    updated: working.grants.updated,
  });
  write(tables.choiceClaims, working.claims);
  for (const row of working.consents) tables.consents.set(row.id, Object.freeze(row));
  for (const row of working.transactions) tables.transactions.set(row.id, Object.freeze(row));
  for (const changes of working.reversedTransactions) {
    const transaction = tables.transactions.get(changes.id);
    if (transaction) tables.transactions.set(changes.id, Object.freeze({ ...transaction, ...changes }));
  }
  for (const row of working.postings) {
    tables.postings.set(keyOf(row.transactionId, String(row.line)), Object.freeze(row));
    const known = tables.postingsOfTransaction.get(row.transactionId);
    if (known) known.push(row);
    else tables.postingsOfTransaction.set(row.transactionId, [row]);
  }
  for (const [key, row] of working.idempotency.inserted) {
    // As a database gives it back: what is no JSON value is lost, and nobody else holds this object.
    const receipt = JSON.parse(JSON.stringify(row.receipt)) as object;
    tables.idempotency.set(key, Object.freeze({ ...row, receipt }));
  }
  indexRows(tables, working);
}

interface Changed<R> {
  inserted: ReadonlyMap<string, R>;
  updated: ReadonlyMap<string, R>;
}

function write<R extends object>(table: Map<string, R>, { inserted, updated }: Changed<R>): void {
  for (const [key, row] of inserted) table.set(key, Object.freeze(row));
  for (const [key, row] of updated) table.set(key, Object.freeze(row));
}

function indexRows(tables: MemoryTables, working: WorkingSet): void {
  for (const row of changed(working.lots)) {
    const open = row.pending + row.available > 0;
    keep(tables.lotIdsOfProfile, keyOf(row.programId, row.memberId), row.id, open);
  }
  for (const row of working.orders.inserted.values()) {
    tables.orderOfTransaction.set(row.transactionId, row.sourceReference);
  }
  for (const row of working.reservations.inserted.values()) tables.reservedQuotes.add(row.quoteId);
  for (const row of changed(working.reservations)) {
    const open = row.state === 'reserved';
    keep(tables.openReservationsOfProfile, keyOf(row.programId, row.memberId), row.id, open);
  }
  for (const row of changed(working.quotes)) {
    keep(tables.openQuotesOfProfile, keyOf(row.programId, row.memberId), row.id, row.state === 'quoted');
  }
  for (const row of working.disputes.inserted.values()) {
    const known = tables.disputesOfReservation.get(row.reservationId);
    if (known) known.push(row.id);
    else tables.disputesOfReservation.set(row.reservationId, [row.id]);
  }
}

function changed<R>({ inserted, updated }: Changed<R>): R[] {
  return [...inserted.values(), ...updated.values()];
}

function keep(index: Map<string, Set<string>>, key: string, id: string, keeps: boolean): void {
  const ids = index.get(key);
  if (keeps && ids) ids.add(id);
  else if (keeps) index.set(key, new Set([id]));
  else ids?.delete(id);
}

/** Whether a UTC day, ISO week, month, year or the lifetime that begins then holds the instant. */
function holds(periodStart: Date, at: Date): boolean {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const monday = day - ((at.getUTCDay() + 6) % 7);
  return [
    0,
    Date.UTC(year, 0),
    Date.UTC(year, month),
    Date.UTC(year, month, monday),
    Date.UTC(year, month, day),
  ].includes(periodStart.getTime());
}
