import type { Surroundings } from '../intent.ts';
import { nameOf } from '../model.ts';
import { sumOf } from '../model-points.ts';

/**
 * A member, mostly one who is enrolled.
 * @param points that it should better have
 */
export function someone({ random, customers, model }: Surroundings, programId: string, points = 0): string {
  const candidates = Array.from({ length: random.chance(0.1) ? 1 : 4 }, () => random.pick(customers));
  const suits = (each: string): boolean => {
    const profile = model.profiles.get(nameOf(programId, each));
    return profile?.enrolled === true && sumOf(profile, 'available') >= points;
  };
  return candidates.find(suits) ?? (candidates[0] as string);
}
