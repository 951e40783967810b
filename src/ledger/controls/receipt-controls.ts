import { NAMED_PARTS } from '../receipts/split-receipt.ts';
import { type LedgerControl, newer } from './ledger-control.ts';
import { PLACE, positionOf } from './receipt-places.ts';

/** SQL: whether a template has a place for a value of this name, by its text. */
const hasPlaceOf = (name: string): string => String.raw`text ~ '(?<!\\)"=${name}"(?=[],}])'`;

/** SQL: the names of values for which a condition holds, by the text of a template. */
const namesWhere = (condition: (name: string) => string): string =>
  `array_remove(array[${NAMED_PARTS.map((name) => `case when ${condition(name)} then '${name}' end`).join(', ')}], null)`;

/**
 * SQL: whether a receipt that shares a template, `said`, has the named values that the template, `s`, has places for,
 * and no others.
 */
const HAS_NAMED_PARTS = `said ?& s.named and not said ?| s.others and not said @? 'strict $.* ? (@ == null)'`;

/** SQL: whether a receipt that is stored whole, `said`, has the parts that are shown of every purchase. */
const HAS_ALL_PARTS = `starts_with(said ->> 'id', 'txn_') and said ->> 'status' = 'committed'
              and said -> 'member' ?& array['id', 'tier'] and said -> 'award' ?& array['basePoints', 'campaignPoints']
              and jsonb_typeof(said -> 'campaigns') = 'array' and jsonb_typeof(said -> 'ruleDecisions') = 'array'
              and not said @? '$.ruleDecisions[*] ? (@.type() != "object" || !exists(@.kind) || !exists(@.id) || !exists(@.matched))'
              and jsonb_typeof(said -> 'evaluationMode') = 'string' and jsonb_typeof(said -> 'evaluationAt') = 'string'
              and jsonb_typeof(said -> 'loyaltyUnitPrecision') = 'number'`;

// The versions of programs, each until the next one is in effect. A batch that began before a publication was committed
// goes on with the version before: it takes seconds, an hour is allowed.
const VERSIONS = `
        select v.environment_id, v.program_id, v.version::text as number, v.effective_from,
          (select min(greatest(later.effective_from, later.published_at + interval '1 hour'))
            from program_versions later
            where later.environment_id = v.environment_id and later.program_id = v.program_id
              and later.version > v.version) as replaced_at
        from program_versions v
        where $1::uuid is null or v.environment_id = $1`;

const EVALUATED_AT = `coalesce((said ->> 'evaluationAt')::timestamptz, t.created_at)`;

/** Controls over the receipts of purchases: whether each is what was answered, as far as other tables can tell. */
export const RECEIPT_CONTROLS: readonly LedgerControl[] = [
  {
    id: 'templates-of-receipts',
    title:
      'Every receipt that shares a template has it and its values, which ' +
      'add up, and no template is another than it was',
    sinceDay: 'newer',
    sql: `
      select 'transaction ' || t.id as subject,
        case when json_typeof(t.own) = 'array' then json_array_length(t.own) else -1 end as expected,
        -- Where campaigns gave points, base and campaign points are values, which add up to the points.
        case when s.campaign_at is null then s.places
          when json_typeof(t.own -> s.campaign_at) = 'number'
            and coalesce(json_typeof(t.own -> s.base_at), 'number') = 'number'
            and (t.own ->> s.campaign_at)::numeric + coalesce((t.own ->> s.base_at)::numeric, 0) = t.points
          then s.places end as found
      -- Each field is taken out once: every time, the whole receipt is read.
      from (select environment_id, id, points, template, receipt -> 'values' as own
        from (
          select environment_id, id, points, receipt, receipt ->> 'template' as template
          from transactions
          where event_type = 'purchase.completed' and ($1::uuid is null or environment_id = $1)
            and ${newer('created_at')}
          offset 0
        ) every
        where template is not null
        offset 0) t
      left join (
        -- The place of a value is the text "=", which is no name of a field. Counted once for each template.
        select environment_id, id, regexp_count(text, '${PLACE}') as places,
          ${positionOf('basePoints')} as base_at, ${positionOf('campaignPoints')} as campaign_at
        from (select environment_id, id, template::text as text from receipt_templates
          where $1::uuid is null or environment_id = $1) each
        offset 0
      ) s on s.environment_id = t.environment_id and s.id = t.template
      union all
      -- Its id is a part of the SHA-256 of its text, in the letters of base64url.
      select concat_ws(' ', 'template', environment_id, id), 1,
        case when id = left(translate(encode(sha256(convert_to(template::text, 'UTF8')), 'base64'), '+/', '-_'), 16)
          then 1 end
      from receipt_templates
      where $1::uuid is null or environment_id = $1`,
  },
  {
    id: 'parts-of-receipts',
    title:
      "Every purchase's receipt has its parts, the purchase's member, and a version of the program that was in effect",
    sinceDay: 'newer',
    sql: `
      select 'transaction ' || t.id as subject, t.points as expected,
        case when
            -- A template that is lost is named by templates-of-receipts.
            case when t.template is null then ${HAS_ALL_PARTS}
              else s.id is null or ${HAS_NAMED_PARTS} end
            -- An erasure gives the member another name first, and then its receipts.
            and (m.status = 'erased' or m.external_customer_id = case when t.template is null
              then said -> 'member' ->> 'externalCustomerId'
              when s.id is null then m.external_customer_id
              else said -> 'values' ->> s.customer_at end)
            and ${EVALUATED_AT} >= v.effective_from
            and (v.replaced_at is null or ${EVALUATED_AT} < v.replaced_at)
          then t.points end as found
      -- jsonb is taken apart once, and not for every field of it.
      from (select *, said ->> 'template' as template
        from (
          select environment_id, id, program_id, member_id, points, created_at,
            case when json_typeof(receipt) = 'object' then receipt::jsonb end as said
          from transactions
          where event_type = 'purchase.completed' and ($1::uuid is null or environment_id = $1)
            and ${newer('created_at')}
          offset 0
        ) every
        offset 0) t
      left join members m on m.environment_id = t.environment_id and m.id = t.member_id
      left join (
        select environment_id, id, ${positionOf('externalCustomerId')} as customer_at,
          ${namesWhere(hasPlaceOf)} as named, ${namesWhere((name) => `not ${hasPlaceOf(name)}`)} as others
        from (select environment_id, id, template::text as text from receipt_templates
          where $1::uuid is null or environment_id = $1) each
        offset 0
      ) s on s.environment_id = t.environment_id and s.id = t.template
      left join (${VERSIONS}) v on v.environment_id = t.environment_id and v.program_id = t.program_id
        and v.number = said ->> 'configurationVersion'
      where $1::uuid is null or t.environment_id = $1`,
  },
];
