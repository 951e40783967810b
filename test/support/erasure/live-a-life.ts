import { openBalance } from '../../../src/commands/adjustments/open-balance.ts';
import { reverseExchange } from '../../../src/commands/exchange/reverse-exchange.ts';
import { settleExchange } from '../../../src/commands/exchange/settle-exchange.ts';
import { newUuid } from '../../../src/ids.ts';
import { importKey } from '../../../src/import/import-keys.ts';
import type { CommandDoor } from '../../../src/ledger/command.ts';
import { isRefusal } from '../../../src/refusal.ts';
import type { Client, Received, Sent } from '../surfaces/client.ts';
import {
  choose,
  createMember,
  earn,
  engage,
  enroll,
  onReservation,
  quote,
  reserve,
  rest,
  returnOrder,
  unenroll,
  updateMember,
} from '../surfaces/client.ts';
import { programId, type TestEnvironment } from '../surfaces/world.ts';

/** A customer, and words that are typed about it wherever something can be typed. */
export interface Person {
  externalCustomerId: string;
  /** In names, reasons, evidence and attributes. */
  word: string;
  /** A code of another member; null where it has none. */
  referralCode: string | null;
}

/** What was sent with which answer, to be sent again. */
export interface Told {
  sent: Sent;
  received: Received;
}

/**
 * An opening balance and settlements with a partner, as imports submit them: references contain the customer's id.
 * Points that came in have been given to the partner again when they are reversed, so that another lot has lent points
 * at the end.
 * @returns what was acknowledged: receipts, and whether they were acknowledged before
 * @throws where one is refused
 */
export async function liveFromFiles(
  door: CommandDoor,
  { id: environmentId }: Pick<TestEnvironment, 'id'>,
  { externalCustomerId }: Pick<Person, 'externalCustomerId'>,
): Promise<{ receipt: object; idempotent: boolean }[]> {
  const caller = { environmentId, actor: { type: 'operator', id: 'ada' }, requestId: 'req' } as const;
  const of = { programId, externalCustomerId };
  const named = (word: string) => {
    const reference = `${word}-${externalCustomerId}`;
    return { ...of, idempotencyKey: importKey(reference), settlementReference: reference };
  };
  const { settlementReference: reference, ...opened } = named('opened');
  const settled = { partnerId: 'airline', points: 100 };
  const commands = [
    openBalance({ ...opened, reference, points: 300, expiresAt: 'never' }, caller),
    settleExchange({ ...named('received'), ...settled, direction: 'in' }, caller),
    settleExchange({ ...named('given'), ...settled, direction: 'out' }, caller),
    reverseExchange({ ...named('taken'), reverses: `received-${externalCustomerId}` }, caller),
    settleExchange({ ...named('spent'), ...settled, direction: 'out' }, caller),
    reverseExchange({ ...named('restored'), reverses: `spent-${externalCustomerId}` }, caller),
  ];
  const outcomes: { receipt: object; idempotent: boolean }[] = [];
  for (const command of commands) {
    const outcome = await door.submit(command);
    if (isRefusal(outcome)) throw new Error(`${command.idempotencyKey}: ${outcome.message}`);
    outcomes.push(outcome);
  }
  return outcomes;
}

/**
 * Sends every command that is about a member, with something typed wherever that is possible. References and
 * every third idempotency key contain the customer's id.
 * @param approver a key of another principal
 * @param door takes the commands that only imports submit
 * @returns the requests with their answers
 * @throws where one is refused
 */
