import { requalifyProfile } from '../../../src/commands/members/requalify-profile.ts';
import { operation } from '../../client/intent.ts';
import { grantTiers } from '../../model/choices.ts';
import { nameOf } from '../../model/model.ts';
import { standingNow, tellOfTier } from '../../model/standing.ts';
import { someone } from '../shared/someone.ts';

interface Input {
  externalCustomerId: string;
  programId: string;
}

/** The re-qualification job, run on any profile. */
export const requalifyProfileOperation = operation<Input>({
  name: 'requalifyProfile',
  weight: 6,
  allowedWhileLocked: true,
  keyless: true,
  invent(surroundings) {
    return someone(surroundings);
  },
  alter: (input) => input,
  command: ({ externalCustomerId, programId }, { environmentId, requestId }) =>
    requalifyProfile({ environmentId, programId, externalCustomerId, requestId }),
  predict(model, { externalCustomerId, programId }, { now }) {
    const name = nameOf(programId, externalCustomerId);
    const profile = model.profiles.get(name);
    if (!profile) return { code: 'profile_not_found' };
    const version = model.versionAt(programId, now);
    if (version && profile.enrolled) {
      const standing = standingNow(version.program, profile, now);
      model.profiles.set(name, { ...profile, ...standing });
      tellOfTier(model, name, profile.tier, standing);
      grantTiers(model, externalCustomerId, version.program, {
        from: profile.tier,
        to: standing.tier,
        now: now.getTime(),
      });
    }
    return { receipt: {} };
  },
});
