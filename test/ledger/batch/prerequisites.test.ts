import { expect, test } from '@jest/globals';
import { purchaseEarn } from '../../../src/commands/earning/purchase-earn.ts';
import { createMember } from '../../../src/commands/members/create-member.ts';
import { enrollMember } from '../../../src/commands/members/enroll-member.ts';
import type { PurchaseEarnInput } from '../../../src/contract/generated/types.ts';
import type { Command, Outcome, Prerequisites } from '../../../src/ledger/command.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { codeOf, Desk, rows } from '../../support/commands/desk.ts';

const after: Prerequisites['after'] = new Set(['member_not_found', 'enrollment_required']);

/** The commands that make ann a member and enroll her. */
function joining(desk: Desk): Prerequisites {
  const created = createMember(desk.memberInput({ idempotencyKey: 'create' }), desk.caller);
  if (isRefusal(created)) throw new Error(created.message);
  const enrolled = enrollMember(desk.enrollInput({ idempotencyKey: 'enroll' }), desk.caller);
  return { after, commands: [created, enrolled] };
}

function purchase(desk: Desk, prerequisites: Prerequisites, input: Partial<PurchaseEarnInput> = {}): Command {
  return { ...purchaseEarn(desk.purchaseInput(input), desk.caller), prerequisites };
}

function codes(outcomes: readonly Outcome[]): (string | null)[] {
  return outcomes.map((outcome) => (isRefusal(outcome) ? outcome.code : null));
}

test('are decided where a command is refused without them, each under its own key and with its own audit', () => {
  const desk = new Desk();
  const shared = joining(desk);
  const commands = [purchase(desk, shared), purchase(desk, shared)];
  const outcomes = desk.store.runBatch(commands, desk.now);
  expect(codes(outcomes)).toEqual([null, null]);
  expect(outcomes.map(({ prerequisites }) => prerequisites && codes(prerequisites))).toEqual([
    [null, null],
    undefined,
  ]);
  const { tables } = desk.store;
  expect(rows(tables.idempotency).map(({ operation }) => operation)).toEqual([
    'createMember',
    'enrollMember',
    'purchaseEarn',
    'purchaseEarn',
  ]);
  expect(rows(tables.audits).map(({ action }) => action)).toEqual([
    'member.created',
    'member.enrolled',
    'purchase.completed',
    'purchase.completed',
  ]);
  expect(rows(tables.profiles)).toMatchObject([{ purchaseCount: 2 }]);
});

test('come to the same as if they were submitted one after the other', () => {
  const [together, apart] = [new Desk(), new Desk()];
  const prerequisites = joining(together);
  const [outcome] = together.store.runBatch([purchase(together, prerequisites)], together.now);
  const single = joining(apart);
  const each = [...single.commands, purchase(apart, single)].map((command) => apart.run(command));
  const shape = (desk: Desk) =>
    Object.entries(desk.store.tables).map(([name, table]) => [name, [...table.values()].length]);
  expect(shape(together)).toEqual(shape(apart));
  expect(codes([...(outcome?.prerequisites ?? []), outcome as Outcome])).toEqual(codes(each));
});

test('are left out by a replay, and by a command that needs none', () => {
  const desk = new Desk();
  const first = purchase(desk, joining(desk));
  desk.store.runBatch([first], desk.now);
  const [replay] = desk.store.runBatch([first], desk.now);
  expect(replay).toMatchObject({ idempotent: true });
  expect(replay).not.toHaveProperty('prerequisites');
  const [another] = desk.store.runBatch([purchase(desk, joining(desk))], desk.now);
  expect(another).toMatchObject({ idempotent: false });
  expect(another).not.toHaveProperty('prerequisites');
  expect(rows(desk.store.tables.idempotency)).toHaveLength(4);
});

test('are not decided after another refusal, and stay where the command is refused again', () => {
  const desk = new Desk();
  const elsewhere = purchase(desk, joining(desk), { programId: 'no-club' });
  expect(codeOf(desk.run(elsewhere))).toBe('program_not_found');
  expect(rows(desk.store.tables.members)).toEqual([]);
  const [refused] = desk.store.runBatch([purchase(desk, joining(desk), { currency: 'XTS' })], desk.now);
  expect(codeOf(refused as Outcome)).toBe('currency_mismatch');
  expect(codes(refused?.prerequisites ?? [])).toEqual([null, null]);
  expect(rows(desk.store.tables.profiles)).toMatchObject([{ enrolled: true, purchaseCount: 0 }]);
});
