import type { Clock, LocalTime } from '../calendar/local-time.ts';
import type { MemberFacts } from './member-facts.ts';
import type { ItemFacts, ProfileFacts, PurchaseFacts } from './purchase-facts.ts';

/** The parts of a cart that conditions read. Money in minor currency units. */
export interface CartFacts {
  subtotalMinor: number;
  /** The quantities of all lines added up. */
  quantity: number;
  items: readonly ItemFacts[];
  channel?: string | null | undefined;
  market?: string | null | undefined;
  store?: string | null | undefined;
  currency?: string | null | undefined;
  tags?: readonly string[] | null | undefined;
}

/** The facts that conditions read. Fields of a null section are absent. */
export interface EvaluationFacts {
  purchase: PurchaseFacts | null;
  cart: CartFacts | null;
  /** Of the purchase or of the cart. */
  items: readonly ItemFacts[] | null;
  /** Of the purchase or of the engagement event. */
  attributes: Readonly<Record<string, unknown>> | null;
  /** Null where the member is unknown or not enrolled. */
  profile: ProfileFacts | null;
  member: MemberFacts | null;
  /** The program's currency, for a purchase that names none. */
  programCurrency: string;
  /** The instant of the evaluation. */
  at: Date;
  /** `at` in the program's time zone; computed at the first call. */
  localTime(): LocalTime;
}

/** The facts that a caller has; the rest is absent. */
export interface FactSources {
  purchase?: PurchaseFacts;
  cart?: CartFacts;
  /** Of an engagement event. */
  attributes?: Readonly<Record<string, unknown>> | null;
  profile?: ProfileFacts | null;
  member?: MemberFacts | null;
}

/**
 * Arranges known facts for conditions.
 * @param clock of the program's time zone
 */
export function factsOf(
  { purchase, cart, attributes, profile, member }: FactSources,
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
