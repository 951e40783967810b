import { openBalance } from '../../../src/commands/adjustments/open-balance.ts';
import { operation } from '../../client/intent.ts';
import { datesOf } from '../../model/dates.ts';
import { madeId } from '../../model/expected-event.ts';
import { settledBalance, storeBalance } from '../../model/ledger.ts';
import { nameOf } from '../../model/model.ts';
import { someone } from '../shared/someone.ts';

const HOUR_MS = 3_600_000;

interface Input {
  programId: string;
  externalCustomerId: string;
  reference: string;
  points: number;
  expiresAt: string | null;
}

/** A row of an import of opening balances: now and then one whose points have expired. */
export const openBalanceOperation = operation<Input>({
  name: 'openBalance',
  weight: 5,
  invent(surroundings) {
    const { random, now, newReference } = surroundings;
    const end = new Date(now.getTime() + random.between(-20, 2_000) * HOUR_MS).toISOString();
    return {
      ...someone(surroundings),
      reference: newReference('opening'),
      points: random.between(1, 500),
      expiresAt: random.pick([end, end, 'never', null]),
    };
  },
  alter: (input) => ({ ...input, points: input.points + 1 }),
  command: (input, caller) => openBalance(input, caller),
  predict(model, { programId, externalCustomerId, reference, points, expiresAt }, { now }) {
    const program = model.versionAt(programId, now)?.program;
    if (!program) return { code: 'program_not_found' };
    if (!model.isActive(externalCustomerId)) return { code: 'member_not_found' };
    const name = nameOf(programId, externalCustomerId);
    const profile = model.profiles.get(name);
    if (!profile?.enrolled) return { code: 'enrollment_required' };
    const ofPolicy = datesOf({ ...program, pendingDays: 0 }, now.getTime(), now.getTime());
    const ownDates = { activatesAt: null, inactivityDays: null };
    const end = expiresAt === null || expiresAt === 'never' ? null : new Date(expiresAt).getTime();
    if (end !== null && end <= now.getTime()) return { code: 'validation_failed' };
    const dates = expiresAt === null ? ofPolicy : { ...ownDates, expiresAt: end };
    const balance = settledBalance(profile, now);
    balance.credit(points, dates);
    storeBalance(model, name, balance);
    model.tell('adjustment.posted', name, {
      adjustmentId: null,
      state: 'posted',
      direction: 'credit',
      points,
      reason: 'opening balance',
      transactionId: madeId('txn'),
    });
    const last = dates.expiresAt === null ? null : new Date(dates.expiresAt).toISOString();
    return { receipt: { balance: { reference, programId, points, expiresAt: last } } };
  },
});
