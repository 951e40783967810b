import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import published from '../../../src/contract/generated/webhook-events.schema.json' with { type: 'json' };
import type { Pool } from '../../../src/db/pool.ts';
import { toTypeId } from '../../../src/ids.ts';
import { eventData } from '../../../src/ledger/batch/event-record.ts';

/** What no message may have, whatever its name: the names of fields, and what a value looks like. */
const FORBIDDEN_NAME = /^(?:e-?mail|display_?name|(?:signing_?)?secret|password|api_?key|tags|evidence)$/i;
const FORBIDDEN_VALUE = /whsec_|svc_(?:test|live)_|[^\s@]+@[^\s@]+\.[a-z]{2,}/i;

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const schemas = new Map<string, unknown>(Object.entries(published.$defs));
/** Compiled when the first event of the type comes: all together take a tenth of a second. */
const validators = new Map<string, ValidateFunction>();

function validatorOf(type: string): ValidateFunction | null {
  const schema = schemas.get(type);
  if (!schema) return null;
  const validator = validators.get(type) ?? ajv.compile(closed(schema) as object);
  validators.set(type, validator);
  return validator;
}

/**
 * Holds a message to what the contract says about its type, and more strictly than receivers should: it may have no
 * other field. Nothing personal and no secret may be in it.
 * @returns what is wrong, empty where nothing is
 */
export function validateEvent(message: unknown): string[] {
  const { type } = message as { type?: string };
  const validate = validatorOf(type ?? '');
  if (!validate) return [`${type}: the contract has no such type`];
  validate(message);
  const broken = (validate.errors ?? []).map(
    ({ instancePath, message: about, params }) => `${instancePath} ${about} ${JSON.stringify(params)}`,
  );
  return [...broken, ...privateParts(message)].map((fault) => `${type}: ${fault}`);
}

/** The same for the `data` of a message alone. */
export function validateData(type: string, data: unknown): string[] {
  const environmentId = 'env_01jz8jr8y4fd6s8a0c2e4g6h8k';
  return validateEvent({
    type,
    timestamp: '2026-01-31T12:00:00.000Z',
    environmentId,
    epoch: 1,
    sequence: 1,
    data,
  });
}

/** The same for all stored events of a database that still have their data, as receivers get them. */
export async function validateStored(pool: Pick<Pool, 'query'>): Promise<string[]> {
  const { rows } = await pool.query(
    `select e.id, e.type, e.program_id as "programId", e.data, e.at, e.environment_id as "environmentId", e.member_id as "memberId",
       m.external_customer_id as "externalCustomerId"
     from events e
     left join members m on m.environment_id = e.environment_id and m.id = e.member_id
     where e.data is not null`,
  );
  return rows.flatMap(({ type, environmentId, externalCustomerId, ...event }) =>
    validateEvent({
      type,
      timestamp: event.at.toISOString(),
      environmentId: toTypeId('env', environmentId),
      epoch: 1,
      sequence: 1,
      data: eventData(event, externalCustomerId),
    }),
  );
}

/** Where a value has a name or a text that no message may have. */
function privateParts(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return FORBIDDEN_VALUE.test(value) ? [`${path} is ${value}`] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    ...(FORBIDDEN_NAME.test(name) ? [`${path}/${name} is personal or secret`] : []),
    ...privateParts(member, `${path}/${name}`),
  ]);
}

/** A schema whose objects have the fields that it names and no others. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, closed(member)]));
  if (typeof members.properties !== 'object') return members;
  return { ...members, additionalProperties: false };
}
