import { expect, test } from '@jest/globals';
import type { Reservation } from '../../../src/contract/generated/types.ts';
import type { RequestContext } from '../../../src/graphql/execution/context.ts';
import {
  rememberReservation,
  submitOnReservation,
} from '../../../src/graphql/resolvers/shared/recent-reservations.ts';
import { newUuid, toTypeId } from '../../../src/ids.ts';
import type { Command, Outcome } from '../../../src/ledger/command.ts';
import type { OwnedResource } from '../../../src/ledger/resource-owner.ts';
import { refuse } from '../../../src/refusal.ts';

const refused = refuse('reservation_not_found', 'none');
const committed: Outcome = { receipt: { reservation: {} }, idempotent: false };

/** Commits a reservation, and tells how often its owner was looked up and for whom the command was tried. */
async function commit(environmentId: string, reservationId: string, ...outcomes: Outcome[]) {
  const tried: (string | null)[] = [];
  let reads = 0;
  const context = {
    requestId: 'req_test',
    credential: { environmentId },
    queries: {
      async owner() {
        reads += 1;
        return { programId: 'club', externalCustomerId: 'present', points: 10, rewardId: 'mug' };
      },
    },
    commands: { submit: async () => outcomes.shift() },
  } as unknown as RequestContext;
  const commandOn = (resource: OwnedResource | null): Command<never> => {
    tried.push(resource?.externalCustomerId ?? null);
    return {} as Command<never>;
  };
  const answer = await submitOnReservation<'commitRedemption'>(context, { reservationId }, commandOn).catch(
    (error: Error) => error.name,
  );
  return { reads, tried, answer };
}

function reserved(environmentId: string): string {
  const id = toTypeId('rsv', newUuid());
  const owner = { programId: 'club', externalCustomerId: 'ann', points: 10, rewardId: 'mug' };
  rememberReservation(environmentId, { id, ...owner } as Reservation);
  return id;
}

const done = { reservation: {}, requestId: 'req_test', idempotent: false };

test('the owner of a reservation that was just made is not looked up, and is looked up for a second command', async () => {
  const id = reserved('env');
  expect(await commit('env', id, committed)).toEqual({ reads: 0, tried: ['ann'], answer: done });
  expect(await commit('env', id, committed)).toEqual({ reads: 1, tried: ['present'], answer: done });
});

test('a command that is refused with the remembered owner is tried with the present one', async () => {
  const parted = refuse('overloaded', 'parted');
  const answered = { reads: 1, tried: ['ann', 'present'] };
  expect(await commit('env', reserved('env'), parted, committed)).toEqual({ ...answered, answer: done });
  const again = await commit('env', reserved('env'), refused, refused);
  expect(again).toEqual({ ...answered, answer: 'GraphQLError' });
});

test('another environment does not see it, and the oldest are forgotten', async () => {
  const id = reserved('env');
  expect((await commit('other', id, committed)).tried).toEqual(['present']);
  for (let count = 0; count < 5_000; count += 1) reserved('env');
  expect((await commit('env', id, committed)).tried).toEqual(['present']);
});
