import { unenrollMember } from '../../../src/commands/members/unenroll-member.ts';
import { operation } from '../../client/intent.ts';
import { forfeitChoices } from '../../model/choices.ts';
import { settledBalance, storeBalance } from '../../model/ledger.ts';
import { type Model, nameOf } from '../../model/model.ts';
import { type PointBalance, sumOf } from '../../model/points.ts';

interface Input {
  externalCustomerId: string;
  programId: string;
  noticeVersion: string;
  evidence: { source: string };
  reason: string;
}

export const unenrollMemberOperation = operation<Input>({
  name: 'unenrollMember',
  weight: 5,
  allowedWhileLocked: true,
  invent: ({ random, customers, programIds }) => ({
    externalCustomerId: random.pick(customers),
    programId: random.pick(programIds),
    noticeVersion: `club-${random.between(1, 3)}`,
    evidence: { source: 'account page' },
    reason: 'moved away',
  }),
  alter: (input) => ({ ...input, reason: `${input.reason}!` }),
  command: unenrollMember,
  predict(model, input, { now }) {
    const { externalCustomerId, programId } = input;
    if (!model.programs.get(programId)) return { code: 'program_not_found' };
    if (!model.members.get(externalCustomerId)) return { code: 'member_not_found' };
    const name = nameOf(programId, externalCustomerId);
    const profile = model.profiles.get(name);
    if (!profile) return { code: 'profile_not_found' };
    const balance = settledBalance(profile, now);
    if (balance.available + sumOf(balance, 'pending') > 0) return { code: 'balance_not_zero' };
    if (balance.total > 0) return { code: 'reservation_open' };
    leave(model, input, balance, now);
    return { receipt: { program: { programId, status: 'unenrolled' } } };
  },
});

/** The member leaves the program with this balance, which has no points. */
export function leave(
  model: Model,
  { externalCustomerId, programId, reason }: Pick<Input, 'externalCustomerId' | 'programId' | 'reason'>,
  balance: PointBalance,
  now: Date,
): void {
  const name = nameOf(programId, externalCustomerId);
  const { enrolled = false, quotes = [] } = model.profiles.get(name) ?? {};
  storeBalance(model, name, balance, { enrolled: false, quotes: [] });
  if (enrolled) model.tell('member.unenrolled', name, { reason });
  forfeitChoices(model, externalCustomerId, programId);
  for (const each of quotes) {
    const quote = model.quotes.get(each);
    const state = quote && quote.expiresAt <= now.getTime() ? 'expired' : 'cancelled';
    if (quote) model.quotes.set(each, { ...quote, state });
  }
}
