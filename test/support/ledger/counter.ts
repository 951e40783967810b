import { purchaseEarn } from '../../../src/commands/earning/purchase-earn.ts';
import { createMember } from '../../../src/commands/members/create-member.ts';
import { enrollMember } from '../../../src/commands/members/enroll-member.ts';
import { unenrollMember } from '../../../src/commands/members/unenroll-member.ts';
import { updateMember } from '../../../src/commands/members/update-member.ts';
import type { Caller } from '../../../src/commands/shared/caller.ts';
import type { UpdateMemberInput } from '../../../src/contract/generated/types.ts';
import { newUuid } from '../../../src/ids.ts';
import { createLanePool } from '../../../src/ledger/batch/lane-pool.ts';
import { Writer, type WriterOptions } from '../../../src/ledger/batch/writer.ts';
import type { Command } from '../../../src/ledger/command.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { ProgramCatalog } from '../../../src/programs/published/program-catalog.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { program } from '../rules/fixtures.ts';
import { failedControls } from './failed-controls.ts';

type Pool = ReturnType<typeof createLanePool>;

/**
 * What fails where a test has made lots with dates that no program gives: as those of exchanges that no command made,
 * some of them pending.
 */
const OF_DATES: ReadonlySet<string> = new Set([
  'expiries-fit-programs',
  'postings-fit-transactions',
  'credits-equal-audit',
]);

/** A database with writers, each with its own connections and caches, as in separate processes. */
export class Counter {
  readonly database: TestDatabase;
  /** Whether a test has made lots with dates that no program gives. */
  madeDates = false;
  readonly #writers: { writer: Writer; pool: Pool }[] = [];
  #keys = 0;

  constructor(database: TestDatabase) {
    this.database = database;
  }

  /** @param options of the database */
  static async open(options?: Parameters<typeof createTestDatabase>[0]): Promise<Counter> {
    return new Counter(await createTestDatabase(options));
  }

  writer(options: Partial<Omit<WriterOptions, 'pool' | 'catalog'>> & { lanePool?: Pool } = {}): Writer {
    const { lanePool, ...rest } = options;
    const pool =
      lanePool ??
      createLanePool({
        url: this.database.serverUrl,
        size: (rest.lanes ?? 2) * 2,
        applicationName: 'rewards writer',
      });
    const writer = new Writer({ ...rest, pool, catalog: new ProgramCatalog() });
    this.#writers.push({ writer, pool });
    return writer;
  }

