import { expect, test } from '@jest/globals';
import { predictIntent } from '../../../simulator/client/intent.ts';
import { lotsIn, ownerIn, referralCodeIn } from '../../../simulator/client/lookups.ts';
import { Model } from '../../../simulator/model/model.ts';
import type { Purchase } from '../../../simulator/model/purchase-input.ts';
import { previewCommand } from '../../../simulator/operations/preview-purchase.ts';
import { Random } from '../../../simulator/random.ts';
import { publishedVersion, Workload } from '../../../simulator/run/workload.ts';
import { MemoryStore } from '../../../src/ledger/memory/memory-store.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { repetitions } from '../../support/repetitions.ts';

const PURCHASES = repetitions({ few: 200, many: 1_000, most: 10_000 });
/** Commands of each world: large worlds are slow. */
const COMMANDS = 1_000;

test(`${PURCHASES} random purchases earn what a preview just before each of them says, or are refused as it is`, () => {
  const seed = Date.now() % 2 ** 32;
  const refused = new Set<string>();
  let done = 0;
  for (let world = 0; done < PURCHASES; world += 1) done += compareIn(seed + world, refused);
  expect([...refused]).toEqual(expect.arrayContaining(['enrollment_required', 'member_not_found']));
}, 600_000);

/**
 * Runs a world without concurrency, and compares each purchase with its preview.
 * @param refused the codes of refused purchases are added to it
 * @returns how many were done
 */
function compareIn(seed: number, refused: Set<string>): number {
  const random = new Random(seed % 2 ** 32);
  const environmentId = random.uuid();
  const caller = { environmentId, actor: { type: 'api_key', id: 'simulator' }, requestId: 'req_1' } as const;
  const environment = { id: environmentId, kind: 'production', locked: false, revision: 1 } as const;
  let now = new Date('2027-10-15T09:00:00Z');
  let ids = 0;
  const store = new MemoryStore({
    environment,
    newId: () => `${(ids++).toString(16).padStart(8, '0')}${random.uuid().slice(8)}`,
    clock: () => now,
  });
  const { tables } = store;
  const model = new Model();
  const workload = new Workload(random, model, {
    referralCodeOf: (programId, customer) => referralCodeIn(tables, programId, customer),
    lotsOf: (programId, customer) => lotsIn(tables, programId, customer),
  });
  const publish = ({ programId, version }: ReturnType<Workload['publish']>): void => {
    const versions = [...(model.programs.get(programId) ?? []), version];
    model.programs.set(programId, versions);
    store.publish({ programId, versions: versions.map(publishedVersion) });
  };
  workload.firstVersions(now).forEach(publish);

  let done = 0;
  for (let commands = 0; commands < COMMANDS; commands += 1) {
    now = new Date(now.getTime() + random.below(random.chance(0.05) ? 86_400_000 * 20 : 600_000));
    if (random.chance(0.01)) publish(workload.publish(now));
    const intent = workload.next(now);
    const owner = intent.lookup && ownerIn(tables, intent.lookup);
    const command = intent.command(caller, owner);
    const purchase = JSON.parse(intent.input) as Purchase;
    const isPurchase = intent.operation === 'purchaseEarn';
    const [previewed] = isPurchase
      ? store.runBatch([previewCommand(purchase, caller, owner?.externalCustomerId ?? null)], now)
      : [];
    const [outcome] = store.runBatch([command], now);
    if (!outcome) throw new Error('the batch has no outcome');
    predictIntent(model, intent, { now, isFound: owner !== null });
    if (!isRefusal(outcome) && intent.keyed) workload.learn(intent, outcome.receipt);
    if (!previewed) continue;
    if (isRefusal(outcome)) {
      // A preview has neither a key nor a reference.
      if (['idempotency_key_reused', 'source_reference_conflict'].includes(outcome.code)) continue;
      expect(previewed).toEqual(outcome);
      refused.add(outcome.code);
    } else if (!outcome.idempotent) {
      if (isRefusal(previewed)) throw new Error(`${previewed.code}: ${previewed.message}`);
      const { personalized, tier, ...award } = previewed.receipt as { personalized: boolean; tier: string };
      const { member } = outcome.receipt as { member: { tier: string } };
      expect({ personalized, tier }).toEqual({ personalized: true, tier: member.tier });
      expect(outcome.receipt).toMatchObject(award);
      done += 1;
    }
  }
  return done;
}
