import type { ProgramDocument } from '../programs/document/program-document.ts';
import type { ProgramVersion, PublishedProgram } from '../programs/published/published-program.ts';

const EVER = new Date(0);

/** The clock of a simulation: the times at which events were received, or the times that events name (`occurredAt`). */
export type SimulationClock = 'receipt' | 'event';

/**
 * The program as it was published, for a clock. On the clock of the events, which may be older than every version, the
 * first version is in effect from the beginning.
 */
export function asPublished(published: PublishedProgram, clock: SimulationClock): PublishedProgram {
  const [first, ...later] = published.versions;
  if (clock === 'receipt' || !first) return published;
  return { ...published, versions: [{ ...first, effectiveFrom: EVER, publishedAt: EVER }, ...later] };
}

/**
 * The program as if a draft had taken effect at an instant: before it the published versions are in effect, and from it
 * on the draft, whatever was published since.
 * @param from the instant; null where the draft is in effect from the beginning
 * @param clock see `asPublished`
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
 * Why a draft cannot be compared with the published versions, as a sentence; null where it can be. The currency and the
 * precision of a program never change, so a draft that changes one could not be published either.
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
