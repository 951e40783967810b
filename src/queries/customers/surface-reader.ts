import { arrayLiteral } from '../../db/array-literal.ts';
import { ENVIRONMENT_TIME } from '../../db/environment-time.ts';
import type { Statement } from '../../db/statement.ts';
import { memberAnswering } from '../../ledger/tables/members.ts';
import type { ProgramCatalog } from '../../programs/published/program-catalog.ts';
import { MOST_ACTIVITY } from '../../widget/project-surface.ts';
import type { CurrentPrograms } from '../shared/current-programs.ts';
import {
  type MemberProfileRow,
  type MemberQuery,
  membersWith,
  memberViews,
  settledMembersWith,
} from '../shared/find-members.ts';
import { Gatherer, type Reader } from '../shared/gatherer.ts';
import type { MemberView } from '../shared/member-view.ts';
import type { ReadPool } from '../shared/read-pool.ts';
import { requalified } from '../shared/requalified.ts';
import { type ActivityChange, type ActivityRow, activityOf, changeOf } from './activity.ts';
import type { RewardStocks } from './catalog.ts';

/** Whose widget of which program is read. */
export interface SurfaceSubject {
  /** UUID. */
  memberId: string;
  programId: string;
}

/** What a widget shows of a member, all of one snapshot. */
export interface SurfaceView {
  /** As of the snapshot. */
  current: CurrentPrograms;
  /** With its profile of the program alone. */
  member: MemberView;
  /** Newest first. */
  activity: ActivityChange[];
  stocks: RewardStocks;
}

type SurfaceReaders = readonly Reader<SurfaceSubject, SurfaceView | null>[];

type SurfaceRow = MemberProfileRow & {
  activity: (Pick<ActivityRow, 'event_type' | 'points'> & { created_at: string })[];
  taken: Record<string, number>;
  /** Of the environment's programs. */
  revision: number;
  now: Date;
};

const OF_SURFACES: MemberQuery = {
  rows: 'unnest($2::uuid[], $3::text[]) with ordinality as wanted(member_id, program_id, ordinal)',
  member: memberAnswering('id = wanted.member_id'),
  profile: ' and program_id = wanted.program_id',
  columns: `,
        (
          select coalesce(json_agg(activity), '[]') from (select event_type, points, created_at from (
            ${activityOf({ member: 'm.id and program_id = wanted.program_id', limit: String(MOST_ACTIVITY) })}
          ) newest) activity
        ) as activity,
        (
          select coalesce(json_object_agg(reward_id, taken), '{}') from reward_stocks
          where environment_id = $1::uuid and program_id = wanted.program_id
        ) as taken,
        (select revision from environments where id = $1::uuid) as revision,
        ${ENVIRONMENT_TIME} as now`,
};

// A widget does not show what expires next.
const NO_EXPIRY = 'select null::timestamptz as at, null::bigint as points';
const FIND_SURFACES = membersWith(OF_SURFACES, NO_EXPIRY);
const FIND_SETTLED_SURFACES = settledMembersWith(OF_SURFACES);

/** Reads what widgets show of members, for those that are wanted at the same time together. */
export class SurfaceReader {
  readonly #reads: ReadPool;
  readonly #catalog: ProgramCatalog;
  readonly #gatherer: Gatherer<SurfaceSubject, SurfaceView | null>;

  constructor(reads: ReadPool, catalog: ProgramCatalog) {
    this.#reads = reads;
    this.#catalog = catalog;
    this.#gatherer = new Gatherer((environmentId, readers) => this.#read(environmentId, readers));
  }

  /**
   * @returns null where the environment has no such member. Its balances and tier are those of the time of the read,
   *   even where what time has done is not posted yet
   */
  find(environmentId: string, subject: SurfaceSubject): Promise<SurfaceView | null> {
    return this.#gatherer.find(environmentId, subject);
  }

  async #read(environmentId: string, readers: SurfaceReaders): Promise<void> {
    const late = await this.#resolve(environmentId, readers, findSurfaces, false);
    if (late.length > 0) await this.#resolve(environmentId, late, findSettledSurfaces, true);
  }

  /** @returns the readers for whom something is due that has not been posted yet; none where that does not matter */
  async #resolve(
    environmentId: string,
    readers: SurfaceReaders,
    statement: typeof findSurfaces,
    settled: boolean,
  ): Promise<SurfaceReaders> {
    const subjects = readers.map(({ key }) => key);
    const connections = this.#reads.of(environmentId);
    const { rows } = await connections.query<SurfaceRow>(statement(environmentId, subjects));
    const [first] = rows;
    const programs = first && (await this.#catalog.programsOf(connections, environmentId, first.revision));
    const views = memberViews(rows);
    const rowOf = new Map(rows.map((row) => [row.ordinal, row]));
    return readers.filter((reader, index) => {
      const [member, row] = [views.get(index + 1), rowOf.get(index + 1)];
      if (member?.due && !settled) return true;
      reader.resolve(member && row && programs ? viewOf(member, row, { programs, at: row.now }) : null);
      return false;
    });
  }
}

function viewOf(member: MemberView, { activity, taken }: SurfaceRow, current: CurrentPrograms): SurfaceView {
  return {
    current,
    member: requalified(member, current),
    activity: activity
      .filter(({ points }) => points !== 0)
      .map((row) => changeOf({ ...row, created_at: new Date(row.created_at) })),
    stocks: new Map(Object.entries(taken)),
  };
}

/** Reads members by their UUIDs, each with its profile, its activity and the stock of rewards in one program. */
export function findSurfaces(environmentId: string, subjects: readonly SurfaceSubject[]): Statement {
  return { name: 'find_surfaces', text: FIND_SURFACES, values: valuesOf(environmentId, subjects) };
}

/** As `findSurfaces`, with what is due by now counted as posted. It takes no locks and writes nothing. */
export function findSettledSurfaces(environmentId: string, subjects: readonly SurfaceSubject[]): Statement {
  return {
    name: 'find_settled_surfaces',
    text: FIND_SETTLED_SURFACES,
    values: valuesOf(environmentId, subjects),
  };
}

function valuesOf(environmentId: string, subjects: readonly SurfaceSubject[]): unknown[] {
  const ids = arrayLiteral(subjects.map(({ memberId }) => memberId));
  return [environmentId, ids, arrayLiteral(subjects.map(({ programId }) => programId))];
}
