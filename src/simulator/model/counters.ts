import type { Model } from './model.ts';

/** Kinds of periods that things are counted in. */
export type CountedPeriod = 'day' | 'week' | 'month' | 'year' | 'lifetime';

const DAY_MS = 86_400_000;

/** The first day of the period that holds the instant, such as `2027-10-15`; 1970 begins a life. */
export function firstDay(period: CountedPeriod, at: number): string {
  const date = new Date(at);
  const day = date.toISOString().slice(0, 10);
  switch (period) {
    case 'day':
      return day;
    case 'week':
      // From Sunday, the last day of its week, it is six days back to Monday.
      return new Date(at - ((date.getUTCDay() || 7) - 1) * DAY_MS).toISOString().slice(0, 10);
    case 'month':
      return `${day.slice(0, 7)}-01`;
    case 'year':
      return `${day.slice(0, 4)}-01-01`;
    case 'lifetime':
      return '1970-01-01';
  }
}

/** What a purchase counts, by the model's names; nothing is written down before `settle`. */
export class Counters {
  readonly #model: Model;
  readonly #programId: string;
  readonly #profile: string;
  readonly #at: number;
  readonly #taken: { name: string; amount: number; shared: boolean }[] = [];

  /** @param at the instant that periods are looked up by */
  constructor(model: Model, programId: string, profile: string, at: number) {
    this.#model = model;
    this.#programId = programId;
    this.#profile = profile;
    this.#at = at;
  }

  /** What all members together have taken. */
  ofAll(what: string): number {
    return this.#model.shared.get(`${this.#programId} ${what}`) ?? 0;
  }

  /** What the member has taken in the period of that kind. */
  ofMember(what: string, period: CountedPeriod): number {
    return this.#model.counted.get(this.#name(what, period)) ?? 0;
  }

  takeOfAll(what: string, amount: number): void {
    this.#taken.push({ name: `${this.#programId} ${what}`, amount, shared: true });
  }

  takeOfMember(what: string, period: CountedPeriod, amount: number): void {
    this.#taken.push({ name: this.#name(what, period), amount, shared: false });
  }

  settle(): void {
    for (const { name, amount, shared } of this.#taken) {
      // A counter that has counted nothing may as well not be there.
      if (amount === 0) continue;
      const shelf = shared ? this.#model.shared : this.#model.counted;
      shelf.set(name, (shelf.get(name) ?? 0) + amount);
    }
  }

  #name(what: string, period: CountedPeriod): string {
    return `${this.#profile} ${what} ${firstDay(period, this.#at)}`;
  }
}
