import type { Prisma } from '../../../generated/prisma/client.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import { type AdministrationCode, type Refusal, refuse } from '../../refusal.ts';
import { stepsOfSmallestCart } from '../../rules/offers/compiled-offers.ts';
import { MOST_STEPS } from '../../rules/shared/evaluation-steps.ts';

/**
 * Checks that the offers of an environment can be evaluated with a document that is about to be published: that a cart
 * of one line stays within the budget, whichever program it names. Of the other programs the newest versions count.
 * @returns null where they can; `validation_failed`
 */
export async function checkOffersTogether(
  transaction: Prisma.TransactionClient,
  environmentId: string,
  document: ProgramDocument,
): Promise<Refusal<AdministrationCode> | null> {
  if (!document.offers?.length) return null;
  const others = await transaction.$queryRaw<{ document: ProgramDocument }[]>`
    select distinct on (program_id) document
    from program_versions
    where environment_id = ${environmentId}::uuid and program_id <> ${document.id}
    order by program_id, version desc`;
  const programs = [document, ...others.map((other) => other.document)].map((one) => ({
    id: one.id,
    named: stepsOfSmallestCart(one, 'named'),
    other: stepsOfSmallestCart(one, 'other'),
  }));
  const ofAll = programs.reduce((sum, { other }) => sum + other, 0);
  for (const { id, named, other } of programs) {
    const steps = ofAll - other + named;
    if (steps <= MOST_STEPS) continue;
    return refuse(
      'validation_failed',
      `The offers of this environment could not be evaluated: a cart of one line that names ${id} would take ` +
        `${steps} steps, and at most ${MOST_STEPS} are allowed. Publish fewer offers and conditions, or fewer offers ` +
        'of scope environment: those of every program count for every cart.',
      [{ path: 'offers', message: 'are too many together with those of the other programs' }],
    );
  }
  return null;
}
