/** Lets a page of one origin show a widget to one member, as the merchant's backend has vouched, until it expires. */
export interface WidgetSession {
  /** UUID, of this session alone. */
  id: string;
  /** UUID. */
  environmentId: string;
  /** TypeID `wdg_…`. */
  deploymentId: string;
  /** UUID. */
  memberId: string;
  externalCustomerId: string;
  /** The origin of the pages that may use it, as browsers send it. */
  origin: string;
  expiresAt: Date;
}
