import { toTypeId } from '../ids.ts';
import { type AdminRefusal, refuseAdmin } from './admin-change.ts';

/** The refusal of every command that names an environment which is not there. @param environmentId UUID */
export function unknownEnvironment(environmentId: string): AdminRefusal {
  return refuseAdmin(
    `There is no environment ${toTypeId('env', environmentId)}. The environments there are: rewards env list`,
  );
}
