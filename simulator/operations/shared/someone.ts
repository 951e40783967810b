import type { Surroundings } from '../../client/intent.ts';
import { nameOf } from '../../model/model.ts';
import { sumOf } from '../../model/points.ts';

interface Place {
  programId: string;
  externalCustomerId: string;
}

/**
 * A member and a program, mostly one in which it is enrolled.
 * @param points the available points that the member should have there
 */
export function someone({ random, customers, programIds, model }: Surroundings, points = 0): Place {
  const invent = (): Place => ({
    programId: random.pick(programIds),
    externalCustomerId: random.pick(customers),
  });
  const places = Array.from({ length: random.chance(0.1) ? 1 : 4 }, invent);
  const suits = ({ programId, externalCustomerId }: Place): boolean => {
    const profile = model.profiles.get(nameOf(programId, externalCustomerId));
    return profile?.enrolled === true && sumOf(profile, 'available') >= points;
  };
  return places.find(suits) ?? (places[0] as Place);
}
