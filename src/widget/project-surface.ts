import type { CustomerProgram, CustomerReward } from '../contract/generated/types.ts';
import type { ProgramDocument } from '../programs/document/program-document.ts';
import { fitsSurface, MOST_REWARDS, shownIn } from './shown-rewards.ts';
import type { RedeemAction, Surface, SurfaceActivity, SurfaceComponent, SurfaceReward } from './surface.ts';
import type {
  ActivityComponent,
  CatalogComponent,
  WidgetComponent,
  WidgetDeployment,
} from './widget-document.ts';

/** What a widget is projected from, besides its deployment. */
export interface SurfaceSources {
  /** The program's present version. */
  program: Pick<ProgramDocument, 'name' | 'unitName' | 'locale'>;
  /** The rewards that may be shown, in order; as for nobody where `customer` is null. */
  rewards: readonly CustomerReward[];
  /** Null where nobody is signed in. */
  customer: SurfaceCustomer | null;
}

/** What a widget shows of a member who is enrolled in its program. */
export interface SurfaceCustomer {
  program: CustomerProgram;
  /** Newest first. */
  activity: readonly SurfaceActivity[];
}

/** The most activity that a widget shows. */
export const MOST_ACTIVITY = 20;

const SIGN_IN = { availability: 'sign_in_required' } as const;

/**
 * What a widget shows, as the specification's table says ("Widget projection"). A text that is too long for it is cut;
 * a reward whose id is too long, or that is paid with points, is left out. It has nothing that says who the member is,
 * and nothing of the merchant but what is shown.
 */
export function projectSurface(deployment: WidgetDeployment, sources: SurfaceSources): Surface {
  const { deploymentId, version, programId, document } = deployment;
  const { program, customer } = sources;
  const rewards = sources.rewards.filter(
    ({ id, pointsCost, payWithPoints }) => !payWithPoints && fitsSurface(id, pointsCost),
  );
  const components = document.components.map((component) =>
    projectComponent(component, { ...sources, rewards }),
  );
  return {
    surface: {
      id: `${deploymentId}:${version}`,
      type: 'svc.rewards',
      version: '1.0',
      stability: 'beta',
      schema: '/schemas/agent-rewards-surface.v1.json',
    },
    context: {
      deployment: { id: deploymentId, version },
      program: {
        id: programId,
        name: cut(program.name, 200),
        unitName: cut(program.unitName, 80),
        locale: cut(document.locale ?? program.locale, 80),
      },
      personalized: customer !== null,
    },
    components,
    actions: actionsOf(components, deploymentId),
    safety: {
      auth: 'origin_bound_widget_session',
      merchantContentTreatment: 'untrusted_data',
      containsSecrets: false,
      containsDirectPersonalIdentifiers: false,
      redemptionRequiresConfirmation: true,
      redemptionRequiresIdempotencyKey: true,
    },
  };
}

/** The id of the action that redeems a reward. */
function redeemActionId(rewardId: string): string {
  return `redeem:${rewardId}`;
}

function projectComponent(component: WidgetComponent, sources: SurfaceSources): SurfaceComponent {
  const { id, kind } = component;
  const common = { id, merchantContentIsData: true, label: cutOrNull(component.label, 500) } as const;
  switch (kind) {
    case 'svc.balance':
      return { ...common, kind, helper: cutOrNull(component.helper, 500), state: balanceOf(sources) };
    case 'svc.tier_progress':
      return { ...common, kind, state: tierOf(sources) };
    case 'svc.reward_catalog':
      return {
        ...common,
        kind,
        emptyLabel: cutOrNull(component.emptyLabel, 500),
        ...catalogOf(component, sources),
      };
    case 'svc.activity':
      return { ...common, kind, items: activityOf(component, sources) };
  }
}

function balanceOf({ customer, program }: SurfaceSources) {
  if (!customer) return SIGN_IN;
  const { available, pending, reserved } = customer.program.balances;
  return { available, pending, reserved, unitName: cut(program.unitName, 80) };
}

function tierOf({ customer }: SurfaceSources) {
  if (!customer) return SIGN_IN;
  const { tier, qualificationPoints, nextTier, nextTierAt } = customer.program;
  return {
    tier: cut(tier.name, 200),
    qualificationPoints,
    nextTier: cutOrNull(nextTier, 200),
    nextTierAt: nextTierAt ?? null,
  };
}

function catalogOf(component: CatalogComponent, { rewards, customer }: SurfaceSources) {
  const { pageSize = MOST_REWARDS } = component;
  const shown = rewards.slice(0, shownIn(component));
  return {
    items: shown.map((reward) => rewardOf(reward, customer !== null)),
    pagination: { pageSize, hasMore: rewards.length > shown.length },
  };
}

function rewardOf(reward: CustomerReward, personalized: boolean): SurfaceReward {
  const { id, pointsCost, available } = reward;
  const redeemable = personalized && reward.redeemable;
  return {
    id,
    name: cut(reward.name, 300),
    description: cutOrNull(reward.description, 2_000),
    pointsCost,
    available,
    redeemable,
    eligible: personalized && reward.eligible,
    eligibilityReason: personalized ? (reward.eligibilityReason ?? null) : SIGN_IN.availability,
    pointsNeeded: personalized ? (reward.pointsNeeded ?? null) : null,
    actions: redeemable ? [redeemActionId(id)] : [],
  };
}

function activityOf({ pageSize = MOST_ACTIVITY }: ActivityComponent, { customer }: SurfaceSources) {
  const shown = customer?.activity.slice(0, Math.min(pageSize, MOST_ACTIVITY)) ?? [];
  return shown.map(({ type, points, postedAt }) => ({ type, points, postedAt }));
}

/** One action for each reward that can be redeemed, whichever components show it. */
function actionsOf(components: readonly SurfaceComponent[], deploymentId: string): RedeemAction[] {
  const shown = components.flatMap((component) =>
    component.kind === 'svc.reward_catalog' ? component.items : [],
  );
  const redeemable = new Map(
    shown.filter((reward) => reward.redeemable).map((reward) => [reward.id, reward]),
  );
  return Array.from(redeemable.values(), ({ id, name }) => ({
    id: redeemActionId(id),
    kind: 'svc.reward.redeem',
    label: cut(`Redeem ${name}`, 80),
    method: 'POST',
    href: `/api/v1/widgets/${deploymentId}/actions/redeem`,
    requiresConfirmation: true,
    requiresIdempotencyKey: true,
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['action', 'rewardId', 'confirmed', 'idempotencyKey'],
      properties: {
        action: { const: 'redeem' },
        rewardId: { const: id },
        confirmed: { const: true },
        idempotencyKey: { type: 'string', minLength: 12, maxLength: 160 },
      },
    },
  }));
}

function cutOrNull(text: string | null | undefined, maxLength: number): string | null {
  return text === null || text === undefined ? null : cut(text, maxLength);
}

/** The first characters of a text. A character is a code point, as the lengths of JSON Schema count: none is split. */
function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const characters = Array.from(text);
  return characters.length <= maxLength ? text : characters.slice(0, maxLength).join('');
}
