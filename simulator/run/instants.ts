import { isOpen } from '../model/choices.ts';
import type { Model } from '../model/model.ts';
import { endOf } from '../model/points.ts';
import { goneAt } from '../model/standing.ts';

/**
 * The next instants at which something becomes due, soonest first, in milliseconds since 1970. The simulator stops the
 * clock around them, because an error of one millisecond shows only there.
 */
export function instantsAfter(model: Model, now: Date, limit: number): number[] {
  const instants = new Set<number>();
  const note = (at: number | null): void => {
    if (at !== null && at > now.getTime() && at < Number.POSITIVE_INFINITY) instants.add(at);
  };
  for (const { lots, holds, lastActivityAt, earned } of model.profiles.ownRows.values()) {
    for (const lot of lots) {
      if (lot.pending > 0) note(lot.activatesAt);
      if (lot.available > 0) note(endOf(lot, lastActivityAt));
    }
    for (const hold of holds) note(hold.expiresAt);
    for (const { day } of earned ?? []) note(goneAt(day));
  }
  for (const quote of model.quotes.ownRows.values()) if (quote.state === 'quoted') note(quote.expiresAt);
  for (const adjustment of model.adjustments.ownRows.values()) {
    if (adjustment.state === 'requested') note(adjustment.expiresAt);
  }
  for (const grants of model.grants.ownRows.values()) {
    for (const grant of grants) if (isOpen(grant, now.getTime())) note(grant.expiresAt);
  }
  for (const programId of model.programs.keys()) {
    const program = model.versionAt(programId, now)?.program;
    if (!program) continue;
    for (const { schedule } of [...program.campaigns, ...program.coupons, ...program.challenges]) {
      note(schedule?.from?.getTime() ?? null);
      note(schedule?.until?.getTime() ?? null);
    }
  }
  return [...instants].sort((a, b) => a - b).slice(0, limit);
}
