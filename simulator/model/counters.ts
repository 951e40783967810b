import type { Model } from './model.ts';

/** Kinds of periods that things are counted in. */
export type CountedPeriod = 'day' | 'week' | 'month' | 'year' | 'lifetime';

const DAY_MS = 86_400_000;

/** The first day of the period that contains the instant, such as `2027-10-15`; `1970-01-01` for a lifetime. */
export function firstDay(period: CountedPeriod, at: number): string {
  const date = new Date(at);
  const day = date.toISOString().slice(0, 10);
  switch (period) {
    case 'day':
      return day;
    case 'week':
      // Weeks begin on Monday. `getUTCDay` gives 0 for Sunday, which is the seventh day.
      return new Date(at - ((date.getUTCDay() || 7) - 1) * DAY_MS).toISOString().slice(0, 10);
    case 'month':
      return `${day.slice(0, 7)}-01`;
    case 'year':
      return `${day.slice(0, 4)}-01-01`;
    case 'lifetime':
      return '1970-01-01';
  }
}

/** What a purchase counts toward caps and limits. Nothing is written to the model before `commit`. */
export class Counters {
  readonly #model: Model;
  readonly #programId: string;
  readonly #profile: string;
  readonly #at: number;
  readonly #uses: { name: string; amount: number; shared: boolean }[] = [];

  /** @param at the instant that decides which period is counted, in milliseconds since 1970 */
  constructor(model: Model, programId: string, profile: string, at: number) {
    this.#model = model;
    this.#programId = programId;
    this.#profile = profile;
    this.#at = at;
  }

  /** The count that all members share. */
  ofAll(counterName: string): number {
    return this.#model.shared.get(`${this.#programId} ${counterName}`) ?? 0;
  }

  /** The member's count in the current period of that kind. */
  ofMember(counterName: string, period: CountedPeriod): number {
    return this.#model.counted.get(this.#name(counterName, period)) ?? 0;
  }

  takeOfAll(counterName: string, amount: number): void {
    this.#uses.push({ name: `${this.#programId} ${counterName}`, amount, shared: true });
  }

  takeOfMember(counterName: string, period: CountedPeriod, amount: number): void {
    this.#uses.push({ name: this.#name(counterName, period), amount, shared: false });
  }

  commit(): void {
    for (const { name, amount, shared } of this.#uses) {
      // The service keeps no row for a counter of zero.
      if (amount === 0) continue;
      const table = shared ? this.#model.shared : this.#model.counted;
      table.set(name, (table.get(name) ?? 0) + amount);
    }
  }

  #name(counterName: string, period: CountedPeriod): string {
    return `${this.#profile} ${counterName} ${firstDay(period, this.#at)}`;
  }
}
