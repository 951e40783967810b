import type { ProgramDocument } from './program-document.ts';

/** The names that a document defines and its other parts refer to. */
export interface DocumentNames {
  tiers: ReadonlySet<string>;
  audiences: ReadonlySet<string>;
  coupons: ReadonlySet<string>;
  eventTypes: ReadonlySet<string>;
  choiceSets: ReadonlySet<string>;
}

export function namesOf(document: ProgramDocument): DocumentNames {
  return {
    tiers: new Set(document.tiers.map(({ id }) => id)),
    audiences: new Set(document.audiences?.map(({ id }) => id)),
    coupons: new Set(document.coupons?.map(({ code }) => code)),
    eventTypes: new Set(document.eventDefinitions?.map(({ type }) => type)),
    choiceSets: new Set(document.choiceSets?.map(({ id }) => id)),
  };
}
