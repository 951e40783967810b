import { publishWidget } from '../../../src/admin/publish-widget.ts';
import { isRefusal } from '../../../src/refusal.ts';
import type { WidgetComponent, WidgetDocument } from '../../../src/widget/widget-document.ts';
import { programId, type World } from './world.ts';

export const WIDGET_ORIGIN = 'https://shop.example';

/** One component of each kind, without labels. */
export const EACH_COMPONENT: readonly WidgetComponent[] = [
  { id: 'balance', kind: 'svc.balance' },
  { id: 'tier', kind: 'svc.tier_progress' },
  { id: 'rewards', kind: 'svc.reward_catalog' },
  { id: 'activity', kind: 'svc.activity' },
];

/** A document of a widget with one component of each kind, for pages of `WIDGET_ORIGIN`. */
export function widgetDocument(changed: Partial<WidgetDocument> = {}): WidgetDocument {
  return {
    id: 'widget',
    program: programId,
    origins: [WIDGET_ORIGIN],
    components: [...EACH_COMPONENT],
    ...changed,
  };
}

/** Publishes a widget. @param environmentId UUID. @returns TypeID of the deployment */
export async function addTestWidget(
  { administrator }: Pick<World, 'administrator'>,
  environmentId: string,
  changed: Partial<WidgetDocument> = {},
): Promise<string> {
  const published = await publishWidget(administrator, environmentId, widgetDocument(changed));
  if (isRefusal(published)) throw new Error(published.message);
  return published.deploymentId;
}
