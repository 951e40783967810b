/** In place of a text that was typed about an erased member, where the column or the contract requires one. */
export const ERASED = 'erased';

/** A member that is erased. */
export interface ErasedMember {
  /** UUIDs. */
  environmentId: string;
  memberId: string;
  /** The externalCustomerId until now. */
  externalCustomerId: string;
}

/** The externalCustomerId of a member once it is erased. @param memberId UUID */
export function erasedId(memberId: string): string {
  return `erased-${memberId}`;
}

/**
 * Names that merchants give to orders, events, payments, settlements and opening balances. They stay, without the
 * member's id in them.
 */
const REFERENCES: ReadonlySet<string> = new Set([
  'sourceReference',
  'orderReference',
  'returnReference',
  'lineReference',
  'authorizationReference',
  'fulfillmentReference',
  'settlementReference',
  'reverses',
  'reference',
]);

/** Sentences that persons typed. */
const SENTENCES: ReadonlySet<string> = new Set([
  'reason',
  'decisionReason',
  'unmergeReason',
  'unmergeDecisionReason',
  'resolution',
]);

/** Where the contract has the id of a member. */
const IDS: ReadonlySet<string> = new Set([
  'externalCustomerId',
  'intoExternalCustomerId',
  'unmergedExternalCustomerId',
]);

/** Decisions of the rules: their reasons are the service's own and quote nothing that was typed. */
const RULES: ReadonlySet<string> = new Set(['ruleDecisions', 'campaigns']);

/** Pure functions that take what identifies a member out of stored texts and JSON. Each is idempotent. */
export class Forgotten {
  readonly newId: string;
  readonly #oldId: string;
  readonly #asWord: RegExp;

  constructor({ memberId, externalCustomerId }: Pick<ErasedMember, 'memberId' | 'externalCustomerId'>) {
    this.newId = erasedId(memberId);
    this.#oldId = externalCustomerId;
    const literal = externalCustomerId.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
    this.#asWord = new RegExp(`(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])`, 'gu');
  }

  /**
   * Whether a reference or key contains the member's id as a word: `order-joan-7` contains `joan`, `joanna` does not.
   */
  isIn(text: string): boolean {
    return text.search(this.#asWord) >= 0;
  }

  /** The reference with the new id in place of the old one. */
  reference(text: string): string {
    return text.replace(this.#asWord, this.newId);
  }

  /**
   * A receipt, the data of an event or the lines of an order: names, codes and sentences go, and the id changes. What
   * is computed from elsewhere stays as it was.
   */
  json<T>(value: T): T {
    return this.#walk(value, '') as T;
  }

  #walk(value: unknown, name: string): unknown {
    if (typeof value === 'string') return this.#text(value, name);
    if (RULES.has(name) || typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.#walk(item, name));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#walk(item, key)]));
  }

  #text(text: string, name: string): string | null {
    if (IDS.has(name)) return text === this.#oldId ? this.newId : text;
    if (name === 'displayName' || name === 'referralCode') return null;
    if (SENTENCES.has(name)) return ERASED;
    return REFERENCES.has(name) ? this.reference(text) : text;
  }

  /** Names of order lines as keys, such as those of returned quantities. */
  keys<T>(byReference: Readonly<Record<string, T>>): Record<string, T> {
    return Object.fromEntries(
      Object.entries(byReference).map(([reference, value]) => [this.reference(reference), value]),
    );
  }
}
