import type { MemoryTables } from '../../src/ledger/memory/memory-tables.ts';
import { challengesAt } from '../../src/rules/challenges.ts';
import { memberFactsOf } from '../../src/rules/conditions/member-facts.ts';
import { nextTierOf, tierUntil } from '../../src/rules/next-tier.ts';
import { standingAt } from '../../src/rules/standing.ts';
import { standingsIn } from '../model/challenges.ts';
import { type Model, nameOf } from '../model/model.ts';
import { fallsAt, standingNow } from '../model/standing.ts';
import { documentOf } from '../programs/program.ts';
import { assertInvariant } from './broken-invariant.ts';

/** Compares what members are told that they are on the way to: the next tier, the fall of theirs, and challenges. */
export class OutlookAuditor {
  readonly #tables: MemoryTables;
  readonly #model: Model;
  #turn = 0;

  constructor(tables: MemoryTables, model: Model) {
    this.#tables = tables;
    this.#model = model;
  }

  /** Looks at one profile, another one each time: all of them would take long. */
  audit(now: Date): void {
    const { profiles, members, challengeProgress } = this.#tables;
    if (profiles.size === 0) return;
    this.#turn += 1;
    const profile = [...profiles.values()][this.#turn % profiles.size];
    const member = profile && [...members.values()].find(({ id }) => id === profile.memberId);
    const program = profile && this.#model.versionAt(profile.programId, now)?.program;
    if (!profile?.enrolled || !member || !program) return;
    const { programId } = profile;
    const { externalCustomerId } = member;
    const expected = this.#model.profiles.get(nameOf(programId, externalCustomerId));
    if (!expected) return;
    const document = documentOf(program);
    const standing = standingAt(document, profile, now);
    const present = standingNow(program, expected, now);
    const rank = program.tiers.findIndex(({ id }) => id === present.tier);
    const above = program.tiers[rank + 1];
    const nextTier = nextTierOf(document, standing);
    const agreesOnTiers =
      (nextTier?.id ?? null) === (above?.id ?? null) &&
      (nextTier?.missing ?? 0) === Math.max(0, (above?.threshold ?? 0) - present.qualificationPoints) &&
      (tierUntil(document, standing)?.getTime() ?? null) === fallsAt(program, expected, now);
    assertInvariant(agreesOnTiers, 'the model agrees on the next tier and on when this one ends', {
      ...{
        standing,
        said: nextTier,
        until: tierUntil(document, standing),
        present,
        falls: fallsAt(program, expected, now),
      },
    });
    const rows = [...challengeProgress.values()].filter(
      (row) => row.memberId === profile.memberId && row.programId === programId,
    );
    const facts = { profile: standing, member: memberFactsOf(profile, member) };
    const standings = challengesAt(
      document,
      facts,
      (id) => rows.filter(({ challengeId }) => challengeId === id),
      now,
    );
    const shown = standings.map(({ challenge, open, reached, goal, completions }) => ({
      ...{ challengeId: challenge.id, open, reached, goal, completions },
    }));
    const modelStandings = standingsIn(
      this.#model,
      program,
      externalCustomerId,
      { ...expected, tier: present.tier },
      now,
    );
    assertInvariant(
      JSON.stringify(shown) === JSON.stringify(modelStandings),
      `the model agrees on the progress of ${externalCustomerId}`,
      { shown, own: modelStandings, rows, now },
    );
  }
}
