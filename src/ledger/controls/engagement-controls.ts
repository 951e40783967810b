import { type LedgerControl, newer } from './ledger-control.ts';
import { ownerOf, withOwner } from './owner-of-rows.ts';

/** Controls over custom events, challenges and choices: awards and grants compared with receipts. */
export const ENGAGEMENT_CONTROLS: readonly LedgerControl[] = [
  {
    id: 'challenge-awards-equal-events',
    title: 'Every event was acknowledged with the points that its challenges posted, program by program',
    sinceDay: 'newer',
    sql: `
      with posted as (
        select environment_id, member_id, source_reference, program_id, sum(points) as points
        from transactions
        where event_type = 'challenge.awarded' and ($1::uuid is null or environment_id = $1)
          and ${newer('created_at')}
        group by environment_id, member_id, source_reference, program_id
      ), said as (
        select e.environment_id, e.member_id, e.source_reference, award."programId" as program_id,
          sum(award.points) as points
        from custom_events e
        cross join lateral json_to_recordset(e.receipt -> 'awards') as award("programId" text, points numeric)
        where award.points > 0 and ($1::uuid is null or e.environment_id = $1) and ${newer('e.received_at')}
        group by e.environment_id, e.member_id, e.source_reference, award."programId"
      )
      select concat_ws(' ', environment_id, program_id, source_reference) as subject, posted.points as expected,
        said.points as found
      from posted full join said using (environment_id, member_id, source_reference, program_id)`,
  },
  {
    id: 'completions-equal-awards',
    title: 'Every challenge was completed as often as events were acknowledged with an award for it',
    sinceDay: { leftOut: 'a completion counts the events of all days' },
    sql: `
      with awarded as (
        select e.environment_id, ${ownerOf('e')} as member_id, award."programId" as program_id,
          award."challengeId" as challenge_id, count(*) as times
        from custom_events e
        ${withOwner('e')}
        cross join lateral json_to_recordset(e.receipt -> 'awards')
          as award("programId" text, "challengeId" text)
        where $1::uuid is null or e.environment_id = $1
        group by e.environment_id, ${ownerOf('e')}, award."programId", award."challengeId"
      ), completed as (
        select environment_id, member_id, program_id, challenge_id, sum(completions) as times
        from challenge_progress
        where completions > 0 and ($1::uuid is null or environment_id = $1)
        group by environment_id, member_id, program_id, challenge_id
      )
      select concat_ws(' ', environment_id, program_id, member_id, challenge_id) as subject,
        awarded.times as expected, completed.times as found
      from awarded full join completed using (environment_id, member_id, program_id, challenge_id)`,
  },
  {
    id: 'choices-equal-claims',
    title: 'Every grant of choices has as many left as were not claimed of it',
    sinceDay: 'newer',
    sql: `
      select g.id::text as subject,
        g.choices - (select count(*) from choice_claims c
          where c.environment_id = g.environment_id and c.grant_id = g.id
            and (c.member_id, c.program_id, c.choice_set_id) = (g.member_id, g.program_id, g.choice_set_id))
          as expected,
        g.remaining as found
      from choice_grants g
      where ($1::uuid is null or g.environment_id = $1) and ${newer('g.granted_at')}`,
  },
  {
    id: 'choice-counters-equal-claims',
    title: 'As many of each choice are counted as were claimed',
    sinceDay: { leftOut: 'a counter is the sum of the claims of all days' },
    sql: `
      with claimed as (
        select environment_id, program_id, 'choice:' || replace(replace(choice_set_id, '%', '%25'), '/', '%2F') || '/' || reward_id as counter_id,
          count(*) as taken
        from choice_claims
        where $1::uuid is null or environment_id = $1
        group by environment_id, program_id, choice_set_id, reward_id
      ), counted as (
        select environment_id, program_id, counter_id, taken
        from shared_counters
        where counter_id like 'choice:%' and ($1::uuid is null or environment_id = $1)
      )
      select concat_ws(' ', environment_id, program_id, counter_id) as subject, claimed.taken as expected,
        counted.taken as found
      from claimed full join counted using (environment_id, program_id, counter_id)`,
  },
];
