import type { Pool } from 'pg';
import { newUuid } from '../../../src/ids.ts';
import type { Account } from '../../../src/ledger/tables/postings.ts';
import type { EventType } from '../../../src/ledger/tables/transactions.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { program } from '../rules/fixtures.ts';

/** One movement of a transaction, on a lot. */
export type Move = [lot: TestLot, debit: Account, credit: Account, amount: number];

export interface TestLot {
  id: string;
  member: string;
  createdAt: string;
  expiresAt: string | null;
  granted: number;
  'member.available': number;
  'member.pending': number;
  'member.reserved': number;
}

interface Written {
  id: string;
  member: string;
  eventType: EventType;
  at: string;
  moves: Move[];
}

/** Books of one program that a test writes by hand, at any instant, as the service would have written them. */
export class TestBooks {
  readonly environmentId = newUuid();
  readonly programId: string;
  readonly #pool: Pool;
  readonly #members = new Set<string>();
  readonly #lots: TestLot[] = [];
  readonly #transactions: Written[] = [];

  private constructor(pool: Pool, programId: string) {
    this.#pool = pool;
    this.programId = programId;
  }

  static async open(pool: Pool, document: ProgramDocument = program()): Promise<TestBooks> {
    const books = new TestBooks(pool, document.id);
    const tenantId = newUuid();
    await pool.query(`insert into tenants (id, name) values ($1, 'Tenant')`, [tenantId]);
    await pool.query(
      `insert into environments (id, tenant_id, kind, name) values ($1, $2, 'sandbox', 'Sandbox')`,
      [books.environmentId, tenantId],
    );
    await books.publish(document);
    return books;
  }

