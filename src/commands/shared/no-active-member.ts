import { refuse } from '../../refusal.ts';

/**
 * The refusal of a command for a member who does not exist or is not active. It is the same for both, and says what
 * active means, so that an integrator whose customer exists knows where to look.
 */
export const noActiveMember = refuse(
  'member_not_found',
  'No active member of this environment has this externalCustomerId (a member is ' +
    'active if it exists, is not suspended and has granted consent).',
);
