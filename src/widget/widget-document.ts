/** A widget as its merchant describes it (widget.schema.json, docs/guide/widget.md). */
export interface WidgetDocument {
  $schema?: string;
  id: string;
  /** Id of a program of the environment. */
  program: string;
  /** BCP 47; that of the program where it is absent. */
  locale?: string;
  /** Such as `https://shop.example`. */
  origins: string[];
  redemption?: 'reserve' | 'commit';
  components: WidgetComponent[];
}

export type WidgetComponent = BalanceComponent | TierComponent | CatalogComponent | ActivityComponent;

interface Component<Kind extends string> {
  id: string;
  kind: Kind;
  label?: string;
}

export interface BalanceComponent extends Component<'svc.balance'> {
  helper?: string;
}

export type TierComponent = Component<'svc.tier_progress'>;

export interface CatalogComponent extends Component<'svc.reward_catalog'> {
  emptyLabel?: string;
  pageSize?: number;
}

export interface ActivityComponent extends Component<'svc.activity'> {
  pageSize?: number;
}

export const defaultRedemption = 'reserve';

/** The version of a widget that is served. */
export interface WidgetDeployment {
  /** UUID. */
  environmentId: string;
  /** TypeID `wdg_…`, the same for every version. */
  deploymentId: string;
  /** From 1. */
  version: number;
  programId: string;
  document: WidgetDocument;
}
