import type { Pool } from 'pg';
import { grantsOf, remainingOf } from '../../../simulator/model/choices.ts';
import { type Model, nameOf } from '../../../simulator/model/model.ts';
import { CHALLENGE_IDS } from '../../../simulator/programs/engagement.ts';

/**
 * Progress of challenges and choice grants of a profile: one line for each window and each grant, sorted. Claims take
 * of the oldest grant of any program, so the line of a grant has its place among those of its member: where two grants
 * are of one millisecond, it alone shows which of two orders of commands was the true one.
 */
export type StoredEngagement = readonly string[];

const OF_PROFILES = `
  select program_id, member_id, concat_ws(' ', 'window', challenge_id,
    extract(epoch from date_trunc('milliseconds', window_start)) * 1000, reached, completions) as line
  from challenge_progress where environment_id = $1
  union all
  select program_id, member_id, concat_ws(' ', 'grant',
    row_number() over (partition by member_id order by granted_at, id), choice_set_id, state, remaining, 'of', choices,
    extract(epoch from granted_at) * 1000, coalesce((extract(epoch from expires_at) * 1000)::text, 'ever'),
    claimed.rewards) as line
  from choice_grants g
  left join (
    select grant_id, string_agg(reward_id, ',' order by claimed_at, id) as rewards
    from choice_claims where environment_id = $1 group by grant_id
  ) claimed on claimed.grant_id = g.id
  where environment_id = $1`;

/** The stored engagement of an environment, by the model's names of profiles. */
export async function storedEngagement(
  pool: Pool,
  environmentId: string,
): Promise<Map<string, StoredEngagement>> {
  const { rows } = await pool.query<{ name: string; line: string }>(
    `select program_id || ' ' || external_customer_id as name, line
     from (${OF_PROFILES}) p join members m on m.environment_id = $1 and m.id = p.member_id`,
    [environmentId],
  );
  const lines = [...Map.groupBy(rows, ({ name }) => name)];
  return new Map(lines.map(([name, of]) => [name, of.map(({ line }) => withoutZeros(line)).sort()]));
}

/** The engagement of a profile in the model, in the same form. */
export function engagementPart(
  model: Model,
  programId: string,
  externalCustomerId: string,
): StoredEngagement {
  const name = nameOf(programId, externalCustomerId);
  const windows = CHALLENGE_IDS.flatMap((id) =>
    (model.progress.get(`${name} ${id}`) ?? []).map(
      ({ start, reached, completions }) => `window ${id} ${start} ${reached} ${completions}`,
    ),
  );
  const ofMember = grantsOf(model, externalCustomerId);
  const grants = (model.grants.get(name) ?? []).map((grant) => {
    const { choiceSetId, choices, chosen, grantedAt, expiresAt, forfeited } = grant;
    const remaining = remainingOf(grant);
    const state = remaining === 0 ? 'exhausted' : forfeited ? 'expired' : 'open';
    const taken = chosen.length > 0 ? [chosen.join(',')] : [];
    return [
      'grant',
      ofMember.indexOf(grant) + 1,
      choiceSetId,
      state,
      remaining,
      'of',
      choices,
      grantedAt,
      expiresAt ?? 'ever',
      ...taken,
    ].join(' ');
  });
  return [...windows, ...grants].sort();
}

/** Postgres returns milliseconds with decimals. */
function withoutZeros(line: string): string {
  return line.replaceAll(/(\d+)\.0+(?= |$)/g, '$1');
}
