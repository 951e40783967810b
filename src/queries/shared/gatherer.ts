/**
 * Most statements of an environment that run at the same time. Readers that arrive meanwhile gather for the next one.
 */
const IN_FLIGHT = 2;
/** The highest number of readers that one statement reads for. */
const BATCH = 200;

/** What somebody waits for. */
export interface Reader<Key, Value> {
  key: Key;
  resolve(value: Value): void;
  reject(error: unknown): void;
}

/** The readers of one environment. */
interface Gathering<Key, Value> {
  waiting: Reader<Key, Value>[];
  inFlight: number;
}

/**
 * Lets readers of one environment that wait at the same time share a statement, and so a snapshot. A reader never waits
 * for the readers of another environment, and a lone reader waits for none.
 */
export class Gatherer<Key, Value> {
  readonly #read: (environmentId: string, readers: readonly Reader<Key, Value>[]) => Promise<void>;
  readonly #gatherings = new Map<string, Gathering<Key, Value>>();

  /** @param read resolves every one of the readers. Where it fails, those that it has not resolved fail with it */
  constructor(read: (environmentId: string, readers: readonly Reader<Key, Value>[]) => Promise<void>) {
    this.#read = read;
  }

  find(environmentId: string, key: Key): Promise<Value> {
    return new Promise((resolve, reject) => {
      let gathering = this.#gatherings.get(environmentId);
      if (!gathering) {
        gathering = { waiting: [], inFlight: 0 };
        this.#gatherings.set(environmentId, gathering);
      }
      gathering.waiting.push({ key, resolve, reject });
      if (gathering.inFlight < IN_FLIGHT) {
        gathering.inFlight += 1;
        // Runs after the requests of this turn of the event loop, so that what is asked for together is read together.
        setImmediate(() => void this.#run(environmentId, gathering));
      }
    });
  }

  async #run(environmentId: string, gathering: Gathering<Key, Value>): Promise<void> {
    while (gathering.waiting.length > 0) {
      const readers = gathering.waiting.splice(0, BATCH);
      try {
        await this.#read(environmentId, readers);
      } catch (error) {
        for (const reader of readers) reader.reject(error);
      }
    }
    gathering.inFlight -= 1;
    if (gathering.inFlight === 0) this.#gatherings.delete(environmentId);
  }
}
