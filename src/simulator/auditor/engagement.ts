import type { MemoryTables } from '../../ledger/memory/memory-tables.ts';
import type { ChallengeProgressRecord } from '../../ledger/tables/challenge-progress.ts';
import type { ChoiceGrantRecord } from '../../ledger/tables/choice-grants.ts';
import type { SharedCounterRecord } from '../../ledger/tables/shared-counters.ts';
import { remainingOf } from '../model/choices.ts';
import { type Model, nameOf } from '../model/model.ts';
import { hold } from './broken-invariant.ts';
import type { ChangedRows } from './changed-rows.ts';
import { add } from './sums.ts';

/** What the receipt of an event says that challenges gave. */
interface Award {
  programId: string;
  challengeId: string;
  transactionId: string | null;
  points: number;
  choiceSetId: string | null;
}

/** Holds progress, grants and claims to what events and claims were answered, and then to the model. */
export class EngagementAuditor {
  readonly #tables: MemoryTables;
  readonly #model: Model;
  /** By member id. */
  readonly #customers = new Map<string, string>();
  /** Completions by program, member and challenge: as events were answered, and as progress says. */
  readonly #awarded = new Map<string, number>();
  readonly #completed = new Map<string, number>();
  readonly #before = new Map<string, ChallengeProgressRecord>();
  /** Points of challenges: as events were answered, and as they were posted. */
  #pointsTold = 0;
  #pointsPosted = 0;
  /** Claims by grant, and by the counter that they take from. */
  readonly #claimsOf = new Map<string, number>();
  readonly #chosen = new Map<string, number>();
  readonly #counted = new Map<string, number>();
  readonly #states = new Map<string, ChoiceGrantRecord['state']>();
  readonly #grantsOf = new Map<string, string[]>();
  readonly #seen = new Set<string>();

  constructor(tables: MemoryTables, model: Model) {
    this.#tables = tables;
    this.#model = model;
  }

