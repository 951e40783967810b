import {
  type ReverseExchangeInput,
  reverseExchange,
} from '../../../src/commands/exchange/reverse-exchange.ts';
import { type SettleExchangeInput, settleExchange } from '../../../src/commands/exchange/settle-exchange.ts';
import type { Outcome } from '../../../src/ledger/command.ts';
import type { Desk } from './desk.ts';

/** Settles with the airline; by default 100 points come in for ann, as `s-1`. The key follows from the reference. */
export function settle(desk: Desk, overrides: Partial<SettleExchangeInput> = {}): Outcome {
  const { settlementReference = 's-1' } = overrides;
  return desk.run(
    settleExchange(
      {
        idempotencyKey: settlementReference,
        settlementReference,
        programId: 'coffee-club',
        externalCustomerId: 'ann',
        partnerId: 'airline',
        direction: 'in',
        points: 100,
        ...overrides,
      },
      desk.caller,
    ),
  );
}

/** Reverses a settlement of ann; by default `s-1`, as `r-1`. */
export function reverse(desk: Desk, overrides: Partial<ReverseExchangeInput> = {}): Outcome {
  const { settlementReference = 'r-1' } = overrides;
  return desk.run(
    reverseExchange(
      {
        idempotencyKey: settlementReference,
        settlementReference,
        programId: 'coffee-club',
        externalCustomerId: 'ann',
        reverses: 's-1',
        ...overrides,
      },
      desk.caller,
    ),
  );
}
