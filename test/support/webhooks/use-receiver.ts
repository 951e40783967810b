import { expect } from '@jest/globals';
import { fixture } from '../fixture.ts';
import { Receiver } from './receiver.ts';

/**
 * A receiver of webhooks for all tests of a file. After them, every body that it has taken has to be as the contract
 * says. To be called before what sends to it is used, so that it closes after that.
 */
export function useReceiver(): Receiver {
  return fixture(
    'the receiver',
    () => Receiver.open(),
    async (receiver) => {
      await receiver.close();
      expect(receiver.faults).toEqual([]);
    },
  );
}
