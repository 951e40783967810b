import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readPattern } from '../../src/admin/coupons/code-pattern.ts';
import { disableCode, showCode } from '../../src/admin/coupons/coupon-codes.ts';
import { type GenerateRequest, generateCodes } from '../../src/admin/coupons/generate-codes.ts';
import { codeImporter } from '../../src/admin/coupons/import-codes.ts';
import { cloneEnvironment } from '../../src/admin/environments/clone-environment.ts';
import { createEnvironment, type NewEnvironment } from '../../src/admin/environments/create-environment.ts';
import { createTenant } from '../../src/admin/environments/create-tenant.ts';
import { lockEnvironment } from '../../src/admin/environments/lock-environment.ts';
import { resetEnvironment } from '../../src/admin/environments/reset-environment.ts';
import { addIssuer, type NewIssuer } from '../../src/admin/issuers/add-issuer.ts';
import { listIssuers } from '../../src/admin/issuers/list-issuers.ts';
import { removeIssuer } from '../../src/admin/issuers/remove-issuer.ts';
import { issueApiKey, type NewApiKey } from '../../src/admin/keys/issue-api-key.ts';
import { listApiKeys } from '../../src/admin/keys/list-api-keys.ts';
import { revokeApiKey } from '../../src/admin/keys/revoke-api-key.ts';
import { rotateApiKey } from '../../src/admin/keys/rotate-api-key.ts';
import { addPerson } from '../../src/admin/people/add-person.ts';
import { giveRole, takeRole } from '../../src/admin/people/change-role.ts';
import { makeSignInLink } from '../../src/admin/people/sign-in-link.ts';
import { setPersonStatus } from '../../src/admin/people/suspend-person.ts';
import { approveFinance } from '../../src/admin/programs/approve-finance.ts';
import { publishProgram } from '../../src/admin/programs/publish-program.ts';
import { publishSource } from '../../src/admin/programs/publish-source.ts';
import { showFinance } from '../../src/admin/programs/show-finance.ts';
import { findEnvironment } from '../../src/admin/shared/find-environment.ts';
import { showProgram } from '../../src/admin/shared/show-program.ts';
import { listWidgets } from '../../src/admin/widgets/list-widgets.ts';
import { previewWidget } from '../../src/admin/widgets/preview-widget.ts';
import { publishWidget } from '../../src/admin/widgets/publish-widget.ts';
import { showWidget } from '../../src/admin/widgets/show-widget.ts';
import type { PublishProgramInput } from '../../src/contract/generated/types.ts';
import { eraseMember } from '../../src/erasure/erase-member.ts';
import { extensionsOf } from '../../src/graphql/errors/errors.ts';
import { fromTypeId, newUuid, toTypeId } from '../../src/ids.ts';
import { startOperation } from '../../src/operations/operation.ts';
import type { ProgramDocument } from '../../src/programs/document/program-document.ts';
import { parseProgram } from '../../src/programs/parse/parse-program.ts';
import { type AdministrationCode, isRefusal, type Refusal, refuse } from '../../src/refusal.ts';
import type { WidgetDocument } from '../../src/widget/widget-document.ts';
import { useAdministrator } from '../support/use-administrator.ts';
import { useDatabase } from '../support/use-database.ts';
import { addEndpoint } from '../support/webhooks/endpoints.ts';

const production = () => environment('production');
const sandbox = () => environment('sandbox');

async function environment(kind: 'sandbox' | 'production'): Promise<{ environmentId: string }> {
  const made = await createEnvironment(administrator, { tenantId, kind, name: kind });
  if (isRefusal(made)) throw new Error(made.message);
  return made;
}

const reset = (id: string) =>
  resetEnvironment({ administrator, pool: database.adminPool, signal: new AbortController().signal }, id);
const clone = (wanted: { from?: string; to?: string }) =>
  cloneEnvironment(administrator, { from: environmentId, to: environmentId, ...wanted }, null);

const unknown = newUuid();
const past = new Date('2020-01-01T00:00:00Z');

let tenantId: string;
let environmentId: string;
let document: ProgramDocument;

const { database } = useDatabase();
const administrator = useAdministrator(database);

