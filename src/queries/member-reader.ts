import { versionAt } from '../programs/published/published-program.ts';
import { standingAt } from '../rules/standing.ts';
import { findMembers, findSettledMembers, type MemberProfileRow, memberViews } from './find-members.ts';
import type { CurrentPrograms, ProgramReader } from './shared/current-programs.ts';
import type { MemberView } from './shared/member-view.ts';
import type { ReadPool } from './shared/read-pool.ts';

/**
 * Most statements of an environment that run at the same time. Readers that arrive meanwhile gather for the next one.
 */
const IN_FLIGHT = 2;
/** The highest number of members that one statement reads. */
const BATCH = 200;

interface Reader {
  externalCustomerId: string;
  resolve(view: MemberView | null): void;
  reject(error: unknown): void;
}

/** The readers of one environment. */
interface Gathering {
  waiting: Reader[];
  inFlight: number;
}

/**
 * Reads members with their profiles. Readers of one environment that wait at the same time share a statement, and so a
 * snapshot. A reader never waits for the readers of another environment, and a lone reader waits for none. The balances
 * and tiers are those of the time of the read, even where what time has done is not posted yet.
 */
export class MemberReader {
  readonly #reads: ReadPool;
  readonly #programs: ProgramReader;
  readonly #gatherings = new Map<string, Gathering>();

  constructor(reads: ReadPool, programs: ProgramReader) {
    this.#reads = reads;
    this.#programs = programs;
  }

  /** @returns null where the environment has no such member */
  find(environmentId: string, externalCustomerId: string): Promise<MemberView | null> {
    return new Promise((resolve, reject) => {
      let gathering = this.#gatherings.get(environmentId);
      if (!gathering) {
        gathering = { waiting: [], inFlight: 0 };
        this.#gatherings.set(environmentId, gathering);
      }
      gathering.waiting.push({ externalCustomerId, resolve, reject });
      if (gathering.inFlight < IN_FLIGHT) {
        gathering.inFlight += 1;
        // Runs after the requests of this turn of the event loop, so that members asked for together are read together.
        setImmediate(() => void this.#run(environmentId, gathering));
      }
    });
  }

  async #run(environmentId: string, gathering: Gathering): Promise<void> {
    while (gathering.waiting.length > 0) {
      await this.#read(environmentId, gathering.waiting.splice(0, BATCH));
    }
    gathering.inFlight -= 1;
    if (gathering.inFlight === 0) this.#gatherings.delete(environmentId);
  }

  async #read(environmentId: string, readers: readonly Reader[]): Promise<void> {
    try {
      const ids = readers.map((reader) => reader.externalCustomerId);
      const { rows } = await this.#reads
        .of(environmentId)
        .query<MemberProfileRow>(findMembers(environmentId, ids));
      const views = memberViews(rows);
      const late: Reader[] = [];
      const stale = [...views.values()].some(({ requalifies }) => requalifies);
      const current = stale ? await this.#programs.read(environmentId) : null;
      readers.forEach((reader, index) => {
        const view = views.get(index + 1) ?? null;
        if (view?.due) late.push(reader);
        else reader.resolve(view && current ? requalified(view, current) : view);
      });
      if (late.length > 0) await this.#settle(environmentId, late, current);
    } catch (error) {
      for (const reader of readers) reader.reject(error);
    }
  }

  /** Reads the members again in whose profiles something is due that has not been posted yet, as it will be posted. */
  async #settle(
    environmentId: string,
    readers: readonly Reader[],
    current: CurrentPrograms | null,
  ): Promise<void> {
    const ids = readers.map((reader) => reader.externalCustomerId);
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

/** The member, with the re-qualifications that are due by now and that no job has stored yet. */
function requalified({ member, profiles }: MemberView, { programs, at }: CurrentPrograms): MemberView {
  const standing = (profile: MemberView['profiles'][number]) => {
    if (!profile.enrolled || profile.requalifyAt === null || profile.requalifyAt > at) return profile;
    const program = programs.get(profile.programId);
    const version = program && versionAt(program, at);
    return version ? { ...profile, ...standingAt(version.document, profile, at) } : profile;
  };
  return { member, profiles: profiles.map(standing) };
}
