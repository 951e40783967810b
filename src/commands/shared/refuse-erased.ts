import type { State } from '../../ledger/state.ts';
import type { ReferenceKind } from '../../ledger/tables/erased-references.ts';
import { type Refusal, refuse } from '../../refusal.ts';

/**
 * Refuses a reference that has named something of a member who has been erased since. What it named stays in the books
 * under another name, so that without this the same order, settlement or event would be recorded once more.
 * @param code that of a reference of this kind that was used before
 */
export function refuseErased<Code extends 'return_reference_conflict' | 'source_reference_conflict'>(
  code: Code,
  state: State,
  kind: Exclude<ReferenceKind, 'idempotencyKey'>,
  reference: string,
): Refusal<Code> | null {
  if (!state.isErased(kind, reference)) return null;
  return refuse(
    code,
    'This reference was used before, for a member who has been erased since. Use another one for what is new.',
  );
}
