import { purchaseEarn } from '../../commands/purchase-earn.ts';
import { type Moment, operation, type Surroundings } from '../intent.ts';
import { type Model, nameOf, type Prediction } from '../model.ts';
import { awardOf, countedName } from '../model-award.ts';
import { datesOf } from '../model-dates.ts';
import { lay, putBack } from '../model-ledger.ts';
import type { ModelLine } from '../model-returns.ts';
import { standingNow, standingWith } from '../model-standing.ts';
import { CATEGORIES, type PlainVersion } from '../plain-program.ts';
import type { Random } from '../random.ts';
import { someone } from './someone.ts';

const CHANNELS = ['web', 'store', 'app'] as const;
const DAY_MS = 86_400_000;
const PINNED = 'event_time_pinned_configuration';

interface Input {
  externalCustomerId: string;
  programId: string;
  amountMinor: number;
  channel: (typeof CHANNELS)[number];
  sourceReference: string;
  currency?: string;
  items?: Item[];
  occurredAt?: string;
  context?: { attributes: { svcEvaluation: Pin } };
}

interface Item {
  category: string;
  lineReference: string;
  quantity?: number;
  unitPriceMinor?: number;
}

interface Pin {
  mode: typeof PINNED;
  configurationVersion?: number;
  memberTier?: string;
}

export const purchaseEarnOperation = operation<Input>({
  name: 'purchaseEarn',
  weight: 60,
  invent(surroundings) {
    const { random, now } = surroundings;
    const input: Input = {
      ...someone(surroundings),
      amountMinor: random.pick([
        0,
        random.below(500),
        random.below(20_000),
        random.below(20_000),
        random.below(10_000_000),
      ]),
      channel: random.pick(CHANNELS),
      sourceReference: surroundings.orderReference(),
    };
    if (random.chance(0.5)) input.items = inventItems(random);
    if (random.chance(0.1)) input.currency = random.pick(['USD', 'USD', 'EUR']);
    // Now and then from a clock that runs ahead.
    if (random.chance(0.4)) input.occurredAt = moment(now, random.between(-40 * DAY_MS, DAY_MS / 2));
    if (random.chance(0.25)) pin(input, surroundings);
    return input;
  },
  alter: (input, random) => ({ ...input, amountMinor: input.amountMinor + random.between(1, 100) }),
  command: (input, caller) => purchaseEarn(input, caller),
  predict: predictPurchase,
});

/** All of one category. */
function inventItems(random: Random): Item[] {
  const category = random.pick(CATEGORIES);
  return Array.from({ length: random.between(1, 3) }, (_, index) => ({
    category,
    lineReference: `line-${index + 1}`,
    ...(random.chance(0.7) ? { quantity: random.between(1, 4) } : {}),
    ...(random.chance(0.7) ? { unitPriceMinor: random.pick([0, 99, 1_000, 2_549]) } : {}),
  }));
}

/** Asks for the configuration of the event's own time; not always with the evidence, and not always rightly. */
function pin(input: Input, { random, now, model }: Surroundings): void {
  const svcEvaluation: Pin = { mode: PINNED };
  const versions = model.programs.get(input.programId) ?? [];
  if (random.chance(0.95)) input.occurredAt = moment(now, -random.below(60 * DAY_MS));
  const occurredAt = new Date(input.occurredAt ?? now);
  const held = versions.filter((each) => each.publishedAt <= occurredAt && each.effectiveFrom <= occurredAt);
  const right = held.at(-1);
  if (random.chance(0.95)) {
    svcEvaluation.configurationVersion =
      right && random.chance(0.9) ? right.version : random.between(1, versions.length + 1);
  }
  if (random.chance(0.95)) {
    const tiers = right?.program.tiers.map((tier) => tier.id) ?? [];
    svcEvaluation.memberTier = random.pick([...tiers, ...tiers, ...tiers, 'sixth']);
  }
  input.context = { attributes: { svcEvaluation } };
}

function moment(now: Date, offsetMs: number): string {
  return new Date(now.getTime() + offsetMs).toISOString();
}

