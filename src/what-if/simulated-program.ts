import type { ProgramDocument } from '../programs/document/program-document.ts';
import type { ProgramVersion, PublishedProgram } from '../programs/published/published-program.ts';

const EVER = new Date(0);

/** Which clock a simulation runs on: that of the receipt of events, or the one that the events name (`occurredAt`). */
export type SimulationClock = 'receipt' | 'event';

/**
 * The program as it was published, on a clock: on that of the events, which may be older than every version, the first
 * version has always held.
 */
export function asPublished(published: PublishedProgram, clock: SimulationClock): PublishedProgram {
  const [first, ...later] = published.versions;
  if (clock === 'receipt' || !first) return published;
  return { ...published, versions: [{ ...first, effectiveFrom: EVER, publishedAt: EVER }, ...later] };
}

/**
 * The program as it would have been, had a draft come into force at an instant: what was published holds before it, and
 * the draft from then on, whatever was published since.
 * @param from null: the draft has always held
 * @param clock see asPublished
 */
export function withDraft(
  published: PublishedProgram,
  draft: ProgramDocument,
  from: Date | null,
  clock: SimulationClock,
): PublishedProgram {
  const { versions } = asPublished(published, clock);
  const before = from === null ? [] : versions.filter(({ effectiveFrom }) => effectiveFrom < from);
  const since = from ?? EVER;
  const next: ProgramVersion = {
    version: (published.versions.at(-1)?.version ?? 0) + 1,
    effectiveFrom: since,
    publishedAt: since,
    document: draft,
  };
  return { programId: draft.id, versions: [...before, next] };
}

/**
 * Why a draft cannot follow what is published, or null: what points are worth never changes, so that the two could
 * not be compared.
 */
export function whyNotComparable(published: PublishedProgram, draft: ProgramDocument): string | null {
  const last = published.versions.at(-1)?.document;
  if (!last) {
    return (
      `No version of program ${draft.id} is published there. What is published: rewards program list. First publish ` +
      'a version (rewards program publish), or import a history (rewards import purchases) under one.'
    );
  }
  if (last.currency !== draft.currency) {
    return `${draft.id} is published in ${last.currency}; the draft earns in ${draft.currency}.`;
  }
  if (last.loyaltyUnitPrecision !== draft.loyaltyUnitPrecision) {
    return (
      `${draft.id} is published with loyaltyUnitPrecision ${last.loyaltyUnitPrecision}; the draft has ` +
      `${draft.loyaltyUnitPrecision}: its points are worth something else.`
    );
  }
  return null;
}
