import type { Clock, LocalTime } from '../calendar/local-time.ts';
import type { MemberFacts } from './member-facts.ts';
import type { ItemFacts, ProfileFacts, PurchaseFacts } from './purchase-facts.ts';

/** A cart as conditions see it. Money in minor currency units. */
export interface CartFacts {
  subtotalMinor: number;
  /** Units of all lines together. */
  quantity: number;
  items: readonly ItemFacts[];
  channel?: string | null | undefined;
  market?: string | null | undefined;
  store?: string | null | undefined;
  currency?: string | null | undefined;
  tags?: readonly string[] | null | undefined;
}

/** What conditions are read from. What is not there is absent to them. */
export interface EvaluationFacts {
  purchase: PurchaseFacts | null;
  cart: CartFacts | null;
  /** Of the purchase or of the cart. */
  items: readonly ItemFacts[] | null;
  /** Of the purchase or of the engagement event. */
  attributes: Readonly<Record<string, unknown>> | null;
  /** Null where the member is not known. */
  profile: ProfileFacts | null;
  member: MemberFacts | null;
  /** The program's currency, for a purchase that names none. */
  programCurrency: string;
  /** The instant of the evaluation. */
  at: Date;
  /** The evaluation's instant in the program's time zone; computed when first asked for. */
  localTime(): LocalTime;
}

/** What an evaluation knows. */
export interface Known {
  purchase?: PurchaseFacts;
  cart?: CartFacts;
  /** Of an engagement event. */
  attributes?: Readonly<Record<string, unknown>> | null;
  profile?: ProfileFacts | null;
  member?: MemberFacts | null;
}

/**
 * Lays out what is known for conditions to read.
 * @param clock of the program's time zone
 */
export function factsOf(
  { purchase, cart, attributes, profile, member }: Known,
  programCurrency: string,
  clock: Clock,
  at: Date,
): EvaluationFacts {
  let time: LocalTime | null = null;
  return {
    purchase: purchase ?? null,
    cart: cart ?? null,
    items: purchase?.items ?? cart?.items ?? null,
    attributes: attributes ?? purchase?.attributes ?? null,
    profile: profile ?? null,
    member: member ?? null,
    programCurrency,
    at,
    localTime() {
      time ??= clock(at);
      return time;
    },
  };
}
