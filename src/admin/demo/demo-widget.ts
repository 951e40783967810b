import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { toTypeId } from '../../ids.ts';
import { isRefusal } from '../../refusal.ts';
import { parseWidget } from '../../widget/parse-widget.ts';
import type { WidgetDocument } from '../../widget/widget-document.ts';
import type { Administrator } from '../shared/admin-change.ts';
import { publishWidget } from '../widgets/publish-widget.ts';
import { showWidget } from '../widgets/show-widget.ts';

const WIDGET_FILE = fileURLToPath(new URL('../../../demo/coffee-widget.yaml', import.meta.url));

/**
 * Publishes the demo's widget in an environment unless one of its id is there for these origins already: what somebody
 * has published since is kept, and only gets the origins that it lacks.
 * @returns TypeID of the deployment
 */
export async function ensureDemoWidget(
  administrator: Administrator,
  environmentId: string,
  origins: readonly string[],
): Promise<string> {
  const document = await readWidget();
  const deployment = await administrator.prisma.widgetDeployment.findUnique({
    where: { environmentId_documentKey: { environmentId, documentKey: document.id } },
  });
  const shown = deployment && (await showWidget(administrator.prisma, deployment.id, null));
  const newest = shown && !isRefusal(shown) ? shown.document : null;
  if (deployment && newest && origins.every((origin) => newest.origins.includes(origin)))
    return toTypeId('wdg', deployment.id);
  const next = { ...(newest ?? document), origins: [...new Set([...(newest?.origins ?? []), ...origins])] };
  const published = await publishWidget(administrator, environmentId, next);
  if (isRefusal(published)) throw new Error(published.message);
  return published.deploymentId;
}

async function readWidget(): Promise<WidgetDocument> {
  const parsed = parseWidget(await readFile(WIDGET_FILE, 'utf8'));
  if (parsed.ok) return parsed.document;
  const [problem] = parsed.problems;
  throw new Error(`${WIDGET_FILE}:${problem?.line} ${problem?.path} ${problem?.message}`);
}
