import type { MemoryTables } from '../../src/ledger/memory/memory-tables.ts';
import type { ChallengeProgressRecord } from '../../src/ledger/tables/challenge-progress.ts';
import type { ChoiceGrantRecord } from '../../src/ledger/tables/choice-grants.ts';
import type { SharedCounterRecord } from '../../src/ledger/tables/shared-counters.ts';
import { remainingOf } from '../model/choices.ts';
import { type Model, nameOf } from '../model/model.ts';
import { assertInvariant } from './broken-invariant.ts';
import type { ChangedRows } from './changed-rows.ts';
import { presentOwner } from './present-owner.ts';
import { add } from './sums.ts';

/** An award of a challenge in the receipt of an event. */
interface Award {
  programId: string;
  challengeId: string;
  transactionId: string | null;
  points: number;
  choiceSetId: string | null;
}

/** Checks progress, grants and claims against the receipts of events and claims, and then against the model. */
export class EngagementAuditor {
  readonly #tables: MemoryTables;
  readonly #model: Model;
  /** By member id. */
  readonly #customers = new Map<string, string>();
  /** Completions by program, member and challenge: those in receipts of events, and those in the progress rows. */
  readonly #awarded = new Map<string, number>();
  readonly #completed = new Map<string, number>();
  readonly #before = new Map<string, ChallengeProgressRecord>();
  /** Points of challenges: those in receipts of events, and those posted. */
  #pointsAwarded = 0;
  #pointsPosted = 0;
  /** Claims by grant, and by the counter that they take from. */
  readonly #claimsOf = new Map<string, number>();
  readonly #chosen = new Map<string, number>();
  readonly #counts = new Map<string, number>();
  readonly #states = new Map<string, ChoiceGrantRecord['state']>();
  readonly #grantsOf = new Map<string, string[]>();
  readonly #seenTransactions = new Set<string>();
  /** Ids of members that were merged at some time, and of those that they were merged into. */
  readonly #joined = new Set<string>();

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
    const members = this.#tables.members;
    if (this.#customers.size < members.size) {
      for (const { id, externalCustomerId } of members.values()) this.#customers.set(id, externalCustomerId);
    }
    this.#noteJoined();
    const progress = this.#auditChallenges(changed, transactions);
    const profiles = this.#auditChoices(changed, counters);
    for (const row of progress) this.#compareProgress(row);
    for (const profile of profiles) this.#compareGrants(profile);
    for (const [name, table, expected] of [
      ['events', this.#tables.customEvents, this.#model.events],
      ['claims', this.#tables.choiceClaims, this.#model.claims],
    ] as const) {
      assertInvariant(
        table.size === expected.ownRows.size,
        `the model agrees on how many ${name}`,
        table.size,
      );
    }
  }

  /** Members that were merged into another one, and those that they were merged into. */
  #noteJoined(): void {
    for (const { id, mergedInto } of this.#tables.members.values()) {
      if (mergedInto !== null) this.#joined.add(id).add(mergedInto);
    }
  }

