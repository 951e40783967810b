import type { Pool } from 'pg';
import { arrayLiteral } from '../db/array-literal.ts';
import { type MemberRow, memberOf, type ProfileRow, profileOf } from '../ledger/rows.ts';
import type { MemberView } from './queries.ts';

/** Statements at once: while they are under way, the readers that come gather for the next one. */
const IN_FLIGHT = 2;
/** Most members that one statement reads. */
const BATCH = 200;

interface Reader {
  externalCustomerId: string;
  resolve(view: MemberView | null): void;
  reject(error: unknown): void;
}

/** A member beside one of its profiles; the columns of the profile are null where it has none. */
type Row = MemberRow & { ordinal: number } & (ProfileRow | { program_id: null });

/**
 * Reads members with their profiles. Readers of one environment who wait at the same time share a statement, and so a
 * snapshot; a lone reader waits for nobody.
 */
export class MemberReader {
  readonly #pool: Pool;
  readonly #waiting = new Map<string, Reader[]>();
  #inFlight = 0;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** @returns null where the environment has no such member */
  find(environmentId: string, externalCustomerId: string): Promise<MemberView | null> {
    return new Promise((resolve, reject) => {
      const reader = { externalCustomerId, resolve, reject };
      const queue = this.#waiting.get(environmentId);
      if (queue) queue.push(reader);
      else this.#waiting.set(environmentId, [reader]);
      if (this.#inFlight < IN_FLIGHT) {
        this.#inFlight += 1;
        // After the requests of this turn of the event loop, so that what arrived together is read together.
        setImmediate(() => void this.#run());
      }
    });
  }

  async #run(): Promise<void> {
    for (let next = this.#take(); next; next = this.#take()) await this.#read(...next);
    this.#inFlight -= 1;
  }

  /** The readers of the environment that has waited longest. */
  #take(): [environmentId: string, readers: Reader[]] | null {
    const next = this.#waiting.entries().next();
    if (next.done) return null;
    const [environmentId, queue] = next.value;
    this.#waiting.delete(environmentId);
    if (queue.length > BATCH) this.#waiting.set(environmentId, queue.splice(BATCH));
    return [environmentId, queue];
  }

  async #read(environmentId: string, readers: readonly Reader[]): Promise<void> {
    try {
      const { rows } = await this.#pool.query<Row>({
        name: 'find_members',
        text: `select wanted.ordinal::integer, m.id, m.external_customer_id, m.display_name, m.status,
            m.identity_status, m.consent_status, m.notice_version, m.consent_at, m.created_at,
            p.member_id, p.program_id, p.enrolled, p.tier, p.qualification_points, p.qualification_since,
            p.available, p.pending, p.reserved, p.enrolled_at, p.unenrolled_at
          from unnest($2::text[]) with ordinality as wanted(external_customer_id, ordinal)
          cross join lateral (
            select * from members
            where environment_id = $1::uuid and external_customer_id = wanted.external_customer_id
            limit 1
          ) m
          left join lateral (
            select * from program_profiles
            where environment_id = $1::uuid and member_id = m.id
            order by program_id
            offset 0
          ) p on true`,
        values: [environmentId, arrayLiteral(readers.map((reader) => reader.externalCustomerId))],
      });
      const views = new Map<number, MemberView>();
      for (const row of rows) {
        const view = views.get(row.ordinal) ?? { member: memberOf(row), profiles: [] };
        if (row.program_id !== null) view.profiles.push(profileOf(row));
        views.set(row.ordinal, view);
      }
      readers.forEach((reader, index) => {
        reader.resolve(views.get(index + 1) ?? null);
      });
    } catch (error) {
      for (const reader of readers) reader.reject(error);
    }
  }
}
