import { purchaseEarn } from '../../commands/earning/purchase-earn.ts';
import { createMember } from '../../commands/members/create-member.ts';
import { enrollMember } from '../../commands/members/enroll-member.ts';
import type { Command, CommandDoor } from '../../ledger/command.ts';
import { isRefusal, type Refusal } from '../../refusal.ts';

/** Customers of the demo with their orders, in cents. Together they show each tier and each way to earn. */
const MEMBERS = [
  { externalCustomerId: 'customer-ada', displayName: 'Ada', ordersMinor: [1250, 480, 9900] },
  { externalCustomerId: 'customer-grace', displayName: 'Grace', ordersMinor: [64_000, 72_500] },
  { externalCustomerId: 'customer-alan', displayName: 'Alan', ordersMinor: [299] },
];

/**
 * Creates and enrolls the demo's members and sends their purchases, as an API client would. The keys are the same
 * every time, so a second run replays them and changes nothing.
 * @param environmentId UUID
 * @throws where a command is refused, unless the reason is that somebody has changed the demo since
 */
export async function seedDemoMembers(
  door: CommandDoor,
  environmentId: string,
  programId: string,
): Promise<void> {
  const caller = { environmentId, actor: { type: 'system' as const, id: 'demo' }, requestId: 'req_demo' };
  const send = async (command: Command | Refusal): Promise<void> => {
    const outcome = isRefusal(command) ? command : await door.submit(command);
    if (isRefusal(outcome) && !CHANGED_SINCE.has(outcome.code)) {
      throw new Error(`the demo was refused: ${outcome.code} ${outcome.message}`);
    }
  };
  for (const { externalCustomerId, displayName, ordersMinor } of MEMBERS) {
    const consent = { consentStatus: 'opted_in' as const, noticeVersion: '2026-01' };
    const idempotencyKey = `demo:${externalCustomerId}`;
    await send(createMember({ idempotencyKey, externalCustomerId, displayName, ...consent }, caller));
    const evidence = { source: 'demo' };
    await send(enrollMember({ idempotencyKey, externalCustomerId, programId, evidence, ...consent }, caller));
    for (const [index, amountMinor] of ordersMinor.entries()) {
      const sourceReference = `demo-${externalCustomerId}-${index + 1}`;
      await send(
        purchaseEarn(
          {
            idempotencyKey: sourceReference,
            programId,
            externalCustomerId,
            sourceReference,
            amountMinor,
            channel: 'web',
            currency: 'USD',
          },
          caller,
        ),
      );
    }
  }
}

/**
 * Refusals of a demo that somebody has changed: it was locked, a member left, a later release seeds other data, or its
 * rows were changed in the database.
 */
const CHANGED_SINCE: ReadonlySet<string> = new Set([
  'production_locked',
  'enrollment_required',
  'member_exists',
  'idempotency_key_reused',
  'source_reference_conflict',
  'receipt_unreadable',
]);
