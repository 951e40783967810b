import type { ProgramDocument, Reward } from '../programs/document/program-document.ts';
import type { WidgetDocument } from './widget-document.ts';

/** The most rewards that a catalog of a widget shows. */
export const MOST_REWARDS = 12;
const LONGEST_ID = 200;

/** Whether a catalog of the widget shows a reward at an instant, to whomever. */
export function showsReward(
  { components }: Pick<WidgetDocument, 'components'>,
  { rewards = [] }: Pick<ProgramDocument, 'rewards'>,
  rewardId: string,
  at: Date,
): boolean {
  const index = rewards
    // An action of the surface has no place for how many points are paid.
    .filter(
      (reward) =>
        reward.points !== undefined && isOnOffer(reward, at) && fitsSurface(reward.id, reward.points),
    )
    .findIndex(({ id }) => id === rewardId);
  return (
    index !== -1 &&
    components.some((component) => component.kind === 'svc.reward_catalog' && index < shownIn(component))
  );
}

/** How many rewards a catalog shows. */
export function shownIn({ pageSize = MOST_REWARDS }: { pageSize?: number }): number {
  return Math.min(pageSize, MOST_REWARDS);
}

/** Whether the surface can show a reward: the specification bounds its id and its price. */
export function fitsSurface(id: string, points: number): boolean {
  return points >= 1 && Array.from(id).length <= LONGEST_ID;
}

/** Whether an instant is in the time in which a reward can be had. */
export function isOnOffer({ availableFrom, availableUntil }: Reward, at: Date): boolean {
  const now = at.getTime();
  return (
    (availableFrom === undefined || Date.parse(availableFrom) <= now) &&
    (availableUntil === undefined || now < Date.parse(availableUntil))
  );
}
