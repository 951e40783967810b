import { toTypeId } from '../../src/ids.ts';
import type { Random } from '../random.ts';

/** Something that a client knows from a receipt. */
export interface MemoryEntry {
  id: string;
  externalCustomerId: string;
  /** For a dispute, its reservation's id; for an event, its type; for a claim, its choice set and reward. */
  of?: string;
}

export type Kind =
  | 'order'
  | 'return'
  | 'quote'
  | 'reservation'
  | 'dispute'
  | 'adjustment'
  | 'merge'
  | 'settlement'
  | 'event'
  | 'claim';

const KINDS: readonly Kind[] = [
  ...(['order', 'return', 'quote', 'reservation', 'dispute', 'adjustment', 'merge'] as const),
  ...(['settlement', 'event', 'claim'] as const),
];
const PREFIXES = {
  quote: 'quo',
  reservation: 'rsv',
  dispute: 'dsp',
  adjustment: 'adj',
  merge: 'mrg',
} as const;
/** How many of a kind a client remembers. */
const KEPT = 120;
const RECENT = 6;

/** What clients remember of the receipts that they got. Commands can refer only to these. */
export class Memory {
  readonly #entries = new Map<Kind, MemoryEntry[]>(KINDS.map((kind) => [kind, []]));
  readonly #ids = new Set<string>();

  /** @returns whether it was new */
  remember(kind: Kind, entry: MemoryEntry): boolean {
    const name = `${kind} ${entry.id}`;
    if (this.#ids.has(name)) return false;
    this.#ids.add(name);
    const list = this.#entries.get(kind) ?? [];
    list.push(entry);
    if (list.length > KEPT) list.shift();
    return true;
  }

  /**
   * Picks a remembered thing, the newest ones more often; now and then an invented one that does not exist.
   * @param customers the customers whose things may be picked
   * @param suits whether the command can succeed on the thing of that id; others are picked now and then
   * @param prefers whether the command would lead to a rare case: picked half of the time where there is one
   * @returns null where nothing of that kind is known
   */
  pick(
    kind: Kind,
    random: Random,
    customers: readonly string[],
    suits: (id: string) => boolean = () => true,
    prefers: (id: string) => boolean = () => false,
  ): MemoryEntry | null {
    if (random.chance(0.02)) return this.#invented(kind, random, customers);
    const all = this.#entries.get(kind) ?? [];
    const [only] = customers;
    const list = customers.length === 1 ? all.filter((known) => known.externalCustomerId === only) : all;
    if (list.length === 0) return null;
    const rare = list.filter(({ id }) => prefers(id));
    if (rare.length > 0 && random.chance(0.5)) return random.pick(rare);
    const recent = random.chance(0.8) ? list.slice(-RECENT) : list;
    const suiting = random.chance(0.8) ? list.filter(({ id }) => suits(id)) : [];
    return random.pick(suiting.length > 0 ? suiting : recent);
  }

  #invented(kind: Kind, random: Random, customers: readonly string[]): MemoryEntry {
    const externalCustomerId = random.pick(customers);
    const other = this.#entries.get(random.pick(KINDS)) ?? [];
    if (!hasPrefix(kind)) return { id: `no-${kind}-${externalCustomerId}`, externalCustomerId };
    // The id of another kind, a malformed id, or a well-formed one that does not exist.
    if (random.chance(0.3) && other.length > 0) {
      const { id } = random.pick(other);
      if (!id.startsWith(PREFIXES[kind])) return { id, externalCustomerId };
    }
    const id = random.chance(0.2) ? 'nothing' : toTypeId(PREFIXES[kind], random.uuid());
    return { id, externalCustomerId };
  }
}

/** Whether the service makes the ids of a kind. */
function hasPrefix(kind: Kind): kind is keyof typeof PREFIXES {
  return kind in PREFIXES;
}
