import { WidgetDirectory } from '../../auth/widget/widget-directory.ts';
import type { Pool } from '../../db/pool.ts';
import { createQueries } from '../../queries/queries.ts';
import { findPerson } from '../../queries/shared/find-person.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import type { Surface } from '../../widget/surface.ts';
import { unknownWidget } from './show-widget.ts';

/**
 * What a widget shows now.
 * @param deploymentId TypeID
 * @param customer to whom, an externalCustomerId or a `mem_…`; null for nobody who is signed in
 * @returns refusals: `deployment_not_found`, `member_not_found`, `enrollment_required`, `program_not_found`
 */
export async function previewWidget(
  pool: Pool,
  deploymentId: string,
  customer: string | null,
): Promise<Surface | Refusal> {
  const deployment = await new WidgetDirectory(pool).find(deploymentId);
  if (!deployment) return unknownWidget(deploymentId);
  const queries = createQueries(pool);
  const { environmentId } = deployment;
  if (customer === null) return queries.surface(environmentId, deployment, null);
  const person = await findPerson(pool, environmentId, customer);
  if (!person)
    return refuse(
      'member_not_found',
      `There is no member ${JSON.stringify(customer)} in the environment of this ` +
        'deployment. Those there are: rewards member list -e ENVIRONMENT',
    );
  return queries.surface(environmentId, deployment, person.memberId);
}