  async close(): Promise<void> {
    for (const { writer } of this.#writers) await writer.close();
    for (const pool of new Set(this.#writers.map((each) => each.pool))) await pool.end();
    await this.database.drop();
  }

  /** A new Production environment with these programs published. */
  async environment(...documents: ProgramDocument[]): Promise<Shop> {
    const id = newUuid();
    const tenantId = newUuid();
    const { adminPool } = this.database;
    await adminPool.query(`insert into tenants (id, name) values ($1, 'Tenant')`, [tenantId]);
    await adminPool.query(
      `insert into environments (id, tenant_id, kind, name) values ($1, $2, 'production', 'Production')`,
      [id, tenantId],
    );
    const shop = new Shop(id, this, () => `key-${++this.#keys}`);
    for (const document of documents.length > 0 ? documents : [program()]) await shop.publish(document);
    return shop;
  }

  /** The first column of the first row. */
  async value<T>(sql: string, values: unknown[] = []): Promise<T> {
    const { rows } = await this.database.adminPool.query<Record<string, T>>(sql, values);
    return Object.values(rows[0] ?? {})[0] as T;
  }

  /** The ids of the controls of the ledger that fail, over all environments but twins. */
  async failedControls(): Promise<string[]> {
    const failed = await failedControls(this.database);
    return this.madeDates ? failed.filter((id) => !OF_DATES.has(id)) : failed;
  }

  /** The ids of the controls that fail for one environment, with none left out. */
  failedControlsOf(environmentId: string): Promise<string[]> {
    return failedControls(this.database, [environmentId]);
  }
}

/** Makes commands for one environment. Idempotency keys and order references are new unless they are given. */
export class Shop {
  readonly id: string;
  readonly caller: Caller;
  readonly #counter: Counter;
  readonly #newKey: () => string;

  constructor(id: string, counter: Counter, newKey: () => string) {
    this.id = id;
    this.caller = { environmentId: id, actor: { type: 'api_key', id: 'key_test' }, requestId: 'req_test' };
    this.#counter = counter;
    this.#newKey = newKey;
  }

  /**
   * Publishes a document as the next version. Default: in effect since a week ago. The first version of a program was
   * published when it came into effect, so that purchases can be pinned to it; later ones are published now, as by the
   * service.
   */
  async publish(document: ProgramDocument, effectiveFrom: Date | null = null): Promise<void> {
    const { adminPool } = this.#counter.database;
    await adminPool.query('insert into programs values ($1, $2) on conflict do nothing', [
      this.id,
      document.id,
    ]);
    await adminPool.query(
      `insert into program_versions
       select $1, $2, coalesce(max(version), 0) + 1, $3, sha256('x'),
         coalesce($4, now() - interval '7 days'),
         case when count(*) = 0 then coalesce($4, now() - interval '7 days') else clock_timestamp() end, 'test'
       from program_versions where environment_id = $1 and program_id = $2`,
      [this.id, document.id, document, effectiveFrom],
    );
    await adminPool.query('update environments set revision = revision + 1 where id = $1', [this.id]);
  }

  async setLocked(locked: boolean): Promise<void> {
    await this.#counter.database.adminPool.query('update environments set locked = $2 where id = $1', [
      this.id,
      locked,
    ]);
  }

  createMember(externalCustomerId: string, idempotencyKey = this.#newKey()): Command {
    const command = createMember(
      { idempotencyKey, externalCustomerId, consentStatus: 'opted_in', noticeVersion: 'identity-1' },
      this.caller,
    );
    if (isRefusal(command)) throw new Error(command.code);
    return command;
  }

  update(externalCustomerId: string, changes: Partial<UpdateMemberInput>): Command {
    const input = { idempotencyKey: this.#newKey(), externalCustomerId, ...changes };
    const command = updateMember(input, this.caller);
    if (isRefusal(command)) throw new Error(command.code);
    return command;
  }

  /** The customer answers the question about consent. */
  answer(externalCustomerId: string, consentStatus: 'opted_in' | 'opted_out'): Command {
    const answer = { consentStatus, noticeVersion: 'identity-2', evidence: { source: 'test' } };
    return this.update(externalCustomerId, answer);
  }

  enroll(externalCustomerId: string, idempotencyKey = this.#newKey(), programId = 'coffee-club'): Command {
    return enrollMember(
      {
        idempotencyKey,
        externalCustomerId,
        programId,
        consentStatus: 'opted_in',
        noticeVersion: 'club-1',
        evidence: { source: 'test' },
      },
      this.caller,
    );
  }

  unenroll(externalCustomerId: string, idempotencyKey = this.#newKey()): Command {
    return unenrollMember(
      {
        idempotencyKey,
        externalCustomerId,
        programId: 'coffee-club',
        noticeVersion: 'club-1',
        evidence: { source: 'test' },
        reason: 'test',
      },
      this.caller,
    );
  }

  earn(
    externalCustomerId: string,
    { idempotencyKey = this.#newKey(), amountMinor = 10_000, ...rest }: Partial<Purchase> = {},
  ): Command {
    return purchaseEarn(
      {
        idempotencyKey,
        externalCustomerId,
        programId: 'coffee-club',
        amountMinor,
        channel: 'web',
        sourceReference: `order-${idempotencyKey}`,
        ...rest,
      },
      this.caller,
    );
  }

  /** Creates and enrolls members. */
  async addMembers(writer: Writer, ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map((id) => writer.submit(this.createMember(id))));
    await Promise.all(ids.map((id) => writer.submit(this.enroll(id))));
  }
}

type Purchase = Parameters<typeof purchaseEarn>[0];
