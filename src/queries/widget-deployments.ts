import type {
  WidgetDeployment as DeploymentView,
  WidgetVersion as VersionView,
} from '../contract/generated/types.ts';
import type { Connections } from '../db/pool.ts';
import { fromTypeId, toTypeId } from '../ids.ts';
import { deploymentNotFound, isRefusal, type Refusal, refuse } from '../refusal.ts';
import type { WidgetDocument } from '../widget/widget-document.ts';
import type { ListAccess, Listed, PageRequest } from './shared/listed.ts';

interface VersionRow {
  version: number;
  program_id: string;
  document_hash: Buffer;
  published_at: Date;
  published_by: string;
}

interface DeploymentRow extends VersionRow {
  id: string;
  document_key: string;
  created_at: Date;
}

/** A version of a widget with its document. */
export interface WidgetVersionWithDocument {
  deployment: Omit<DeploymentView, 'newest'>;
  version: VersionView;
  document: WidgetDocument;
}

const VERSION = 'v.version, v.program_id, v.document_hash, v.published_at, v.published_by';

/** Lists the widget deployments, newest first, each with its newest version. @returns refusal: `invalid_cursor` */
export async function listOfWidgetDeployments(
  { connections, cursors, environmentId }: ListAccess,
  { limit, cursor }: PageRequest,
): Promise<Listed<DeploymentView> | Refusal> {
  const identity = { environmentId, list: 'widgetDeployments', filter: {} };
  const after = await cursors.read(identity, cursor);
  if (after && isRefusal(after)) return after;
  const { rows } = await connections.query<DeploymentRow>({
    name: 'list_widget_deployments',
    text: `select d.id, d.document_key, d.created_at, ${VERSION}
      from widget_deployments d
      cross join lateral (
        select ${VERSION} from widget_deployment_versions v
        where v.environment_id = $1::uuid and v.deployment_id = d.id
        order by v.version desc
        limit 1
      ) v
      where d.environment_id = $1::uuid and ($2::uuid is null or d.id < $2::uuid)
      order by d.id desc
      limit $3::integer`,
    values: [environmentId, after?.[0] ?? null, limit + 1],
  });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit;
  return {
    data: shown.map((row) => ({ ...deploymentView(row), newest: versionView(row) })),
    page: { nextCursor: last && hasMore ? await cursors.write(identity, [last.id]) : null, hasMore },
  };
}

/**
 * Lists the versions of a widget deployment, newest first.
 * @param deploymentId the public id, as a client sends it
 * @returns refusals: `deployment_not_found`, `invalid_cursor`
 */
export async function listOfWidgetVersions(
  { connections, cursors, environmentId }: ListAccess,
  deploymentId: string,
  { limit, cursor }: PageRequest,
): Promise<Listed<VersionView> | Refusal> {
  const identity = { environmentId, list: 'widgetVersions', filter: { deploymentId } };
  const after = await cursors.read(identity, cursor);
  if (after && isRefusal(after)) return after;
  const id = fromTypeId('wdg', deploymentId);
  if (id === null) return deploymentNotFound;
  const { rows } = await connections.query<VersionRow>({
    name: 'list_widget_versions',
    text: `select ${VERSION} from widget_deployment_versions v
      where v.environment_id = $1::uuid and v.deployment_id = $2::uuid
        and ($3::integer is null or v.version < $3::integer)
      order by v.version desc
      limit $4::integer`,
    values: [environmentId, id, after ? Number(after[0]) : null, limit + 1],
  });
  // Every deployment has version 1, so a first page has it or one above it.
  if (rows.length === 0 && !after) return deploymentNotFound;
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit;
  return {
    data: shown.map(versionView),
    page: {
      nextCursor: last && hasMore ? await cursors.write(identity, [String(last.version)]) : null,
      hasMore,
    },
  };
}

/**
 * Reads a version of a widget deployment.
 * @param deploymentId the public id, as a client sends it
 * @param version null for the newest
 * @returns refusals: `deployment_not_found`, `version_not_found`
 */
export async function readWidgetVersion(
  connections: Connections,
  environmentId: string,
  deploymentId: string,
  version: number | null,
): Promise<WidgetVersionWithDocument | Refusal> {
  const id = fromTypeId('wdg', deploymentId);
  if (id === null) return deploymentNotFound;
  const { rows } = await connections.query<
    DeploymentRow & { document: WidgetDocument | null; newest: number }
  >({
    name: 'read_widget_version',
    text: `select d.id, d.document_key, d.created_at, n.newest, ${VERSION}, v.document
      from widget_deployments d
      cross join lateral (
        select max(o.version) as newest from widget_deployment_versions o
        where o.environment_id = $1::uuid and o.deployment_id = d.id
      ) n
      left join widget_deployment_versions v on v.environment_id = $1::uuid and v.deployment_id = d.id
        and v.version = coalesce($3::integer, n.newest)
      where d.environment_id = $1::uuid and d.id = $2::uuid`,
    values: [environmentId, id, version],
  });
  const [row] = rows;
  if (!row) return deploymentNotFound;
  if (row.document === null) {
    const message = `${deploymentId} has no version ${version}; its versions are 1 to ${row.newest}.`;
    return refuse('version_not_found', message);
  }
  return { deployment: deploymentView(row), version: versionView(row), document: row.document };
}

function deploymentView(row: DeploymentRow): Omit<DeploymentView, 'newest'> {
  return {
    id: toTypeId('wdg', row.id),
    documentId: row.document_key,
    createdAt: row.created_at.toISOString(),
  };
}

function versionView(row: VersionRow): VersionView {
  return {
    version: row.version,
    programId: row.program_id,
    documentHash: row.document_hash.toString('hex'),
    publishedAt: row.published_at.toISOString(),
    publishedBy: row.published_by,
  };
}
