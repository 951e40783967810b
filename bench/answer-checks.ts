import { OK } from './http-scenario.ts';

/** Every so many answers one is checked in full; of every answer the status and a mark are. */
const SAMPLE = 32;

/** Most receipts that are kept, to compare replays with. */
const MOST_RECEIPTS = 10_000;

/** Each tier's multiplier: numerator and denominator. */
export type Multipliers = Readonly<Record<string, readonly [number, number]>>;

/** What a purchase was sent with. */
export interface SentPurchase {
  externalCustomerId: string;
  amountMinor: number;
}

interface Receipt {
  status: string;
  member: { externalCustomerId: string };
  award: { points: number; basePoints: number; campaignPoints: number };
  ruleDecisions: { kind: string; id: string; points: number }[];
}

/** Whether the answer to the request of that number is checked in full. */
export function isSampled(number: number): boolean {
  return number % SAMPLE === 0;
}

/**
 * Checks a receipt by the rules of the demo program, which are written down here a second time: one point for each full
 * dollar, times the tier's multiplier, halves up.
 * @param campaigns whether the program has any
 * @throws where status, customer or points are not as they have to be
 */
export function checkReceipt(
  receipt: unknown,
  sent: SentPurchase,
  multipliers: Multipliers,
  campaigns: boolean,
): void {
  const { status, member, award, ruleDecisions } = receipt as Receipt;
  const tier = ruleDecisions.find(({ kind }) => kind === 'tier')?.id ?? '';
  const [numerator, denominator] = multipliers[tier] ?? [Number.NaN, 1];
  const dollars = Math.floor(sent.amountMinor / 100);
  const basePoints = Math.floor((2 * dollars * numerator + denominator) / (2 * denominator));
  const decided = ruleDecisions.reduce((sum, { points }) => sum + points, 0);
  const isRight =
    status === 'committed' &&
    member.externalCustomerId === sent.externalCustomerId &&
    award.basePoints === basePoints &&
    award.points === basePoints + award.campaignPoints &&
    award.points === decided &&
    (campaigns || award.campaignPoints === 0);
  if (!isRight) {
    throw new Error(
      `A receipt is not right: ${JSON.stringify(sent)} gives ${basePoints} points in tier ${tier}, not\n` +
        JSON.stringify(receipt),
    );
  }
}

/** The receipt in a response to a purchase, over REST or GraphQL. */
export function receiptOf(response: string): unknown {
  const body = JSON.parse(bodyOf(response)) as { data?: { purchaseEarn?: unknown } };
  return body.data?.purchaseEarn ?? body;
}

/** The first receipts of a sample of purchases, by the number of the request. */
export class FirstReceipts {
  readonly #bodies = new Map<number, string>();

  /** Keeps the receipt of a sampled purchase, while there is room. */
  keep(number: number, response: string): void {
    if (isSampled(number) && this.#bodies.size < MOST_RECEIPTS)
      this.#bodies.set(number, comparable(response));
  }

  /** @throws where a replay is not the first receipt, byte for byte, apart from the id of its request */
  compare(number: number, replay: string): void {
    const first = this.#bodies.get(number);
    if (first === undefined || (replay.startsWith(OK) && comparable(replay) === first)) return;
    throw new Error(`A replay differs from the first receipt:\n${first}\n${replay.slice(0, 4_000)}`);
  }
}

function bodyOf(response: string): string {
  return response.slice(response.indexOf('\r\n\r\n') + 4);
}

/** What a replay and its first receipt have in common. Over REST, `idempotent` is a header. */
function comparable(response: string): string {
  return bodyOf(response).replace(/"requestId":"[^"]*",/, '');
}
