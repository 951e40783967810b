import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import schema from './agent-rewards-surface.v1.schema.json' with { type: 'json' };
import type { Surface } from './surface.ts';

/** RFC 3339. Whether the day exists is not looked at: it costs more than the rest of the check. */
const INSTANT =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

let compiled: ValidateFunction<Surface> | null = null;

/** Whether a value is a surface by its JSON Schema. Its `errors` say why it is not. */
export function surfaceValidator(): ValidateFunction<Surface> {
  compiled ??= new Ajv2020({
    allowUnionTypes: true,
    strictTypes: false,
    formats: { 'date-time': INSTANT },
  }).compile<Surface>(schema);
  return compiled;
}

/** @returns the surface. @throws Error where it is not valid: it must not be sent then */
export function checkSurface(surface: Surface): Surface {
  const validate = surfaceValidator();
  const { id } = surface.surface;
  if (validate(surface)) return surface;
  const faults = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  throw new Error(`The surface ${id} is not valid: ${faults.join('; ')}`);
}
