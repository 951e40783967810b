import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { normalizeDateTime } from '../../contract/date-time.ts';
import type { ProgramDocument } from './program-document.ts';

/** The JSON Schema of program documents (draft 2020-12), as published at its `$id`. */
export const programSchema: Readonly<Record<string, unknown>> & { readonly $id: string } = JSON.parse(
  readFileSync(new URL('../program.schema.json', import.meta.url), 'utf8'),
);

let compiled: ValidateFunction<ProgramDocument> | null = null;

/** The schema as a validator that reports every violation. Compiled at the first call: few processes need it. */
export function programValidator(): ValidateFunction<ProgramDocument> {
  // verbose: messages quote the schema. discriminator: an expiration is validated only by the branch of its policy.
  compiled ??= new Ajv2020({
    allErrors: true,
    verbose: true,
    discriminator: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
    formats: { 'date-time': isInstant },
  }).compile<ProgramDocument>(programSchema);
  return compiled;
}

/** An earlier instant is taken for a typing error, such as 0026 for 2026. */
const EARLIEST_INSTANT = '1900-01-01T00:00:00.000Z';

function isInstant(text: string): boolean {
  const instant = normalizeDateTime(text);
  return instant !== null && instant >= EARLIEST_INSTANT;
}
