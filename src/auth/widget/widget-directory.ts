import type { Queryable } from '../../db/pool.ts';
import { fromTypeId } from '../../ids.ts';
import type { WidgetDeployment, WidgetDocument } from '../../widget/widget-document.ts';
import { AnnouncedCache } from '../announced-cache.ts';

interface DeploymentRow {
  environment_id: string;
  version: number;
  program_id: string;
  document: WidgetDocument;
}

/** A deployment; null where there is none of the id. */
interface DeploymentEntry {
  deployment: WidgetDeployment | null;
}

/** As for proofs of keys (authenticator.ts). */
const ANNOUNCED_MS = 30_000;
const MOST_DEPLOYMENTS = 10_000;

/** The widget deployments of all environments, each in its newest version. */
export class WidgetDirectory {
  readonly #connections: Queryable;
  readonly #deployments: AnnouncedCache<DeploymentEntry>;

  /** @param now a monotonic clock, in milliseconds: the same one that AdminNotices reads */
  constructor(connections: Queryable, now = () => performance.now()) {
    this.#connections = connections;
    this.#deployments = new AnnouncedCache({ max: MOST_DEPLOYMENTS, announcedMs: ANNOUNCED_MS, now });
  }

  /** @param deploymentId TypeID, as a client sends it. @returns null where there is no such deployment */
  async find(deploymentId: string): Promise<WidgetDeployment | null> {
    const id = fromTypeId('wdg', deploymentId);
    if (id === null) return null;
    const { deployment } = await this.#deployments.get(deploymentId, () => this.#read(id, deploymentId));
    return deployment;
  }

  async #read(id: string, deploymentId: string): Promise<DeploymentEntry> {
    const { rows } = await this.#connections.query<DeploymentRow>({
      name: 'load_widget_deployment',
      text: `select d.environment_id, v.version, v.program_id, v.document
        from widget_deployments d
        join widget_deployment_versions v on v.environment_id = d.environment_id and v.deployment_id = d.id
        where d.id = $1::uuid
        order by v.version desc
        limit 1`,
      values: [id],
    });
    const [row] = rows;
    if (!row) return { deployment: null };
    const { environment_id: environmentId, version, program_id: programId, document } = row;
    return { deployment: { environmentId, deploymentId, version, programId, document } };
  }

  /** Drops what is known of an environment, or of all, because something about them has changed. */
  forget(environmentId?: string): void {
    this.#deployments.forget(
      ({ deployment }) =>
        environmentId === undefined || deployment === null || deployment.environmentId === environmentId,
    );
  }

  /** Every change before this moment of the clock has been announced (see AdminNotices). */
  onAnnouncement(at: number): void {
    this.#deployments.onAnnouncement(at);
  }
}
