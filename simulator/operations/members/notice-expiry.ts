import { noticeExpiry } from '../../../src/commands/members/notice-expiry.ts';
import { operation } from '../../client/intent.ts';
import { madeId } from '../../model/expected-event.ts';
import { nameOf } from '../../model/model.ts';
import { endOf } from '../../model/points.ts';
import { someone } from '../shared/someone.ts';

const DAY_MS = 86_400_000;

interface Input {
  externalCustomerId: string;
  programId: string;
  memberId: string;
  /** The lots that the profile had, oldest first. */
  lotIds: readonly string[];
}

/**
 * The job that tells of coming expiries, run on all lots of a profile: it has to leave out those that are not to be
 * told of.
 */
export const noticeExpiryOperation = operation<Input>({
  name: 'noticeExpiry',
  weight: 12,
  allowedWhileLocked: true,
  keyless: true,
  invent(surroundings) {
    const owner = someone(surroundings, 1);
    const lots = surroundings.lotsOf(owner.programId, owner.externalCustomerId);
    return lots && { ...owner, ...lots };
  },
  alter: (input) => input,
  command: (input, { environmentId, requestId }) => noticeExpiry({ ...input, environmentId, requestId }),
  predict(model, { externalCustomerId, programId, lotIds }, { now, asked }) {
    const name = nameOf(programId, externalCustomerId);
    const profile = model.profiles.get(name);
    if (!profile) return { code: 'profile_not_found' };
    // Nothing is left in the lots of a merged account.
    if (asked !== externalCustomerId) return { receipt: {} };
    const days = model.versionAt(programId, now)?.program.noticeDays ?? 0;
    const lots = profile.lots.map((lot) => {
      const end = endOf(lot, profile.lastActivityAt);
      const soon = end > now.getTime() && end <= now.getTime() + days * DAY_MS;
      if ((lot.rank ?? 0) > lotIds.length || !soon || lot.available === 0 || lot.noticed) return lot;
      const expiresAt = new Date(end).toISOString();
      model.tell('points.expiring', name, { lotId: madeId('lot'), points: lot.available, expiresAt });
      return { ...lot, noticed: true };
    });
    model.profiles.set(name, { ...profile, lots });
    return { receipt: {} };
  },
});
