import type { Surroundings } from '../../client/intent.ts';
import { nameOf } from '../../model/model.ts';
import { sumOf } from '../../model/points.ts';

interface Owner {
  programId: string;
  externalCustomerId: string;
}

/**
 * A member and a program, mostly one in which it is enrolled.
 * @param points the available points that the member should have there
 */
export function someone({ random, customers, programIds, model }: Surroundings, points = 0): Owner {
  const invent = (): Owner => ({
    programId: random.pick(programIds),
    externalCustomerId: random.pick(customers),
  });
  const candidates = Array.from({ length: random.chance(0.1) ? 1 : 4 }, invent);
  const suits = ({ programId, externalCustomerId }: Owner): boolean => {
    const profile = model.profiles.get(nameOf(programId, externalCustomerId));
    return profile?.enrolled === true && sumOf(profile, 'available') >= points;
  };
  return candidates.find(suits) ?? (candidates[0] as Owner);
}
