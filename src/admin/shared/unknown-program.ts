import { type Refusal, refuse } from '../../refusal.ts';

/** The refusal of a request that names a program without a published version. */
export function unknownProgram(programId: string): Refusal<'program_not_found'> {
  return refuse(
    'program_not_found',
    `No program ${programId} is published there. What is published: rewards program list`,
  );
}
