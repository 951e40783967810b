import type { CurrentPrograms, ProgramReader } from './shared/current-programs.ts';
import {
  findMembers,
  findSettledMembers,
  type MemberProfileRow,
  memberViews,
} from './shared/find-members.ts';
import { Gatherer, type Reader } from './shared/gatherer.ts';
import type { MemberView } from './shared/member-view.ts';
import type { ReadPool } from './shared/read-pool.ts';
import { requalified } from './shared/requalified.ts';

type MemberReaders = readonly Reader<string, MemberView | null>[];

/**
 * Reads members with their profiles, those that are wanted at the same time together. The balances and tiers are those
 * of the time of the read, even where what time has done is not posted yet.
 */
export class MemberReader {
  readonly #reads: ReadPool;
  readonly #programs: ProgramReader;
  readonly #gatherer: Gatherer<string, MemberView | null>;

  constructor(reads: ReadPool, programs: ProgramReader) {
    this.#reads = reads;
    this.#programs = programs;
    this.#gatherer = new Gatherer((environmentId, readers) => this.#read(environmentId, readers));
  }

  /** @returns null where the environment has no such member */
  find(environmentId: string, externalCustomerId: string): Promise<MemberView | null> {
    return this.#gatherer.find(environmentId, externalCustomerId);
  }

  async #read(environmentId: string, readers: MemberReaders): Promise<void> {
    const ids = readers.map(({ key }) => key);
    const { rows } = await this.#reads
      .of(environmentId)
      .query<MemberProfileRow>(findMembers(environmentId, ids));
    const views = memberViews(rows);
    const late: Reader<string, MemberView | null>[] = [];
    const stale = [...views.values()].some(({ requalifies }) => requalifies);
    const current = stale ? await this.#programs.read(environmentId) : null;
    readers.forEach((reader, index) => {
      const view = views.get(index + 1) ?? null;
      if (view?.due) late.push(reader);
      else reader.resolve(view && current ? requalified(view, current) : view);
    });
    if (late.length > 0) await this.#settle(environmentId, late, current);
  }

  /** Reads the members again in whose profiles something is due that has not been posted yet, as it will be posted. */
  async #settle(
    environmentId: string,
    readers: MemberReaders,
    current: CurrentPrograms | null,
  ): Promise<void> {
    const ids = readers.map(({ key }) => key);
    const { rows } = await this.#reads
      .of(environmentId)
      .query<MemberProfileRow>(findSettledMembers(environmentId, ids));
    const views = memberViews(rows);
    readers.forEach((reader, index) => {
      const view = views.get(index + 1) ?? null;
      reader.resolve(view && current ? requalified(view, current) : view);
    });
  }
}