export async function liveALife(
  client: Client,
  shop: TestEnvironment,
  approver: TestEnvironment,
  { externalCustomerId, word, referralCode }: Person,
  door: CommandDoor,
): Promise<Told[]> {
  const told: Told[] = [];
  let keys = 0;
  // Keys are visible ASCII; ids need not be.
  const isKey = /^[\x21-\x7e]+$/.test(externalCustomerId);
  const key = (): string => {
    keys += 1;
    return isKey && keys % 3 === 0 ? `${externalCustomerId}:${keys}` : newUuid();
  };
  const customer = { externalCustomerId };
  const evidence = { source: word };
  const send = async (sent: Sent): Promise<Received> => {
    const received = await client.send(sent);
    if (received.status >= 300) throw new Error(`${sent.method} ${sent.path} answered ${received.text}`);
    told.push({ sent, received });
    return received;
  };
  const typed = (sent: Sent): Sent => {
    const body = JSON.parse(String(sent.body));
    const reason = body.reason === undefined ? {} : { reason: word };
    return { ...sent, body: JSON.stringify({ ...body, ...reason, evidence }) };
  };
  const idOf = ({ text }: Received, prefix: string): string =>
    new RegExp(`"(${prefix}_[0-9a-z]{26})"`).exec(text)?.[1] ?? '';

  await send(createMember(shop, externalCustomerId, key()));
  const answer = { consentStatus: 'opted_in', noticeVersion: 'v2', evidence };
  await send(updateMember(shop, externalCustomerId, key(), { displayName: word, ...answer }));
  await send(typed(enroll(shop, externalCustomerId, key())));
  await send(typed(unenroll(shop, externalCustomerId, key())));
  await send(typed(enroll(shop, externalCustomerId, key())));
  await liveFromFiles(door, shop, customer);
  const tagPath = `/members/${encodeURIComponent(externalCustomerId)}/tags/${encodeURIComponent(`${word} tag`)}`;
  const listPath = `/lists/${encodeURIComponent(`${word} tag`)}/members`;
  await send(rest(shop, 'PUT', tagPath, undefined, key()));
  await send(rest(shop, 'POST', listPath, { externalCustomerIds: [externalCustomerId] }, key()));
  for (const sent of [
    rest(shop, 'DELETE', tagPath, undefined, key()),
    rest(shop, 'PUT', tagPath, undefined, key()),
    rest(shop, 'DELETE', listPath, { externalCustomerIds: [externalCustomerId, 'nobody'] }, key()),
    rest(shop, 'POST', listPath, { externalCustomerIds: [externalCustomerId] }, key()),
  ]) {
    await send(sent);
  }

  const order = {
    ...customer,
    amountMinor: 900_000,
    sourceReference: `order ${externalCustomerId} 1`,
    couponCode: `${word} code`,
    items: [
      { lineReference: `line ${externalCustomerId}`, sku: 'beans', quantity: 2, unitPriceMinor: 450_000 },
    ],
    context: { attributes: { note: word, ...(referralCode && { referralCode }) } },
  };
  await send(earn(shop, order, key()));
  const items = [{ lineReference: `line ${externalCustomerId}`, quantity: 1 }];
  const returned = {
    sourceReference: order.sourceReference,
    returnReference: `back ${externalCustomerId}`,
    items,
  };
  await send(returnOrder(shop, returned, key()));
  const brew = { type: 'brew', ...customer, attributes: { grams: 1000, text: word } };
  await send(engage(shop, { ...brew, sourceReference: `brew ${externalCustomerId}` }, key()));
  await send(choose(shop, { ...customer, sourceReference: `choice ${externalCustomerId}` }, key()));

  const hold = async (): Promise<string> => {
    const quoted = await send(
      quote(shop, { ...customer, sourceReference: `checkout ${externalCustomerId} ${keys}` }, key()),
    );
    return idOf(await send(reserve(shop, idOf(quoted, 'quo'), key())), 'rsv');
  };
  const act = async (reservation: string, path: string, body: object): Promise<Received> =>
    send(onReservation(shop, reservation, path, body, key()));
  const redeem = async (): Promise<string> => {
    const held = await hold();
    await act(held, 'commit', { authorizationReference: `paid ${externalCustomerId}` });
    return held;
  };
  await act(await hold(), 'release', { reason: word });
  const first = await redeem();
  await act(first, 'fulfillment', { status: 'shipped', reference: `parcel ${externalCustomerId}` });
  const dispute = { reason: word, evidence };
  const rejected = idOf(await act(first, 'disputes', dispute), 'dsp');
  await act(first, `disputes/${rejected}/reject`, { reason: word });
  const resolved = idOf(await act(first, 'disputes', dispute), 'dsp');
  const resolution = { resolution: word, reverse: true, cancellationEvidence: evidence };
  await act(first, `disputes/${resolved}/resolve`, resolution);
  await act(await redeem(), 'reverse', { reason: word, cancellationEvidence: evidence });

  const asked = { programId, ...customer, direction: 'credit', points: 5, reason: word, evidence };
  const adjustment = async (): Promise<string> =>
    idOf(await send(rest(shop, 'POST', '/adjustments', asked, key())), 'adj');
  const decide = (about: string, verb: string): Promise<Received> =>
    send(rest(approver, 'POST', `/adjustments/${about}/${verb}`, { reason: word }, key()));
  await decide(await adjustment(), 'reject');
  const posted = await adjustment();
  await decide(posted, 'approve');
  await decide(posted, 'reverse');
  await adjustment();
  // A hold and a quote that are open at the end.
  await hold();
  await send(quote(shop, { ...customer, sourceReference: `last ${externalCustomerId}` }, key()));
  return told;
}
