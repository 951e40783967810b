import { redeemInWidget } from '../../../src/commands/redemptions/redeem-in-widget.ts';
import { toTypeId } from '../../../src/ids.ts';
import type { WidgetDeployment } from '../../../src/widget/widget-document.ts';
import { operation } from '../../client/intent.ts';
import { madeId } from '../../model/expected-event.ts';
import type { Model, ModelReservation, Prediction } from '../../model/model.ts';
import type { Moment } from '../../model/moment.ts';
import { sumOf } from '../../model/points.ts';
import type { ModelProfile } from '../../model/profile.ts';
import { REWARDS } from '../../programs/program.ts';
import { someone } from '../shared/someone.ts';
import { committed } from './commit-redemption.ts';
import { isOnOffer, priced } from './quote-redemption.ts';
import { held } from './reserve-redemption.ts';

interface Input {
  /** Names what the widget is: its program, how it redeems, and how many rewards it shows. */
  deploymentId: string;
  rewardId: string;
  /** Whose session it is. */
  customer: string;
  session: {
    memberId: string;
    expiresAt: string;
    /** Whether the session is of a member whose id the customer does not have any more. */
    isStrangers: boolean;
  };
}

const MINUTE_MS = 60_000;
const SEPARATOR = ' ';
const VERSION = 1;

export const redeemInWidgetOperation = operation<Input>({
  name: 'redeemInWidget',
  weight: 12,
  keyScope: ({ session }) => toTypeId('mem', session.memberId),
  invent(surroundings) {
    const { random, now, model, lotsOf } = surroundings;
    const { programId, externalCustomerId } = someone(surroundings, 10);
    // A session is only made for somebody who is enrolled.
    const profile = lotsOf(programId, externalCustomerId);
    if (!profile) return null;
    const ends = now.getTime() - model.clockAheadMs + (random.chance(0.05) ? 0 : 15) * MINUTE_MS;
    const isStrangers = random.chance(0.02);
    const widget = [programId, random.pick(['reserve', 'commit']), random.pick([2, 12, 12, 100])];
    return {
      deploymentId: widget.join(SEPARATOR),
      rewardId: random.chance(0.05) ? 'nothing' : random.pick(REWARDS),
      customer: externalCustomerId,
      session: {
        memberId: isStrangers ? random.uuid() : profile.memberId,
        expiresAt: new Date(ends).toISOString(),
        isStrangers,
      },
    };
  },
  alter: (input, random) => ({
    ...input,
    rewardId: random.pick(REWARDS.filter((id) => id !== input.rewardId)),
  }),
  command({ customer, session, ...input }, caller) {
    const offer = {
      deployment: deploymentOf(input.deploymentId, caller.environmentId),
      session: {
        memberId: session.memberId,
        externalCustomerId: customer,
        expiresAt: new Date(session.expiresAt),
      },
      ifMatch: null,
    };
    return redeemInWidget(input, offer, caller);
  },
  predict,
});

function widgetOf(deploymentId: string): {
  programId: string;
  redemption: 'reserve' | 'commit';
  pageSize: number;
} {
  const [programId = '', redemption, pageSize] = deploymentId.split(SEPARATOR);
  return {
    programId,
    redemption: redemption === 'commit' ? 'commit' : 'reserve',
    pageSize: Number(pageSize),
  };
}

function deploymentOf(deploymentId: string, environmentId: string): WidgetDeployment {
  const { programId, redemption, pageSize } = widgetOf(deploymentId);
  return {
    ...{ environmentId, deploymentId, version: VERSION, programId },
    document: {
      id: 'widget',
      program: programId,
      origins: ['https://shop.example'],
      redemption,
      components: [{ id: 'rewards', kind: 'svc.reward_catalog', pageSize }],
    },
  };
}

function predict(model: Model, input: Input, { now, name }: Moment): Prediction {
  const { deploymentId, rewardId, customer: externalCustomerId, session } = input;
  const { programId, redemption, pageSize } = widgetOf(deploymentId);
  const isOver = Date.parse(session.expiresAt) <= now.getTime() - model.clockAheadMs;
  if (session.isStrangers || isOver) return { code: 'unauthorized' };
  const shown = model
    .versionAt(programId, now)
    ?.program.rewards.filter((reward) => reward.payment === null && isOnOffer(reward, now))
    .slice(0, Math.min(pageSize, 12));
  if (!shown?.some(({ id }) => id === rewardId)) return { code: 'reward_not_available' };
  const asked = { programId, externalCustomerId, rewardId, sourceReference: madeId('widget', '-') };
  const pricing = priced(model, asked, now);
  if ('code' in pricing) {
    return { code: pricing.code === 'enrollment_required' ? pricing.code : 'reward_not_available' };
  }
  const { quotes } = pricing.profile;
  const reservation = held(model, pricing.quote, pricing.balance, { now, name, quotes });
  if ('code' in reservation) return { code: 'reward_not_available' };
  // Under another name: no receipt shows its id.
  model.quotes.set(`quote of ${name}`, { ...pricing.quote, state: 'reserved' });
  const done =
    redemption === 'commit' ? commitAtOnce(model, reservation, deploymentId, { now, name }) : reservation;
  const { state } = done;
  return {
    receipt: {
      redemption: { state, rewardId, points: pricing.quote.points },
      balance: balancesOf(profileOf(model, done)),
    },
  };
}

function commitAtOnce(
  model: Model,
  reservation: ModelReservation,
  deploymentId: string,
  { now, name }: Pick<Moment, 'now' | 'name'>,
): ModelReservation {
  const profile = profileOf(model, reservation);
  return committed(model, { name, reservation, profile }, now, `${deploymentId}:${VERSION}`);
}

function profileOf(model: Model, { quote }: ModelReservation): ModelProfile {
  const profile = model.profiles.get(quote.profile);
  if (!profile) throw new Error(`the model has no profile ${quote.profile}`);
  return profile;
}

function balancesOf(profile: ModelProfile): object {
  const [available, pending, reserved] = (['available', 'pending', 'reserved'] as const).map((amount) =>
    sumOf(profile, amount),
  );
  return { available, pending, reserved };
}