  /** The sum for a member and those that are merged into it at present. @param name program, member and challenge */
  #ofOwner(sums: ReadonlyMap<string, number>, name: string): number {
    const [programId, memberId = '', ...challenge] = name.split(' ');
    if (!this.#joined.has(memberId)) return sums.get(name) ?? 0;
    let sum = 0;
    for (const id of this.#joined) {
      if (presentOwner(this.#tables, id) === memberId) {
        sum += sums.get([programId, id, ...challenge].join(' ')) ?? 0;
      }
    }
    return sum;
  }

  #auditChallenges(
    changed: ChangedRows,
    transactions: ReadonlySet<string>,
  ): readonly ChallengeProgressRecord[] {
    const progress: ChallengeProgressRecord[] = [];
    const touched = new Set<string>();
    for (const [, { memberId, receipt }] of changed.take('customEvents')) {
      for (const { programId, challengeId, points } of (receipt as { awards: Award[] }).awards) {
        add(this.#awarded, `${programId} ${memberId} ${challengeId}`, 1);
        touched.add(`${programId} ${presentOwner(this.#tables, memberId ?? '')} ${challengeId}`);
        this.#pointsAwarded += points;
      }
    }
    for (const id of transactions) {
      const transaction = this.#tables.transactions.get(id);
      if (transaction?.eventType !== 'challenge.awarded' || this.#seenTransactions.has(id)) continue;
      this.#seenTransactions.add(id);
      this.#pointsPosted += transaction.points;
    }
    for (const [key, row] of changed.take('challengeProgress')) {
      const before = this.#before.get(key);
      assertInvariant(
        row.completions >= (before?.completions ?? 0) || this.#joined.has(row.memberId),
        'what is completed stays completed, but where accounts are joined or parted',
        { row, before },
      );
      this.#before.set(key, row);
      const name = (memberId: string): string => `${row.programId} ${memberId} ${row.challengeId}`;
      add(this.#completed, name(row.memberId), row.completions - (before?.completions ?? 0));
      touched.add(name(presentOwner(this.#tables, row.memberId)));
      progress.push(row);
    }
    for (const name of touched) {
      const awarded = this.#ofOwner(this.#awarded, name);
      const completed = this.#ofOwner(this.#completed, name);
      assertInvariant(awarded === completed, 'a challenge is completed as often as it was awarded', {
        ...{ name, awarded, completed },
      });
    }
    const points = { awarded: this.#pointsAwarded, posted: this.#pointsPosted };
    assertInvariant(
      points.awarded === points.posted,
      'challenges have posted what events were answered',
      points,
    );
    return progress;
  }

  #compareProgress(row: ChallengeProgressRecord): void {
    const name = `${nameOf(row.programId, this.#customers.get(row.memberId) ?? '')} ${row.challengeId}`;
    const expected = this.#model.progress.get(name)?.find((each) => each.start === row.windowStart.getTime());
    const agrees = expected?.reached === row.reached && expected.completions === row.completions;
    assertInvariant(agrees, `the model agrees on ${name}`, { row, expected });
  }

  /** @returns program and member of the grants that were written */
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
      this.#counts.set(`${programId} ${counterId}`, taken);
      chosen.add(`${programId} ${counterId}`);
    }
    for (const name of chosen) {
      const [claimed, counted] = [this.#chosen.get(name) ?? 0, this.#counts.get(name) ?? 0];
      assertInvariant(claimed === counted, 'a counter has counted the choices', { name, claimed, counted });
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
      assertInvariant(grant !== undefined, 'a claim is of a grant', id);
      assertInvariant(
        grant.remaining === grant.choices - claims,
        'a grant has left what was not claimed of it',
        grant,
      );
    }
    return profiles;
  }

  #addGrant(row: ChoiceGrantRecord): void {
    const before = this.#states.get(row.id);
    if (!before) {
      const profile = `${row.programId} ${row.memberId}`;
      const grantIds = this.#grantsOf.get(profile);
      if (grantIds) grantIds.push(row.id);
      else this.#grantsOf.set(profile, [row.id]);
    }
    assertInvariant(
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
        const state = remaining === 0 ? 'exhausted' : each.forfeited ? 'expired' : 'open';
        return (
          row?.choiceSetId === each.choiceSetId &&
          row.choices === each.choices &&
          row.remaining === remaining &&
          row.state === state &&
          row.grantedAt.getTime() === each.grantedAt &&
          (row.expiresAt?.getTime() ?? null) === each.expiresAt
        );
      });
    assertInvariant(agrees, `the model agrees on the choices of ${name}`, { rows, expected });
  }

  /** Compares how many windows of progress and how many grants there are. Reads all of them. */
  auditSizes(): void {
    const size = (lists: Iterable<readonly unknown[]>): number => {
      let sum = 0;
      for (const list of lists) sum += list.length;
      return sum;
    };
    const { challengeProgress, choiceGrants } = this.#tables;
    const { progress, grants } = this.#model;
    assertInvariant(
      challengeProgress.size === size(progress.ownRows.values()),
      'the model agrees on how many windows',
      null,
    );
    assertInvariant(
      choiceGrants.size === size(grants.ownRows.values()),
      'the model agrees on how many grants',
      null,
    );
  }
}
