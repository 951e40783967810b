import type { PlainChoiceSet } from '../programs/engagement.ts';
import type { PlainProgram } from '../programs/program.ts';
import { madeId } from './expected-event.ts';
import type { ModelGrant } from './grant.ts';
import { type Model, nameOf } from './model.ts';

const DAY_MS = 86_400_000;

/** How many choices of a grant are unused. */
export function remainingOf({ choices, chosen }: ModelGrant): number {
  return choices - chosen.length;
}

/** Whether a choice of the grant can be claimed now. */
export function isOpen(grant: ModelGrant, now: number): boolean {
  return remainingOf(grant) > 0 && !grant.forfeited && (grant.expiresAt === null || grant.expiresAt > now);
}

/** Grants a choice set for a milestone; does nothing where that milestone was granted before. */
export function grant(
  model: Model,
  externalCustomerId: string,
  { id, choices, validDays }: PlainChoiceSet,
  { programId, milestone, now }: { programId: string; milestone: string; now: number },
): void {
  const name = nameOf(programId, externalCustomerId);
  const grants = model.grants.get(name) ?? [];
  if (grants.some((each) => each.choiceSetId === id && each.milestone === milestone)) return;
  const expiresAt = validDays === null ? null : now + validDays * DAY_MS;
  const granted = { programId, choiceSetId: id, milestone, choices, grantedAt: now, expiresAt };
  model.grants.set(name, [
    ...grants,
    { ...granted, number: model.nextNumber(), chosen: [], forfeited: false },
  ]);
  model.tell('choice.granted', name, {
    choiceGrantId: madeId('cgr'),
    choiceSetId: id,
    choices,
    grantedBy: milestone,
    expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  });
}

/** All choice grants of a member in all programs, the oldest first. */
export function grantsOf(model: Model, externalCustomerId: string): ModelGrant[] {
  return [...model.programs.keys()]
    .flatMap((programId) => model.grants.get(nameOf(programId, externalCustomerId)) ?? [])
    .sort((a, b) => a.grantedAt - b.grantedAt || a.number - b.number);
}

/**
 * Grants the choice sets of the tiers above `from`, up to and including `to`; of all tiers up to `to` where `from` is
 * null.
 */
export function grantTiers(
  model: Model,
  externalCustomerId: string,
  program: PlainProgram,
  { from, to, now }: { from: string | null; to: string; now: number },
): void {
  const rank = (id: string): number => program.tiers.findIndex((tier) => tier.id === id);
  // Where the version no longer has the tier `from`, only the tier `to` is known to be newly reached.
  const isRemoved = from !== null && rank(from) < 0;
  const first = isRemoved ? rank(to) : from === null ? 0 : rank(from) + 1;
  const passed = program.tiers.slice(first, rank(to) + 1);
  for (const { id } of passed) {
    for (const set of program.choiceSets) {
      if (!set.tiers.includes(id)) continue;
      grant(model, externalCustomerId, set, { programId: program.id, milestone: `tier:${id}`, now });
    }
  }
}

/** Marks the grants with unused choices as left: a member who leaves a program loses them. */
export function forfeitChoices(model: Model, externalCustomerId: string, programId: string): void {
  const name = nameOf(programId, externalCustomerId);
  const grants = model.grants.get(name);
  if (!grants) return;
  model.grants.set(
    name,
    grants.map((each) => (remainingOf(each) > 0 ? { ...each, forfeited: true } : each)),
  );
}
