import type { Queryable } from '../../db/pool.ts';
import { versionAt } from '../../programs/published/published-program.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { checkSurface } from '../../widget/check-surface.ts';
import { projectSurface } from '../../widget/project-surface.ts';
import type { Surface } from '../../widget/surface.ts';
import type { WidgetDeployment } from '../../widget/widget-document.ts';
import type { CurrentPrograms } from '../shared/current-programs.ts';
import { catalogView, readRewardStocks } from './catalog.ts';
import { customerView } from './member.ts';
import type { SurfaceView } from './surface-reader.ts';

const notInEffect = refuse('program_not_found', 'The program of this widget is not in effect.');

/** The refusal of a widget for a member who is not in its program, or not any more. */
export const notEnrolled = refuse(
  'enrollment_required',
  'The member is not enrolled in the program of this widget.',
);

/**
 * What a widget shows to nobody in particular.
 * @returns refusal: `program_not_found` while no version of the program is in effect
 * @throws Error where the surface is not valid by its JSON Schema
 */
export async function readAnonymousSurface(
  connections: Queryable,
  current: CurrentPrograms,
  deployment: WidgetDeployment,
): Promise<Surface | Refusal> {
  const { environmentId, programId } = deployment;
  const program = documentOf(current, programId);
  if (!program) return notInEffect;
  const stocks = await readRewardStocks(connections, environmentId, programId);
  const rewards = catalogView({ document: program, at: current.at, view: null, stocks }, programId);
  return checkSurface(projectSurface(deployment, { program, rewards, customer: null }));
}

/**
 * What a widget shows to a member.
 * @param view of the member in the program of the widget; null where there is none
 * @returns refusals: `program_not_found` while no version of the program is in effect, `enrollment_required`
 * @throws Error where the surface is not valid by its JSON Schema
 */
export function surfaceOf(deployment: WidgetDeployment, view: SurfaceView | null): Surface | Refusal {
  if (!view) return notEnrolled;
  const { current, member, activity, stocks } = view;
  const { programId } = deployment;
  const program = documentOf(current, programId);
  if (!program) return notInEffect;
  const ofProgram = customerView(member, current).programs.find((one) => one.programId === programId);
  if (!ofProgram) return notEnrolled;
  const rewards = catalogView({ document: program, at: current.at, view: member, stocks }, programId);
  const customer = { program: ofProgram, activity };
  return checkSurface(projectSurface(deployment, { program, rewards, customer }));
}

function documentOf({ programs, at }: CurrentPrograms, programId: string) {
  const program = programs.get(programId);
  return program && versionAt(program, at)?.document;
}
