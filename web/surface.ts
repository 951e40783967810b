/**
 * The projection of a deployment, as `GET /api/v1/widgets/{deployment}/surface` answers it: what the element reads of it. Its
 * contract is /schemas/agent-rewards-surface.v1.json. Every text of it is a merchant's, and is only ever shown as text.
 */
export interface Surface {
  surface: { id: string };
  context: {
    deployment: { id: string; version: number };
    program: { id: string; name: string; unitName: string; locale: string };
    personalized: boolean;
  };
  components: Component[];
  actions: RedeemAction[];
}

export type Component = BalanceComponent | TierComponent | CatalogComponent | ActivityComponent;

export interface SignInState {
  availability: 'sign_in_required';
}

export interface BalanceComponent {
  id: string;
  kind: 'svc.balance';
  label: string | null;
  helper: string | null;
  state: { available: number; pending: number; reserved: number; unitName: string } | SignInState;
}

export interface TierComponent {
  id: string;
  kind: 'svc.tier_progress';
  label: string | null;
  state:
    | { tier: string; qualificationPoints: number; nextTier: string | null; nextTierAt: number | null }
    | SignInState;
}

export interface CatalogComponent {
  id: string;
  kind: 'svc.reward_catalog';
  label: string | null;
  emptyLabel: string | null;
  items: Reward[];
  pagination: { pageSize: number; hasMore: boolean };
}

export interface ActivityComponent {
  id: string;
  kind: 'svc.activity';
  label: string | null;
  items: { type: string; points: number; postedAt: string }[];
}

export interface Reward {
  id: string;
  name: string;
  description: string | null;
  pointsCost: number;
  available: boolean;
  redeemable: boolean;
  eligible: boolean;
  eligibilityReason: string | null;
  pointsNeeded: number | null;
  /** Ids of `actions` of the surface, at most one. */
  actions: string[];
}

export interface RedeemAction {
  id: string;
  label: string;
  href: string;
}

/** The answer to a redemption. A repeated request gets the first one's answer. */
export interface Redeemed {
  redemption: { id: string; state: string; rewardId: string; points: number };
  balance: { available: number; pending: number; reserved: number };
}
