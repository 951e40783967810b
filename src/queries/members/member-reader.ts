import type { Pool } from 'pg';
import { versionAt } from '../../programs/published/published-program.ts';
import { standingAt } from '../../rules/standing.ts';
import type { CurrentPrograms, ProgramReader } from '../shared/current-programs.ts';
import type { MemberView } from '../shared/member-view.ts';
import { findMembers, type MemberProfileRow, memberViews } from './find-members.ts';
import { readSettledMembers } from './settled-members.ts';

/** Statements at once: while they are under way, the readers that come gather for the next one. */
const IN_FLIGHT = 2;
/** Most members that one statement reads. */
const BATCH = 200;

interface Reader {
  externalCustomerId: string;
  resolve(view: MemberView | null): void;
  reject(error: unknown): void;
}

/**
 * Reads members with their profiles. Readers of one environment who wait at the same time share a statement, and so a
 * snapshot; a lone reader waits for nobody. The balances and tiers are those of the moment, whether what time has done to
 * them is written yet or not.
 */
export class MemberReader {
  readonly #pool: Pool;
  readonly #programs: ProgramReader;
  readonly #waiting = new Map<string, Reader[]>();
  #inFlight = 0;

  constructor(pool: Pool, programs: ProgramReader) {
    this.#pool = pool;
    this.#programs = programs;
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
      const ids = readers.map((reader) => reader.externalCustomerId);
      const { rows } = await this.#pool.query<MemberProfileRow>(findMembers(environmentId, ids));
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

  /** Reads again those to whose points something has happened that nobody has posted yet. */
  async #settle(
    environmentId: string,
    readers: readonly Reader[],
    current: CurrentPrograms | null,
  ): Promise<void> {
    const ids = [...new Set(readers.map((reader) => reader.externalCustomerId))];
    const views = await readSettledMembers(this.#pool, environmentId, ids);
    for (const reader of readers) {
      const view = views.get(reader.externalCustomerId) ?? null;
      reader.resolve(view && current ? requalified(view, current) : view);
    }
  }
}

/** With the re-qualifications that are due by now, and that no job has written down yet. */
function requalified({ member, profiles }: MemberView, { programs, at }: CurrentPrograms): MemberView {
  const standing = (profile: MemberView['profiles'][number]) => {
    if (!profile.enrolled || profile.requalifyAt === null || profile.requalifyAt > at) return profile;
    const program = programs.get(profile.programId);
    const version = program && versionAt(program, at);
    return version ? { ...profile, ...standingAt(version.document, profile, at) } : profile;
  };
  return { member, profiles: profiles.map(standing) };
}