function predictPurchase(model: Model, input: Input, { now }: Moment): Prediction {
  const { programId, externalCustomerId, sourceReference } = input;
  if (!model.programs.get(programId)) return { code: 'program_not_found' };
  if (!model.members.get(externalCustomerId)) return { code: 'member_not_found' };
  if (model.orders.get(sourceReference) !== null) return { code: 'source_reference_conflict' };
  const name = nameOf(programId, externalCustomerId);
  const profile = model.profiles.get(name);
  if (!profile?.enrolled) return { code: 'enrollment_required' };
  const occurredAt = input.occurredAt ? new Date(input.occurredAt) : now;
  if (occurredAt.getTime() - now.getTime() > 300_000) return { code: 'invalid_event' };
  const chosen = chooseVersion(model, input, now);
  if ('code' in chosen) return chosen;
  if (input.currency && input.currency !== 'USD') return { code: 'currency_mismatch' };

  // Where the member stands is the present version's affair, whatever version the event is evaluated under.
  const present = model.versionAt(programId, now)?.program ?? chosen.program;
  const standing = standingNow(present, profile, now);
  const at = chosen.pin ? occurredAt : now;
  const counter = chosen.program.limit && countedName(name, chosen.program.limit.period, at);
  const counted = counter ? (model.counted.get(counter) ?? 0) : 0;
  const award = awardOf(chosen.program, {
    amountMinor: input.amountMinor,
    channel: input.channel,
    category: input.items?.[0]?.category ?? null,
    tier: chosen.pin?.memberTier ?? standing.tier,
    counted,
  });
  if ('code' in award) return award;

  const { points, rulePoints } = award;
  const risen = standingWith(present, standing, rulePoints, { at, now });
  const purse = lay(profile, now);
  // Whoever earns is active: points that are not over yet live on from here.
  purse.lastActivityAt = now.getTime();
  const dates = datesOf(chosen.program, occurredAt.getTime(), at.getTime());
  const waits = dates.activatesAt !== null && dates.activatesAt > now.getTime();
  const lot = { order: sourceReference, granted: points, reserved: 0, claimed: 0, ...dates };
  const [pending, available] = waits ? [points, 0] : [0, points];
  const place = points > 0 ? purse.lots.push({ ...lot, pending, available }) - 1 : null;
  // Points of an event that comes very late may be over already.
  purse.dropOver();
  putBack(model, name, purse, risen);
  model.orders.set(sourceReference, {
    profile: name,
    programId,
    externalCustomerId,
    points,
    amountMinor: input.amountMinor,
    returnedMinor: 0,
    lines: (input.items ?? []).map(lineOf),
    returnedLines: {},
    lot: place,
  });
  if (counter) model.counted.set(counter, counted + points);
  return {
    receipt: {
      status: 'committed',
      member: { externalCustomerId, tier: risen.tier },
      award: { points, basePoints: points, campaignPoints: 0 },
      evaluationMode: chosen.pin ? PINNED : 'receipt_time_current_configuration',
      evaluationAt: at.toISOString(),
      configurationVersion: chosen.version,
      loyaltyUnitPrecision: chosen.program.precision,
    },
  };
}

function lineOf({ lineReference, quantity = 1, unitPriceMinor = 0 }: Item): ModelLine {
  return { reference: lineReference, quantity, price: unitPriceMinor };
}

function chooseVersion(
  model: Model,
  input: Input,
  now: Date,
): (Pick<PlainVersion, 'version' | 'program'> & { pin: Pin | null }) | Extract<Prediction, { code: string }> {
  const pin = input.context?.attributes.svcEvaluation ?? null;
  if (!pin) {
    const version = model.versionAt(input.programId, now);
    return version ? { ...version, pin } : { code: 'program_not_found' };
  }
  if (!input.occurredAt || !pin.configurationVersion || !pin.memberTier) return { code: 'invalid_event' };
  const occurredAt = new Date(input.occurredAt);
  let inForce: PlainVersion | null = null;
  for (const version of model.programs.get(input.programId) ?? []) {
    if (version.publishedAt <= occurredAt && version.effectiveFrom <= occurredAt) inForce = version;
  }
  if (!inForce || inForce.version !== pin.configurationVersion)
    return { code: 'configuration_not_effective' };
  if (!inForce.program.tiers.some((tier) => tier.id === pin.memberTier)) return { code: 'unknown_tier' };
  return { ...inForce, pin };
}
