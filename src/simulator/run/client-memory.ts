import { toTypeId } from '../../ids.ts';
import type { Random } from '../random.ts';

/** Something that an answer has told of. */
export interface Known {
  id: string;
  externalCustomerId: string;
  /** Of a dispute: its reservation's id; of an event: its type; of a claim: what was chosen of which set. */
  of?: string;
}

export type Kind =
  | 'order'
  | 'return'
  | 'quote'
  | 'reservation'
  | 'dispute'
  | 'adjustment'
  | 'event'
  | 'claim';

const KINDS: readonly Kind[] = [
  ...(['order', 'return', 'quote', 'reservation', 'dispute', 'adjustment', 'event', 'claim'] as const),
];
const PREFIXES = { quote: 'quo', reservation: 'rsv', dispute: 'dsp', adjustment: 'adj' } as const;
/** How many of a kind a client thinks of. */
const KEPT = 120;
const RECENT = 6;

/** What clients remember of the answers that they got: they can name nothing else. */
export class Memory {
  readonly #known = new Map<Kind, Known[]>(KINDS.map((kind) => [kind, []]));
  readonly #ids = new Set<string>();

  /** @returns whether it was new */
  remember(kind: Kind, known: Known): boolean {
    const name = `${kind} ${known.id}`;
    if (this.#ids.has(name)) return false;
    this.#ids.add(name);
    const list = this.#known.get(kind) ?? [];
    list.push(known);
    if (list.length > KEPT) list.shift();
    return true;
  }

  /**
   * One that is remembered, the newest ones more often; now and then one that is not there at all.
   * @param customers whose it may be
   * @param suits says of which ones there is something to be done; others are taken now and then
   * @returns null where nothing is known
   */
  pick(
    kind: Kind,
    random: Random,
    customers: readonly string[],
    suits: (id: string) => boolean = () => true,
  ): Known | null {
    if (random.chance(0.02)) return this.#invented(kind, random, customers);
    const all = this.#known.get(kind) ?? [];
    const [only] = customers;
    const list = customers.length === 1 ? all.filter((known) => known.externalCustomerId === only) : all;
    if (list.length === 0) return null;
    const recent = random.chance(0.8) ? list.slice(-RECENT) : list;
    const suiting = random.chance(0.8) ? list.filter(({ id }) => suits(id)) : [];
    return random.pick(suiting.length > 0 ? suiting : recent);
  }

  #invented(kind: Kind, random: Random, customers: readonly string[]): Known {
    const externalCustomerId = random.pick(customers);
    const other = this.#known.get(random.pick(KINDS)) ?? [];
    if (kind === 'order' || kind === 'return' || kind === 'event' || kind === 'claim')
      return { id: `no-${kind}-${externalCustomerId}`, externalCustomerId };
    // Of another kind, of none, or of the right form.
    if (random.chance(0.3) && other.length > 0) {
      const { id } = random.pick(other);
      if (!id.startsWith(PREFIXES[kind])) return { id, externalCustomerId };
    }
    const id = random.chance(0.2) ? 'nothing' : toTypeId(PREFIXES[kind], random.uuid());
    return { id, externalCustomerId };
  }
}