beforeAll(async () => {
  tenantId = (await createTenant(administrator, 'T')).tenantId;
  const made = await createEnvironment(administrator, { tenantId, kind: 'sandbox', name: 'S' });
  if (isRefusal(made)) throw new Error(made.message);
  environmentId = made.environmentId;
  const parsed = parseProgram(await readFile('demo/coffee-club.yaml', 'utf8'));
  if (!parsed.ok) throw new Error('the demo program is not valid');
  document = parsed.document;
  await publish(document);
  await publish({
    ...document,
    id: 'pools',
    coupons: [...(document.coupons ?? []), { code: 'P', pool: {} }],
  });
});

const create = (changed: Partial<NewEnvironment>) =>
  createEnvironment(administrator, { tenantId, kind: 'sandbox', name: 'S', ...changed });
const publish = (changed: ProgramDocument, where = environmentId) =>
  publishProgram(administrator, { environmentId: where, document: changed, effectiveFrom: null });
const publishText = (where: string, idempotencyKey: string, more: Partial<PublishProgramInput> = {}) =>
  publishSource(administrator, where, {
    ...{ idempotencyKey, programId: document.id, source: JSON.stringify(document), ...more },
  });
const person = (email: string, where = tenantId) =>
  addPerson(administrator, { tenantId: where, name: 'Grace', email });
const approve = (programId: string, where = environmentId) =>
  approveFinance(administrator, { environmentId: where, programId, version: null, sections: ['finance'] });

const session = () => ({ pool: database.adminPool, administrator });

function generate(changed: Partial<GenerateRequest>) {
  const pattern = readPattern('P-#####');
  if (!pattern) throw new Error('the pattern is not valid');
  const wanted = { environmentId, programId: 'pools', poolId: 'P', pattern, count: 1 };
  const sink = { write: async () => undefined, flush: async () => undefined };
  return generateCodes(session(), { ...wanted, ...changed }, sink);
}

function issue(changed: Partial<NewApiKey> = {}) {
  const wanted = { environmentId, principal: 'shop', scopes: ['members:read'] as const, expiresAt: null };
  return issueApiKey(administrator, { ...wanted, ...changed });
}

function issuer(changed: Partial<NewIssuer> = {}) {
  const keys = { kind: 'jwks', url: 'https://login.shop.example/jwks.json' } as const;
  const wanted = {
    environmentId,
    issuer: 'https://login.shop.example',
    audience: 'loyalty',
    keys,
    origins: [],
  };
  return addIssuer(administrator, { ...wanted, ...changed }, { allowPrivate: false, secrets: null });
}

async function revokedKey(): Promise<string> {
  const issued = await issue();
  if (isRefusal(issued)) throw new Error(issued.message);
  await revokeApiKey(administrator, issued.keyId);
  return issued.keyId;
}

/** A member that is in the program. @returns its UUID */
async function addMember(externalCustomerId: string): Promise<string> {
  const id = newUuid();
  await database.adminPool.query(
    `with member as (
       insert into members (environment_id, id, external_customer_id, status, identity_status, consent_status,
         notice_version, consent_at, created_at)
       values ($1, $2, $3, 'active', 'unverified', 'granted', 'v1', now(), now()))
     insert into program_profiles (environment_id, member_id, program_id, enrolled, tier, enrolled_at)
     values ($1, $2, $4, true, 'bronze', now())`,
    [environmentId, id, externalCustomerId, document.id],
  );
  return id;
}

function erase(externalCustomerId: string): Promise<object> {
  const door = { submit: () => Promise.reject(new Error('no command is sent')) };
  const request = { environmentId, externalCustomerId, reason: 'test', forfeit: false };
  return eraseMember({ administrator, pool: database.adminPool, door }, request);
}

const widget: WidgetDocument = {
  id: 'widget',
  program: 'coffee-club',
  origins: [],
  components: [{ id: 'balance', kind: 'svc.balance' }],
};

/** @returns UUID */
async function addWidget(): Promise<string> {
  const published = await publishWidget(administrator, environmentId, widget);
  return (!isRefusal(published) && fromTypeId('wdg', published.deploymentId)) || '';
}

type Case = () => Promise<object>;

