import { settleProfile } from '../../../src/commands/members/settle-profile.ts';
import { operation } from '../../client/intent.ts';
import { settledBalance, storeBalance } from '../../model/ledger.ts';
import { nameOf } from '../../model/model.ts';
import { someone } from '../shared/someone.ts';

interface Input {
  externalCustomerId: string;
  programId: string;
}

/** The sweep job, run on any profile. */
export const settleProfileOperation = operation<Input>({
  name: 'settleProfile',
  weight: 12,
  allowedWhileLocked: true,
  keyless: true,
  invent(surroundings) {
    return someone(surroundings);
  },
  alter: (input) => input,
  command: ({ externalCustomerId, programId }, { environmentId, requestId }) =>
    settleProfile({ environmentId, programId, externalCustomerId, requestId }),
  predict(model, { externalCustomerId, programId }, { now }) {
    const name = nameOf(programId, externalCustomerId);
    const profile = model.profiles.get(name);
    if (!profile) return { code: 'profile_not_found' };
    storeBalance(model, name, settledBalance(profile, now));
    return { receipt: {} };
  },
});
