import { publishWidget } from '../../../src/admin/widgets/publish-widget.ts';
import { isRefusal } from '../../../src/refusal.ts';
import type { WidgetComponent, WidgetDocument } from '../../../src/widget/widget-document.ts';
import { type Client, type Credentials, rest, type Sent } from './client.ts';
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

/** Makes a session with the server key of an environment. */
export function session(
  shop: Credentials,
  deploymentId: string,
  body: object = {},
  externalCustomerId = 'ada',
): Sent {
  const sent = { externalCustomerId, origin: WIDGET_ORIGIN, ...body };
  return rest(shop, 'POST', `/widgets/${deploymentId}/sessions`, sent);
}

/** @returns the token of a new session */
export async function openSession(
  client: Client,
  shop: Credentials,
  deploymentId: string,
  externalCustomerId = 'ada',
  origin = WIDGET_ORIGIN,
): Promise<string> {
  const answer = await client.send(session(shop, deploymentId, { origin }, externalCustomerId));
  if (answer.status !== 201) throw new Error(answer.text);
  return String(answer.body.token);
}

/** What the page of a session sends to redeem a reward. */
export function redeemInWidget(
  deploymentId: string,
  token: string,
  body: object,
  headers: Record<string, string | undefined> = {},
): Sent {
  const sentHeaders = {
    authorization: `Bearer ${token}`,
    origin: WIDGET_ORIGIN,
    'content-type': 'application/json',
    ...headers,
  };
  return {
    method: 'POST',
    path: `/api/v1/widgets/${deploymentId}/actions/redeem`,
    headers: Object.fromEntries(Object.entries(sentHeaders).filter(([, value]) => value !== undefined)),
    body: JSON.stringify({ action: 'redeem', confirmed: true, ...body }),
  };
}