/** A refusal of the administration for each code. A missing or unknown code is a compile error. */
const REFUSED = {
  tenant_not_found: {
    'create environment': () => create({ tenantId: unknown }),
    'add person': () => person('nowhere@shop.example', unknown),
  },
  environment_not_found: {
    reset: () => reset(unknown),
    'clone from': () => clone({ from: unknown }),
    'clone to': () => clone({ to: unknown }),
    'find environment': () => findEnvironment(administrator.prisma, unknown),
    'lock environment': () => lockEnvironment(administrator, unknown, true),
    'issue key': () => issue({ environmentId: unknown }),
    'list keys': () => listApiKeys(administrator.prisma, unknown),
    'publish program': () => publish(document, unknown),
    'publish widget': () => publishWidget(administrator, unknown, widget),
    'list widgets': () => listWidgets(administrator.prisma, unknown),
    'approve finance': () => approve(document.id, unknown),
    'add issuer': () => issuer({ environmentId: unknown }),
    'list issuers': () => listIssuers(administrator.prisma, unknown),
  },
  issuer_not_found: { 'remove issuer': () => removeIssuer(administrator, unknown) },
  issuer_exists: {
    'add issuer twice': async () => {
      await issuer();
      return issuer();
    },
  },
  key_not_found: {
    'revoke key': () => revokeApiKey(administrator, unknown),
    'rotate key': () => rotateApiKey(administrator, unknown, 0),
  },
  program_not_found: {
    'show program': () => showProgram(administrator.prisma, environmentId, 'other', null),
    'publish widget': () => publishWidget(administrator, environmentId, { ...widget, program: 'other' }),
    'show finance': () => showFinance(administrator.prisma, environmentId, 'other'),
    'approve finance': () => approve('other'),
  },
  deployment_not_found: {
    'show widget': () => showWidget(administrator.prisma, unknown, null),
    'preview widget': () => previewWidget(database.adminPool, toTypeId('wdg', unknown), null),
  },
  version_not_found: {
    'show program': () => showProgram(administrator.prisma, environmentId, document.id, 99),
    'show widget': async () => showWidget(administrator.prisma, await addWidget(), 99),
  },
  section_not_found: {
    'approve finance': async () => {
      const { finance: _, ...without } = { ...document, id: 'without-finance' };
      await publish(without);
      return approve('without-finance');
    },
  },
  pool_not_found: {
    'generate codes for a coupon that is none': () => generate({ poolId: 'NONE' }),
    'import codes into it': () =>
      codeImporter(session(), { environmentId, programId: 'pools', poolId: 'NONE' }),
  },
  too_few_random_characters: { 'generate many short codes': () => generate({ count: 1_000_000 }) },
  coupon_code_not_found: {
    'show a code': () => showCode(database.adminPool, environmentId, document.id, 'NONE-1234'),
    'disable a code': () => disableCode(session(), environmentId, document.id, 'NONE-1234'),
  },
  program_conflict: {
    'publish with another currency': () => publish({ ...document, currency: 'JPY' }),
    'publish with another precision': () =>
      publish({ ...document, loyaltyUnitPrecision: document.loyaltyUnitPrecision + 1 }),
  },
  self_approval_forbidden: { 'approve finance': () => approve(document.id) },
  invalid_key_state: {
    'rotate a revoked key': async () => rotateApiKey(administrator, await revokedKey(), 0),
  },
  member_enrolled: {
    'erase a member of a program': async () => {
      await addMember('enrolled');
      return erase('enrolled');
    },
  },
  erasure_running: {
    'erase a member that another process erases': async () => {
      const id = await addMember('half');
      await database.adminPool.query(
        `update members set external_customer_id = 'erased-' || id, status = 'erased' where id = $1`,
        [id],
      );
      const input = { externalCustomerId: 'half', becomes: `erased-${id}` };
      await startOperation(database.adminPool, { environmentId, type: 'erasure', total: 1, input });
      return erase('half');
    },
  },
  sandbox_required: {
    'reset Production': async () => reset((await production()).environmentId),
    'clone into Production': async () => clone({ to: (await production()).environmentId }),
  },
  environment_conflict: {
    'clone into an environment that has a program': () => clone({ to: environmentId }),
    'clone into an environment of another tenant': async () => {
      const { tenantId: other } = await createTenant(administrator, 'Other');
      const made = await createEnvironment(administrator, { tenantId: other, kind: 'sandbox', name: 'S' });
      return isRefusal(made) ? made : clone({ to: made.environmentId });
    },
  },
  secrets_key_required: {
    'clone endpoints without a key': async () => {
      const [source, target] = [await sandbox(), await sandbox()];
      await addEndpoint(database.adminPool, source.environmentId, ['points.earned']);
      return clone({ from: source.environmentId, to: target.environmentId });
    },
  },
  person_not_found: {
    'give a role': () =>
      giveRole(administrator, { personId: newUuid(), role: 'viewer', environmentId: null }),
    'take a role': () =>
      takeRole(administrator, { personId: newUuid(), role: 'viewer', environmentId: null }),
    suspend: () => setPersonStatus(administrator, newUuid(), 'suspended'),
    'make a link': () => makeSignInLink(administrator, newUuid()),
  },
  person_exists: {
    'add person with the email of another one': async () => {
      await person('twice@shop.example');
      return person(' Twice@Shop.example');
    },
  },
  person_suspended: {
    'make a link': async () => {
      const added = await person('suspended@shop.example');
      if (isRefusal(added)) throw new Error(added.message);
      await setPersonStatus(administrator, added.personId, 'suspended');
      return makeSignInLink(administrator, added.personId);
    },
  },
  version_conflict: {
    'publish on another version': () =>
      publishProgram(administrator, { environmentId, document, effectiveFrom: null, expectedVersion: 7 }),
  },
  production_locked: {
    'publish over the API': async () => {
      const made = await createEnvironment(administrator, { tenantId, kind: 'production', name: 'P' });
      if (isRefusal(made)) throw new Error(made.message);
      await lockEnvironment(administrator, made.environmentId, true);
      return publishText(made.environmentId, 'locked');
    },
  },
  idempotency_key_reused: {
    'publish over the API': async () => {
      await publishText(environmentId, 'reused');
      return publishText(environmentId, 'reused', { note: 'another' });
    },
  },
  url_not_public: {
    'add issuer whose keys are not public': () =>
      issuer({ keys: { kind: 'jwks', url: 'https://127.0.0.1/jwks.json' } }),
  },
  production_required: { 'lock a Sandbox': () => lockEnvironment(administrator, environmentId, true) },
  validation_failed: {
    'create environment without a name': () => create({ name: ' ' }),
    'issue key without a principal': () => issue({ principal: '' }),
    'add issuer without a name': () => issuer({ issuer: '' }),
    'add issuer without keys': () => issuer({ keys: { kind: 'keys', content: Buffer.from('{"keys":[]}') } }),
    'add issuer with a short secret': () =>
      issuer({ keys: { kind: 'hs256', content: Buffer.from('short') } }),
    'add issuer with a path as its origin': () => issuer({ origins: ['https://shop.example/'] }),
    'issue key that has expired': () => issue({ expiresAt: past }),
  },
} satisfies Record<AdministrationCode, Record<string, Case>>;

