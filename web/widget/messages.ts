/** The element's own words. What stands in braces is replaced; `{amount}` is a number of points with their unit. */
export const ENGLISH = {
  loading: 'Loading rewards',
  balance: 'Your balance',
  pending: '{amount} on the way',
  reserved: '{amount} held for rewards',
  tier: 'Your tier',
  tierProgress: '{amount} to {tier}',
  highestTier: 'You are in the highest tier.',
  rewards: 'Rewards',
  noRewards: 'There are no rewards at the moment.',
  moreRewards: 'There are more rewards than are shown here.',
  activity: 'Activity',
  noActivity: 'Nothing has happened yet.',
  signIn: 'Sign in to see your points and to redeem rewards.',
  signInState: 'Sign in to see it',
  redeem: 'Redeem',
  soldOut: 'Sold out',
  pointsNeeded: '{amount} to go',
  'reason.enrollment_required': 'For members of the program',
  'reason.member_not_active': 'Your membership is paused',
  'reason.not_eligible': 'Not for your tier yet',
  reason: 'Not available to you',
  redeemed: 'Redeemed',
  held: 'Held for you',
  confirmTitle: 'Redeem {reward}?',
  confirmCost: 'Cost',
  confirmBefore: 'Your balance',
  confirmAfter: 'Left afterwards',
  confirm: 'Redeem now',
  cancel: 'Cancel',
  close: 'Close',
  sending: 'Redeeming …',
  sendingAgain: 'The connection is slow. Trying again; nothing is taken twice …',
  successTitle: 'It is yours',
  doneCommitted: '{reward} is redeemed for {amount}.',
  doneHeld: '{reward} is held for you. {amount} are set aside until it is handed over.',
  alreadyRedeemed: 'This had already gone through, and counted once.',
  balanceLeft: 'You have {amount} left.',
  failedTitle: 'That did not work',
  uncertain:
    'No answer came back, so it may or may not have gone through. Try again: it counts once, however often it is sent.',
  uncertainSession: 'Your session ended before an answer came. Sign in and try again: it counts once.',
  notTaken: 'No points were taken.',
  tryAgain: 'Try again',
  changed: 'The rewards have changed meanwhile. This is what there is now.',
  stale: 'This could not be brought up to date.',
  'error.offline': 'You are offline.',
  'error.network_error': 'The rewards cannot be reached.',
  'error.token_unavailable': 'Your session could not be opened.',
  'error.deployment_not_found': 'There are no rewards here.',
  'error.origin_not_allowed': 'The rewards may not be shown on this site.',
  'error.rate_limited': 'That was a lot at once. Try again in a moment.',
  'error.enrollment_required': 'You are not a member of this program.',
  'error.reward_not_available': 'This reward cannot be redeemed any more.',
  'error.insufficient_points': 'You do not have enough points for it.',
  'error.unauthorized': 'Your session has ended. Sign in again.',
  error: 'Something went wrong.',
  'activity.purchase': 'Purchase',
  'activity.return': 'Return',
  'activity.challenge': 'Challenge',
  'activity.referral': 'Referral',
  'activity.points': 'Points',
  'activity.redemption': 'Reward',
  'activity.adjustment': 'Correction',
  'activity.exchange': 'Exchange with a partner',
};

export type MessageName = keyof typeof ENGLISH;
/** All words of the element. A page can override any of them. */
export type Messages = Readonly<Record<MessageName, string>>;

/** The words for `prefix.code`, or those for `prefix` where there are none of the code's own. */
export function wordsFor(messages: Messages, prefix: 'reason' | 'error', code: string): string {
  const name = `${prefix}.${code}`;
  return isName(messages, name) ? messages[name] : messages[prefix];
}

/** The words for a type of activity; a type that has none is shown as it is, with spaces. */
export function activityWords(messages: Messages, type: string): string {
  const [subject = ''] = type.split('.');
  for (const name of [`activity.${type}`, `activity.${subject}`]) {
    if (isName(messages, name)) return messages[name];
  }
  return type.replaceAll(/[._]/g, ' ');
}

function isName(messages: Messages, name: string): name is MessageName {
  return Object.hasOwn(messages, name);
}
