import type { Queryable } from '../../db/pool.ts';
import { versionAt } from '../../programs/published/published-program.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { checkSurface } from '../../widget/check-surface.ts';
import { projectSurface, type SurfaceSources } from '../../widget/project-surface.ts';
import type { Surface } from '../../widget/surface.ts';
import type { WidgetDeployment } from '../../widget/widget-document.ts';
import type { CurrentPrograms } from '../shared/current-programs.ts';
import { requalified } from '../shared/requalified.ts';
import { catalogView, readTakenRewards } from './catalog.ts';
import { customerView } from './member.ts';
import type { SurfaceView } from './surface-reader.ts';

/** What reads the parts of a surface. */
export interface SurfaceReads {
  connections: Queryable;
  programs(): Promise<CurrentPrograms>;
  member(memberId: string): Promise<SurfaceView | null>;
}

const notEnrolled = refuse(
  'enrollment_required',
  'The member is not enrolled in the program of this widget.',
);

/**
 * What a widget shows of its program now: to a member, or to nobody in particular.
 * @param memberId UUID; null for nobody
 * @returns refusals: `program_not_found` while no version of the program is in effect, `enrollment_required`
 * @throws Error where the surface is not valid by its JSON Schema
 */
export async function readSurface(
  reads: SurfaceReads,
  deployment: WidgetDeployment,
  memberId: string | null,
): Promise<Surface | Refusal> {
  const { environmentId, programId } = deployment;
  const [current, view, takenByAll] = await Promise.all([
    reads.programs(),
    memberId === null ? null : reads.member(memberId),
    memberId === null
      ? readTakenRewards(reads.connections, environmentId, programId)
      : new Map<string, number>(),
  ]);
  const program = current.programs.get(programId);
  const document = program && versionAt(program, current.at)?.document;
  if (!document) return refuse('program_not_found', 'The program of this widget is not in effect.');
  const member = view && requalified(view.member, current);
  const ofProgram =
    member && customerView(member, current).programs.find((one) => one.programId === programId);
  if (memberId !== null && !ofProgram) return notEnrolled;
  const taken = view?.taken ?? takenByAll;
  const sources: SurfaceSources = {
    program: document,
    rewards: catalogView({ document, at: current.at, view: member, taken }, programId),
    customer: view && ofProgram ? { program: ofProgram, activity: view.activity } : null,
  };
  return checkSurface(projectSurface(deployment, sources));
}