  /**
   * Publishes a version; `by` is its author.
   * @param at when it was published, and since when it holds: a year ago where absent
   */
  async publish(document: ProgramDocument, by = 'author', at: string | null = null): Promise<void> {
    await this.#pool.query('insert into programs values ($1, $2) on conflict do nothing', [
      this.environmentId,
      document.id,
    ]);
    await this.#pool.query(
      `insert into program_versions
       select $1, $2, coalesce(max(version), 0) + 1, $3, sha256('x'), began, began, $4
       from coalesce($5::timestamptz, now() - interval '1 year') as began
       left join program_versions on environment_id = $1 and program_id = $2
       group by began`,
      [this.environmentId, document.id, document, by, at],
    );
  }

  member(): string {
    const id = newUuid();
    this.#members.add(id);
    return id;
  }

  /** A lot that is still empty. */
  lot(member: string, createdAt: string, granted: number, expiresAt: string | null = null): TestLot {
    const empty = { 'member.available': 0, 'member.pending': 0, 'member.reserved': 0 };
    const lot = { id: newUuid(), member, createdAt, expiresAt, granted, ...empty };
    this.#lots.push(lot);
    return lot;
  }

  /** A transaction; lots and balances follow. */
  post(eventType: EventType, at: string, ...moves: Move[]): void {
    const member = moves[0]?.[0].member ?? '';
    this.#transactions.push({ id: newUuid(), member, eventType, at, moves });
    for (const [lot, debit, credit, amount] of moves) {
      if (debit in lot) lot[debit as 'member.available'] -= amount;
      if (credit in lot) lot[credit as 'member.available'] += amount;
    }
  }

  /** A purchase whose points are available at once. */
  earn(member: string, at: string, points: number, expiresAt: string | null = null): TestLot {
    const lot = this.lot(member, at, points, expiresAt);
    this.post('purchase.completed', at, [lot, 'program.issuance', 'member.available', points]);
    return lot;
  }

  /** Points that are bought: reserved and committed at one instant. */
  redeem(lot: TestLot, at: string, points: number): void {
    this.post('redemption.reserved', at, [lot, 'member.available', 'member.reserved', points]);
    this.post('redemption.committed', at, [lot, 'member.reserved', 'program.redemption', points]);
  }

  /** Writes all of it. Once. */
  async write(): Promise<void> {
    const held = (member: string, account: keyof TestLot): number =>
      this.#lots
        .filter((lot) => lot.member === member)
        .reduce((total, lot) => total + Number(lot[account]), 0);
    const members = [...this.#members];
    await this.#pool.query(
      `insert into members
       select $1, m, m::text, null, 'active', 'unverified', 'granted', 'v1', now(), now()
       from unnest($2::uuid[]) as m`,
      [this.environmentId, members],
    );
    await this.#pool.query(
      `insert into program_profiles (environment_id, program_id, member_id, enrolled, tier, available, pending,
         reserved, enrolled_at)
       select $1, $2, m, true, 'bronze', a, p, r, now()
       from unnest($3::uuid[], $4::bigint[], $5::bigint[], $6::bigint[]) as row(m, a, p, r)`,
      [
        this.environmentId,
        this.programId,
        members,
        ...(['member.available', 'member.pending', 'member.reserved'] as const).map((account) =>
          members.map((member) => held(member, account)),
        ),
      ],
    );
    await this.#writeTransactions();
    const lots = this.#lots;
    const first = new Map(
      this.#transactions.flatMap(({ id, moves }) => moves.map(([lot]) => [lot.id, id] as const)).toReversed(),
    );
    await this.#pool.query(
      `insert into lots (environment_id, program_id, member_id, id, transaction_id, granted, available, pending,
         reserved, created_at, expires_at)
       select $1, $2, row.* from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::bigint[], $7::bigint[], $8::bigint[],
         $9::bigint[], $10::timestamptz[], $11::timestamptz[]) as row`,
      [
        this.environmentId,
        this.programId,
        lots.map((lot) => lot.member),
        lots.map((lot) => lot.id),
        lots.map((lot) => first.get(lot.id)),
        lots.map((lot) => lot.granted),
        lots.map((lot) => lot['member.available']),
        lots.map((lot) => lot['member.pending']),
        lots.map((lot) => lot['member.reserved']),
        lots.map((lot) => lot.createdAt),
        lots.map((lot) => lot.expiresAt),
      ],
    );
    await this.#writePostings();
  }

  async #writeTransactions(): Promise<void> {
    await this.#pool.query(
      `insert into transactions
       select $1, id, $2, member, event, id::text, 'committed', points, at, at, null, null, '{}'
       from unnest($3::uuid[], $4::uuid[], $5::text[], $6::bigint[], $7::timestamptz[])
         as row(id, member, event, points, at)`,
      [
        this.environmentId,
        this.programId,
        this.#transactions.map(({ id }) => id),
        this.#transactions.map(({ member }) => member),
        this.#transactions.map(({ eventType }) => eventType),
        this.#transactions.map(({ moves }) => moves.reduce((total, [, , , amount]) => total + amount, 0)),
        this.#transactions.map(({ at }) => at),
      ],
    );
  }

  async #writePostings(): Promise<void> {
    const postings = this.#transactions.flatMap(({ id, at, moves }) =>
      moves.map(([lot, debit, credit, amount], index) => ({
        id,
        at,
        line: index + 1,
        lot,
        debit,
        credit,
        amount,
      })),
    );
    await this.#pool.query(
      `insert into postings
       select $1, id, line, $2, member, debit, credit, amount, lot, at
       from unnest($3::uuid[], $4::integer[], $5::uuid[], $6::text[], $7::text[], $8::bigint[], $9::uuid[],
         $10::timestamptz[]) as row(id, line, member, debit, credit, amount, lot, at)`,
      [
        this.environmentId,
        this.programId,
        postings.map(({ id }) => id),
        postings.map(({ line }) => line),
        postings.map(({ lot }) => lot.member),
        postings.map(({ debit }) => debit),
        postings.map(({ credit }) => credit),
        postings.map(({ amount }) => amount),
        postings.map(({ lot }) => lot.id),
        postings.map(({ at }) => at),
      ],
    );
  }
}