  /** @param transactions ids of those that were written */
  audit(
    changed: ChangedRows,
    transactions: ReadonlySet<string>,
    counters: readonly SharedCounterRecord[],
  ): void {
    const known = this.#tables.members;
    if (this.#customers.size < known.size) {
      for (const { id, externalCustomerId } of known.values()) this.#customers.set(id, externalCustomerId);
    }
    const progress = this.#auditChallenges(changed, transactions);
    const profiles = this.#auditChoices(changed, counters);
    for (const row of progress) this.#compareProgress(row);
    for (const profile of profiles) this.#compareGrants(profile);
    for (const [name, table, shelf] of [
      ['events', this.#tables.customEvents, this.#model.events],
      ['claims', this.#tables.choiceClaims, this.#model.claims],
    ] as const) {
      hold(table.size === shelf.own.size, `the model agrees on how many ${name}`, table.size);
    }
  }

  #auditChallenges(
    changed: ChangedRows,
    transactions: ReadonlySet<string>,
  ): readonly ChallengeProgressRecord[] {
    const progress: ChallengeProgressRecord[] = [];
    const touched = new Set<string>();
    for (const [, { memberId, receipt }] of changed.take('customEvents')) {
      for (const { programId, challengeId, points } of (receipt as { awards: Award[] }).awards) {
        const name = `${programId} ${memberId} ${challengeId}`;
        add(this.#awarded, name, 1);
        touched.add(name);
        this.#pointsTold += points;
      }
    }
    for (const id of transactions) {
      const transaction = this.#tables.transactions.get(id);
      if (transaction?.eventType !== 'challenge.awarded' || this.#seen.has(id)) continue;
      this.#seen.add(id);
      this.#pointsPosted += transaction.points;
    }
    for (const [key, row] of changed.take('challengeProgress')) {
      const before = this.#before.get(key);
      hold(row.completions >= (before?.completions ?? 0), 'what is completed stays completed', {
        row,
        before,
      });
      this.#before.set(key, row);
      const name = `${row.programId} ${row.memberId} ${row.challengeId}`;
      add(this.#completed, name, row.completions - (before?.completions ?? 0));
      touched.add(name);
      progress.push(row);
    }
    for (const name of touched) {
      const [awarded, completed] = [this.#awarded.get(name) ?? 0, this.#completed.get(name) ?? 0];
      hold(awarded === completed, 'a challenge is completed as often as it was awarded', {
        ...{ name, awarded, completed },
      });
    }
    const points = { told: this.#pointsTold, posted: this.#pointsPosted };
    hold(points.told === points.posted, 'challenges have posted what events were answered', points);
    return progress;
  }

  #compareProgress(row: ChallengeProgressRecord): void {
    const name = `${nameOf(row.programId, this.#customers.get(row.memberId) ?? '')} ${row.challengeId}`;
    const expected = this.#model.progress.get(name)?.find((each) => each.start === row.windowStart.getTime());
    const agrees = expected?.reached === row.reached && expected.completions === row.completions;
    hold(agrees, `the model agrees on ${name}`, { row, expected });
  }

  /** @returns program and member of the grants that were looked at */
  #auditChoices(changed: ChangedRows, counters: readonly SharedCounterRecord[]): ReadonlySet<string> {
    const grants = new Set<string>();
    const chosen = new Set<string>();
    for (const [, row] of changed.take('choiceClaims')) {
      add(this.#claimsOf, row.grantId, 1);
      grants.add(row.grantId);
      const counter = `${row.programId} choice:${row.choiceSetId}/${row.rewardId}`;
      add(this.#chosen, counter, 1);
      chosen.add(counter);
    }
    for (const { programId, counterId, taken } of counters) {
      if (!counterId.startsWith('choice:')) continue;
      this.#counted.set(`${programId} ${counterId}`, taken);
      chosen.add(`${programId} ${counterId}`);
    }
    for (const name of chosen) {
      const [claimed, counted] = [this.#chosen.get(name) ?? 0, this.#counted.get(name) ?? 0];
      hold(claimed === counted, 'a counter has counted the choices', { name, claimed, counted });
    }
    const profiles = new Set<string>();
    for (const [id, row] of changed.take('choiceGrants')) {
      this.#addGrant(row);
      grants.add(id);
      profiles.add(`${row.programId} ${row.memberId}`);
    }
    for (const id of grants) {
      const grant = this.#tables.choiceGrants.get(id);
      const claims = this.#claimsOf.get(id) ?? 0;
      hold(grant !== undefined, 'a claim is of a grant', id);
      hold(grant.remaining === grant.choices - claims, 'a grant has left what was not claimed of it', grant);
    }
    return profiles;
  }

  #addGrant(row: ChoiceGrantRecord): void {
    const before = this.#states.get(row.id);
    if (!before) {
      const profile = `${row.programId} ${row.memberId}`;
      const known = this.#grantsOf.get(profile);
      if (known) known.push(row.id);
      else this.#grantsOf.set(profile, [row.id]);
    }
    hold(
      before === undefined || before === 'open' || before === row.state,
      `what is ${before} never opens again`,
      row,
    );
    this.#states.set(row.id, row.state);
  }

  #compareGrants(profile: string): void {
    const [programId = '', memberId = ''] = profile.split(' ');
    const name = nameOf(programId, this.#customers.get(memberId) ?? '');
    const expected = this.#model.grants.get(name) ?? [];
    const rows = (this.#grantsOf.get(profile) ?? []).map((id) => this.#tables.choiceGrants.get(id));
    const agrees =
      rows.length === expected.length &&
      expected.every((each, index) => {
        const row = rows[index];
        const remaining = remainingOf(each);
        const state = remaining === 0 ? 'exhausted' : each.left ? 'expired' : 'open';
        return (
          row?.choiceSetId === each.choiceSetId &&
          row.choices === each.choices &&
          row.remaining === remaining &&
          row.state === state &&
          row.grantedAt.getTime() === each.grantedAt &&
          (row.expiresAt?.getTime() ?? null) === each.expiresAt
        );
      });
    hold(agrees, `the model agrees on the choices of ${name}`, { rows, expected });
  }

  /** Everything that the model knows of is there. Reads all of it. */
  auditSizes(): void {
    const size = (lists: Iterable<readonly unknown[]>): number => {
      let sum = 0;
      for (const list of lists) sum += list.length;
      return sum;
    };
    const { challengeProgress, choiceGrants } = this.#tables;
    const { progress, grants } = this.#model;
    hold(
      challengeProgress.size === size(progress.own.values()),
      'the model agrees on how many windows',
      null,
    );
    hold(choiceGrants.size === size(grants.own.values()), 'the model agrees on how many grants', null);
  }
}
