import type { RedeemAction, Surface, SurfaceComponent, SurfaceReward } from '../../src/widget/surface.ts';
import { button, h, isolated, phrase } from './dom.ts';
import type { Formats } from './formats.ts';
import { activityWords, type Messages, wordsFor } from './messages.ts';
import type { ComponentOf } from './surface.ts';

/** What the components of a surface are drawn with. */
export interface Drawing {
  surface: Surface;
  messages: Messages;
  formats: Formats;
  /** The state of the redemptions since the page was opened, by reward. */
  redeemed: ReadonlyMap<string, string>;
  redeem(reward: SurfaceReward, action: RedeemAction): void;
}

/** Draws the components of a surface, in its order. */
export function drawComponents(drawing: Drawing): HTMLElement[] {
  return drawing.surface.components.map((component, index) => drawComponent(drawing, component, `c${index}`));
}

function drawComponent(drawing: Drawing, component: SurfaceComponent, id: string): HTMLElement {
  switch (component.kind) {
    case 'svc.balance':
      return drawBalance(drawing, component, id);
    case 'svc.tier_progress':
      return drawTier(drawing, component, id);
    case 'svc.reward_catalog':
      return drawCatalog(drawing, component, id);
    case 'svc.activity':
      return drawActivity(drawing, component, id);
  }
}

function drawBalance(
  { messages, formats }: Drawing,
  component: ComponentOf<'svc.balance'>,
  id: string,
): HTMLElement {
  const { state, label, helper } = component;
  const title = heading(id, label ?? messages.balance);
  const help = helper === null ? null : quiet(isolated(helper));
  if ('availability' in state) return summary('balance', id, title, signIn(messages), help);
  const amount = (words: string, points: number): HTMLElement | null =>
    points === 0 ? null : quiet(...phrase(words, { amount: `${formats.number(points)} ${state.unitName}` }));
  return summary(
    ...(['balance', id, title] as const),
    figure(formats.number(state.available), state.unitName),
    amount(messages.pending, state.pending),
    amount(messages.reserved, state.reserved),
    help,
  );
}

function drawTier(
  { messages, formats }: Drawing,
  component: ComponentOf<'svc.tier_progress'>,
  id: string,
): HTMLElement {
  const { state, label } = component;
  const title = heading(id, label ?? messages.tier);
  if ('availability' in state) return summary('tier', id, title, signIn(messages));
  const { tier, qualificationPoints, nextTier, nextTierAt } = state;
  if (nextTier === null || nextTierAt === null) {
    return summary('tier', id, title, figure(tier), quiet(messages.highestTier));
  }
  const remaining = formats.amount(Math.max(0, nextTierAt - qualificationPoints));
  const words = quiet(...phrase(messages.tierProgress, { amount: remaining, tier: nextTier }));
  words.id = `${id}-progress`;
  return summary(
    ...(['tier', id, title] as const),
    figure(tier),
    progress(words.id, qualificationPoints, nextTierAt),
    words,
  );
}

function drawCatalog(
  drawing: Drawing,
  component: ComponentOf<'svc.reward_catalog'>,
  id: string,
): HTMLElement {
  const { messages } = drawing;
  const { label, emptyLabel, items, pagination } = component;
  const title = heading(id, label ?? messages.rewards);
  if (items.length === 0) {
    return section('catalog', id, title, empty(emptyLabel ?? messages.noRewards));
  }
  const list = h('ul', { class: 'rewards', part: 'rewards' });
  list.append(...items.map((reward, index) => drawReward(drawing, reward, `${id}-${index}`)));
  const more = pagination.hasMore && h('slot', { name: 'more' }, messages.moreRewards);
  return section('catalog', id, title, list, more && quiet(more));
}

function drawReward(drawing: Drawing, reward: SurfaceReward, id: string): HTMLElement {
  const { formats } = drawing;
  return h(
    'li',
    { class: 'card reward', part: 'card reward' },
    h('h3', { id: `${id}-name`, part: 'reward-name', tabindex: '-1' }, isolated(reward.name)),
    reward.description !== null &&
      h('p', { class: 'quiet', part: 'reward-description' }, isolated(reward.description)),
    drawRedeemed(drawing, reward),
    h(
      'div',
      { class: 'foot' },
      h('p', { class: 'cost', part: 'reward-cost' }, isolated(formats.amount(reward.pointsCost))),
      drawRewardState(drawing, reward, id),
    ),
  );
}

/** The button that redeems a reward, or why there is none; null where the surface does not say. */
function drawRewardState(drawing: Drawing, reward: SurfaceReward, id: string): HTMLElement | null {
  const { messages, formats, surface } = drawing;
  const action = reward.redeemable && surface.actions.find(({ id: name }) => reward.actions.includes(name));
  if (action) {
    const redeem = button('button primary', () => drawing.redeem(reward, action), messages.redeem);
    redeem.id = `${id}-redeem`;
    redeem.dataset.reward = reward.id;
    redeem.setAttribute('aria-labelledby', `${id}-redeem ${id}-name`);
    return redeem;
  }
  if (!reward.available) return rewardState('sold-out', messages.soldOut);
  if (!surface.context.personalized) return null;
  if (!reward.eligible) {
    return rewardState('not-eligible', wordsFor(messages, 'reason', reward.eligibilityReason ?? ''));
  }
  if (!reward.pointsNeeded) return null;
  const amount = formats.amount(reward.pointsNeeded);
  return rewardState('points-needed', ...phrase(messages.pointsNeeded, { amount }));
}

