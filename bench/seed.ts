import { readFile } from 'node:fs/promises';
import { createEnvironment } from '../src/admin/environments/create-environment.ts';
import { createTenant } from '../src/admin/environments/create-tenant.ts';
import { publishProgram } from '../src/admin/programs/publish-program.ts';
import type { Administrator } from '../src/admin/shared/admin-change.ts';
import { issueKey } from '../src/auth/api-key.ts';
import type { Pool } from '../src/db/pool.ts';
import { newUuid, toTypeId } from '../src/ids.ts';
import type { EarnRule, ProgramDocument } from '../src/programs/document/program-document.ts';
import { parseProgram } from '../src/programs/parse/parse-program.ts';
import { isRefusal, type Refusal, type RefusalCode } from '../src/refusal.ts';
import { REWARD } from './redemptions.ts';
import type { Place } from './scenarios.ts';

const PROGRAM_FILE = new URL('../demo/coffee-club.yaml', import.meta.url);

const SCOPES = [
  ...['events:write', 'members:read', 'redemptions:write', 'transactions:read', 'analytics:read'],
  ...['adjustments:approve', 'operations:read', 'audit:read', 'webhooks:read'],
];

/** When environments were created and programs took effect: long before all events. */
const BEGINNING = new Date('2020-01-01T00:00:00Z');

/** Creates environments of one tenant, each with the demo's program and a reward, members and API keys. */
export class Seeder {
  readonly administrator: Administrator;
  readonly #pool: Pool;
  readonly #tenantId: string;
  /**
   * The demo's earn rules, each for the whole purchase, tiers and limits, and a reward, without campaigns and
   * everything else that awards points.
   */
  readonly document: ProgramDocument;
  /** The demo's whole program, with campaigns, audiences, a total cap, coupons and referral. */
  readonly demo: ProgramDocument;

  private constructor(administrator: Administrator, pool: Pool, tenantId: string, demo: ProgramDocument) {
    this.administrator = administrator;
    this.#pool = pool;
    this.#tenantId = tenantId;
    this.document = plainProgram(demo);
    this.demo = demo;
  }

  /** @param pool connections of the owner of the tables */
  static async open(administrator: Administrator, pool: Pool): Promise<Seeder> {
    const demo = parseProgram(await readFile(PROGRAM_FILE, 'utf8'));
    if (!demo.ok) throw new Error('The demo program is not valid');
    const { tenantId } = await createTenant(administrator, 'Benchmark');
    return new Seeder(administrator, pool, tenantId, demo.document);
  }

  /**
   * Creates an environment: with the administration's functions where there are few rows, otherwise by SQL.
   * @returns the environment's UUID, and what requests to it need
   */
  async makePlace(
    name: string,
    members: number,
    keys: number,
    document: ProgramDocument = this.document,
    kind: 'production' | 'sandbox' = 'production',
  ): Promise<SeededPlace> {
    const environment = { tenantId: this.#tenantId, kind, name };
    const { environmentId } = done(await createEnvironment(this.administrator, environment));
    const publication = { environmentId, document, effectiveFrom: BEGINNING };
    done(await publishProgram(this.administrator, publication));
    await addMembers(this.#pool, environmentId, document.id, members);
    const apiKeys = await addKeys(this.#pool, environmentId, keys, kind);
    const outerId = toTypeId('env', environmentId);
    return {
      uuid: environmentId,
      place: { environmentId: outerId, apiKeys, programId: document.id, members },
    };
  }
}

/** The demo's program without campaigns and everything else that awards points, and with one reward. */
export function plainProgram(demo: ProgramDocument): ProgramDocument {
  const { audiences, campaigns, referral, coupons, choiceSets, challenges, offers, ...plain } = demo;
  return {
    ...plain,
    earn: { ...plain.earn, rules: plain.earn.rules.map(forWhole) },
    rewards: [REWARD],
  };
}

/** The rule for the whole purchase where it takes lines: so rates stay comparable with those before rules could. */
function forWhole({ lines, ...rule }: EarnRule): EarnRule {
  return typeof lines === 'object'
    ? { ...rule, conditions: [...rule.conditions, ...lines.conditions] }
    : rule;
}

export interface SeededPlace {
  /** The environment's UUID. */
  uuid: string;
  place: Place;
}

async function addMembers(
  pool: Pool,
  environmentId: string,
  programId: string,
  count: number,
): Promise<void> {
  const ids = Array.from({ length: count }, newUuid);
  await pool.query(
    `insert into members (environment_id, id, external_customer_id, status, identity_status, consent_status,
       notice_version, consent_at, created_at)
     select $1, id, 'customer-' || ordinal - 1, 'active', 'unverified', 'granted', '2020-01', $3, $3
     from unnest($2::uuid[]) with ordinality as wanted(id, ordinal)`,
    [environmentId, ids, BEGINNING],
  );
  await pool.query(
    `insert into program_profiles (environment_id, program_id, member_id, enrolled, tier, enrolled_at)
     select $1, $2, id, true, 'bronze', $4 from unnest($3::uuid[]) as id`,
    [environmentId, programId, ids, BEGINNING],
  );
}

async function addKeys(
  pool: Pool,
  environmentId: string,
  count: number,
  kind: 'production' | 'sandbox',
): Promise<string[]> {
  const issued = Array.from({ length: count }, () => issueKey(kind));
  await pool.query(
    `insert into api_keys (environment_id, id, principal, scopes, secret_hash)
     select $1, id, 'bench', $4, decode(hash, 'hex')
     from unnest($2::uuid[], $3::text[]) as issued(id, hash)`,
    [
      environmentId,
      issued.map(({ keyId }) => keyId),
      issued.map(({ secretHash }) => secretHash.toString('hex')),
      SCOPES,
    ],
  );
  return issued.map(({ key }) => key);
}

function done<T extends object>(outcome: T | Refusal<RefusalCode>): T {
  if (isRefusal(outcome)) throw new Error(outcome.message);
  return outcome;
}
