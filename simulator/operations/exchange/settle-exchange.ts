import { settleExchange } from '../../../src/commands/exchange/settle-exchange.ts';
import { operation } from '../../client/intent.ts';
import { datesOf } from '../../model/dates.ts';
import { madeId } from '../../model/expected-event.ts';
import { settledBalance, storeBalance } from '../../model/ledger.ts';
import { nameOf } from '../../model/model.ts';
import { someone } from '../shared/someone.ts';
import { PARTNERS } from './partners.ts';

interface Input {
  programId: string;
  externalCustomerId: string;
  settlementReference: string;
  partnerId: string;
  direction: 'in' | 'out';
  points: number;
}

export const settleExchangeOperation = operation<Input>({
  name: 'settleExchange',
  weight: 10,
  invent(surroundings) {
    const { random, memory, customers, newReference } = surroundings;
    const points = random.pick([random.between(1, 50), random.between(1, 1_000)]);
    const again = random.chance(0.05) ? memory.pick('settlement', random, customers) : null;
    return {
      ...someone(surroundings, points),
      settlementReference: again?.id ?? newReference('settlement'),
      partnerId: random.pick(PARTNERS),
      direction: random.pick(['in', 'out']),
      points,
    };
  },
  alter: (input) => ({ ...input, points: input.points + 1 }),
  command: (input, caller) => settleExchange(input, caller),
  predict(model, input, { now }) {
    const { programId, externalCustomerId, settlementReference, partnerId, direction, points } = input;
    const program = model.versionAt(programId, now)?.program;
    if (!program) return { code: 'program_not_found' };
    if (!model.isActive(externalCustomerId)) return { code: 'member_not_found' };
    if (model.settlements.get(settlementReference)) return { code: 'source_reference_conflict' };
    const name = nameOf(programId, externalCustomerId);
    const profile = model.profiles.get(name);
    if (!profile?.enrolled) return { code: 'enrollment_required' };
    const balance = settledBalance(profile, now);
    if (direction === 'out' && balance.available < points) return { code: 'insufficient_points' };
    const dates = datesOf({ ...program, pendingDays: 0 }, now.getTime(), now.getTime());
    const parts = direction === 'in' ? [balance.credit(points, dates)] : balance.take(points);
    balance.lastActivityAt = now.getTime();
    storeBalance(model, name, balance);
    const told = { transactionId: madeId('txn'), settlementReference, partnerId, direction, points };
    model.tell('exchange.settled', name, told);
    if (direction === 'in') {
      model.tell('points.earned', name, {
        transactionId: madeId('txn'),
        eventType: 'exchange.settled',
        sourceReference: settlementReference,
        points,
        basePoints: 0,
        campaignPoints: 0,
        activatesAt: null,
        occurredAt: now.toISOString(),
      });
    }
    const facts = { programId, partnerId, direction, points, reverses: null };
    model.settlements.set(settlementReference, { ...facts, profile: name, reversed: false, parts });
    return { receipt: { exchange: { settlementReference, ...facts } } };
  },
});