/** What has become of the reward since the page was opened; null where it was not redeemed. */
function drawRedeemed({ messages, redeemed }: Drawing, reward: SurfaceReward): HTMLElement | null {
  const state = redeemed.get(reward.id);
  if (state === undefined) return null;
  return rewardState('done', `✓ ${state === 'reserved' ? messages.held : messages.redeemed}`);
}

function rewardState(part: string, ...children: ReturnType<typeof phrase>): HTMLElement {
  return h('p', { class: `state ${part}`, part: `reward-state ${part}` }, ...children);
}

function drawActivity(
  { messages, formats, surface }: Drawing,
  component: ComponentOf<'svc.activity'>,
  id: string,
): HTMLElement {
  const { label, items } = component;
  const title = heading(id, label ?? messages.activity);
  if (items.length === 0)
    return section(
      'activity-section',
      id,
      title,
      empty(surface.context.personalized ? messages.noActivity : messages.signInState),
    );
  const rows = items.map(({ type, points, postedAt }) =>
    h(
      'li',
      { part: 'activity-item' },
      h('span', { part: 'activity-type' }, isolated(activityWords(messages, type))),
      h(
        'span',
        { class: points > 0 ? 'change gain' : 'change', part: 'activity-points' },
        isolated(formats.change(points)),
      ),
      h('time', { datetime: postedAt, part: 'activity-date' }, formats.date(postedAt)),
    ),
  );
  return section(
    'activity-section',
    id,
    title,
    h('ol', { class: 'card activity', part: 'card activity' }, ...rows),
  );
}

/** What stands in the place of a surface that is being read, in its sizes. */
export function drawSkeleton(): HTMLElement[] {
  const line = (...classes: string[]): HTMLElement => h('div', { class: ['skeleton', ...classes].join(' ') });
  const card = (): HTMLElement =>
    h('div', { class: 'card summary' }, line('line', 'short'), line('large'), line('line'));
  const reward = (): HTMLElement =>
    h(
      'li',
      { class: 'card reward waiting' },
      line('line'),
      line('line', 'short'),
      h('div', { class: 'foot' }, line('pill')),
    );
  const rewards = Array.from({ length: 6 }, reward);
  const drawn = [
    card(),
    card(),
    h('div', { class: 'wide section' }, line('large', 'short'), h('ul', { class: 'rewards' }, ...rewards)),
  ];
  for (const element of drawn) element.setAttribute('aria-hidden', 'true');
  return drawn;
}

function heading(id: string, text: string): HTMLElement {
  return h('h2', { id, part: 'heading', tabindex: '-1' }, isolated(text));
}

function summary(part: string, id: string, ...children: (HTMLElement | null)[]): HTMLElement {
  const attributes = { class: 'card summary', part: `card ${part}`, 'aria-labelledby': id };
  return h('section', attributes, ...children);
}

function section(part: string, id: string, ...children: (HTMLElement | false)[]): HTMLElement {
  return h('section', { class: 'wide section', part, 'aria-labelledby': id }, ...children);
}

function figure(text: string, unit: string | null = null): HTMLElement {
  const unitOf = unit !== null && h('bdi', { class: 'unit' }, unit);
  return h('p', { class: 'figure', part: 'figure' }, isolated(text), unitOf && ' ', unitOf);
}

function signIn(messages: Messages): HTMLElement {
  return h('p', { class: 'sign-in', part: 'sign-in-state' }, messages.signInState);
}

function quiet(...children: (Node | string | null | undefined | false)[]): HTMLElement {
  return h('p', { class: 'quiet', part: 'note' }, ...children);
}

function empty(text: string): HTMLElement {
  return h('p', { class: 'card empty', part: 'empty' }, isolated(text));
}

/** A bar whose words are in another element. */
function progress(labelledBy: string, value: number, goal: number): HTMLElement {
  const done = goal > 0 ? Math.min(1, Math.max(0, value / goal)) : 1;
  const filled = h('div', { part: 'progress-value' });
  // Through the object model: a policy that forbids inline styles forbids the attribute.
  filled.style.setProperty('--_done', `${(done * 100).toFixed(1)}%`);
  const attributes = {
    ...{ class: 'bar', part: 'progress', role: 'progressbar', 'aria-labelledby': labelledBy },
    ...{ 'aria-valuemin': '0', 'aria-valuemax': '100', 'aria-valuenow': String(Math.floor(done * 100)) },
  };
  return h('div', attributes, filled);
}
