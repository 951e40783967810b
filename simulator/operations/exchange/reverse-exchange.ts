import { reverseExchange } from '../../../src/commands/exchange/reverse-exchange.ts';
import { operation } from '../../client/intent.ts';
import { madeId } from '../../model/expected-event.ts';
import { settledBalance, storeBalance } from '../../model/ledger.ts';
import { type Model, type ModelSettlement, nameOf, type Prediction } from '../../model/model.ts';
import type { Moment } from '../../model/moment.ts';
import { borrows, owes } from '../../model/points.ts';
import { PARTNERS } from './partners.ts';

interface Input {
  programId: string;
  externalCustomerId: string;
  settlementReference: string;
  reverses: string;
  partnerId?: string;
  points?: number;
}

export const reverseExchangeOperation = operation<Input>({
  name: 'reverseExchange',
  weight: 8,
  invent({ random, memory, customers, programIds, model, newReference }) {
    const stands = (id: string): boolean => isStanding(model.settlements.get(id));
    const entry = memory.pick('settlement', random, customers, stands, (id) => movesLent(model, id));
    if (!entry) return null;
    const settlement = model.settlements.get(entry.id);
    const again = random.chance(0.03) ? memory.pick('settlement', random, customers) : null;
    return {
      programId: settlement?.programId ?? random.pick(programIds),
      externalCustomerId: random.chance(0.03) ? random.pick(customers) : entry.externalCustomerId,
      settlementReference: again?.id ?? newReference('settlement'),
      reverses: entry.id,
      ...(random.chance(0.3) ? { partnerId: settlement?.partnerId ?? random.pick(PARTNERS) } : {}),
      ...(random.chance(0.5) ? { points: (settlement?.points ?? 1) + (random.chance(0.05) ? 1 : 0) } : {}),
    };
  },
  alter: (input) => ({ ...input, reverses: `${input.reverses}x` }),
  command: (input, caller) => reverseExchange(input, caller),
  predict,
});

function predict(model: Model, input: Input, { now }: Moment): Prediction {
  const { programId, externalCustomerId, settlementReference, reverses } = input;
  if (!model.programs.get(programId)) return { code: 'program_not_found' };
  if (!model.members.get(externalCustomerId)) return { code: 'member_not_found' };
  if (model.settlements.get(settlementReference)) return { code: 'source_reference_conflict' };
  const name = nameOf(programId, externalCustomerId);
  const settlement = model.settlements.get(reverses);
  if (settlement?.profile !== name) return { code: 'settlement_not_found' };
  if (!isStanding(settlement)) return { code: 'invalid_settlement_state' };
  const { partnerId, direction, points, parts } = settlement;
  const agrees = (input.partnerId ?? partnerId) === partnerId && (input.points ?? points) === points;
  if (!agrees) return { code: 'validation_failed' };
  if (direction === 'out' && !model.isActive(externalCustomerId)) return { code: 'member_not_found' };
  const profile = model.profiles.get(name);
  if (!profile?.enrolled) return { code: 'enrollment_required' };
  const balance = settledBalance(profile, now);
  if (direction === 'in') {
    if (balance.available < points) return { code: 'insufficient_points' };
    for (const part of parts) balance.undoCredit(part);
  } else {
    balance.returnToLots(parts, model.versionAt(programId, now)?.program.graceDays ?? 30);
    balance.expireLots();
  }
  storeBalance(model, name, balance);
  const facts = { programId, partnerId, direction, points, reverses };
  const told = { settlementReference, partnerId, direction, points, reverses };
  model.tell('exchange.reversed', name, { transactionId: madeId('txn'), ...told });
  model.settlements.set(reverses, { ...settlement, reversed: true });
  model.settlements.set(settlementReference, { ...facts, profile: name, reversed: false, parts: [] });
  return { receipt: { exchange: { settlementReference, ...facts } } };
}

function isStanding(settlement: ModelSettlement | null): boolean {
  return settlement?.reverses === null && !settlement.reversed;
}

/** Whether the reversal would move points that lots lend one another. */
function movesLent(model: Model, reference: string): boolean {
  const settlement = model.settlements.get(reference);
  const profile = model.profiles.get(settlement?.profile ?? '');
  if (!settlement || !profile || !isStanding(settlement)) return false;
  const { direction, points, parts } = settlement;
  return direction === 'out' ? owes(profile, parts) : borrows(profile, parts, points);
}
