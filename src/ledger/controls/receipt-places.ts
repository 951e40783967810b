/** A regular expression: the place of a value in the text of a template (split-receipt.ts). */
export const PLACE = String.raw`(?<!\\)"="(?=[],}])`;

/** SQL: which value of a receipt is the one of a field, from 0, by the text of its template; null where it is none. */
export const positionOf = (field: string): string =>
  `case when strpos(text, '"${field}":"="') > 0
            then regexp_count(left(text, strpos(text, '"${field}":"="')), '${PLACE}') end`;

/**
 * SQL: where a template has the points that each earn rule gave: the values, from 0, and how many are the points of
 * the transaction itself. The fields of a template are in the order of the values.
 */
export const PLACES_OF_RULES = `
        select s.environment_id, s.id,
          array_agg(s.places_before + coalesce(d.places_before, 0) + d.points_at)
            filter (where d.points_at is not null) as values_at,
          count(*) filter (where d.decision ->> 'points' = '=points') as of_transaction
        from (
          select environment_id, id, template,
            regexp_count(left(template::text, strpos(template::text, '"ruleDecisions":[')), '${PLACE}') as places_before
          from receipt_templates
          where $1::uuid is null or environment_id = $1
        ) s
        cross join lateral (
          select decision, ${positionOf('points')} as points_at,
            sum(regexp_count(text, '${PLACE}')) over (order by nth rows between unbounded preceding and 1 preceding)
              as places_before
          from (
            select decision, decision::text as text, nth
            from json_array_elements(s.template -> 'ruleDecisions') with ordinality as each (decision, nth)
          ) spelled
        ) d
        where d.decision ->> 'kind' = 'earn_rule'
        group by s.environment_id, s.id`;
