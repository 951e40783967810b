/** What a widget shows (specification, "Widget projection"; agent-rewards-surface.v1.schema.json is the same table). */
export interface Surface {
  surface: {
    /** `<deploymentId>:<version>` */
    id: string;
    type: 'svc.rewards';
    version: '1.0';
    stability: 'beta';
    schema: '/schemas/agent-rewards-surface.v1.json';
  };
  context: {
    deployment: { id: string; version: number };
    program: { id: string; name: string; unitName: string; locale: string };
    personalized: boolean;
  };
  components: SurfaceComponent[];
  actions: RedeemAction[];
  safety: {
    auth: 'origin_bound_widget_session';
    merchantContentTreatment: 'untrusted_data';
    containsSecrets: false;
    containsDirectPersonalIdentifiers: false;
    redemptionRequiresConfirmation: true;
    redemptionRequiresIdempotencyKey: true;
  };
}

export type SurfaceComponent = { id: string; merchantContentIsData: true; label: string | null } & (
  | { kind: 'svc.balance'; helper: string | null; state: BalanceState | SignIn }
  | { kind: 'svc.tier_progress'; state: TierState | SignIn }
  | {
      kind: 'svc.reward_catalog';
      emptyLabel: string | null;
      items: SurfaceReward[];
      pagination: { pageSize: number; hasMore: boolean };
    }
  | { kind: 'svc.activity'; items: SurfaceActivity[] }
);

export interface SignIn {
  availability: 'sign_in_required';
}

/** Points are in the smallest loyalty unit. */
export interface BalanceState {
  available: number;
  pending: number;
  reserved: number;
  unitName: string;
}

export interface TierState {
  tier: string;
  qualificationPoints: number;
  nextTier: string | null;
  nextTierAt: number | null;
}

export interface SurfaceActivity {
  type: string;
  /** Signed. */
  points: number;
  postedAt: string;
}

export interface SurfaceReward {
  id: string;
  name: string;
  description: string | null;
  pointsCost: number;
  /** False where it is sold out. */
  available: boolean;
  /** True exactly where `actions` names an action. */
  redeemable: boolean;
  eligible: boolean;
  eligibilityReason: string | null;
  pointsNeeded: number | null;
  actions: string[];
}

export interface RedeemAction {
  /** `redeem:<rewardId>` */
  id: string;
  kind: 'svc.reward.redeem';
  label: string;
  method: 'POST';
  href: string;
  requiresConfirmation: true;
  requiresIdempotencyKey: true;
  /** A JSON Schema of the body. */
  input: {
    type: 'object';
    additionalProperties: false;
    required: ['action', 'rewardId', 'confirmed', 'idempotencyKey'];
    properties: {
      action: { const: 'redeem' };
      rewardId: { const: string };
      confirmed: { const: true };
      idempotencyKey: { type: 'string'; minLength: 12; maxLength: 160 };
    };
  };
}
