/** A visitor of a widget who is signed in, as the merchant's backend has vouched. */
export interface WidgetSession {
  /** UUID of the member. */
  memberId: string;
  /** The origin of the pages that may use the session. */
  origin: string;
  expiresAt: Date;
}