describe('administration refuses with a code of its closed union', () => {
  const cases = Object.entries(REFUSED).flatMap(([code, named]) =>
    Object.entries<Case>(named).map(([name, run]) => [code, name, run] as const),
  );

  test.each(cases)('%s: %s', async (code, _name, run) => {
    expect(await run()).toMatchObject({ refused: true, code, message: expect.stringMatching(/\S/) });
  });

  test('validation_failed names the path of each violation, as the contract says', async () => {
    const refusals = await Promise.all(Object.values(REFUSED.validation_failed).map((run) => run()));
    expect(refusals.map((refusal) => isRefusal(refusal) && refusal.details?.map(({ path }) => path))).toEqual(
      [['name'], ['principal'], ['issuer'], ['keys'], ['hs256'], ['origin'], ['expiresAt']],
    );
  });
});

test('no edge accepts a refusal with a code of the administration alone', () => {
  const ours = refuse('environment_not_found', 'There is none.');
  // @ts-expect-error: the contract does not have this code, and so has no status for it
  expect(extensionsOf(ours, 'req_1').httpStatus).toBeUndefined();
  const shared: Refusal<AdministrationCode> = refuse('program_not_found', 'There is none.');
  // @ts-expect-error: the type allows every code of the administration
  expect(extensionsOf(shared, 'req_1').httpStatus).toBe(404);
  expect(extensionsOf(refuse('program_not_found', 'There is none.'), 'req_1').httpStatus).toBe(404);
  // @ts-expect-error: the union of codes is closed
  expect(refuse('no_such_code', 'x').code).toBe('no_such_code');
});
