// Receipts, lines and terms are JSON, which no constraint checks, and controls turn parts of it into numbers and
// instants. Where somebody has put something else in its place, Postgres ends the control's statement with an error.
// These conditions say of a row whether that can happen. They hold for every JSON value, and never fail themselves.

/**
 * Regular expressions: an escaped zero byte, and either half of a character outside of the Basic Multilingual Plane
 * alone.
 */
const NO_TEXT = [
  String.raw`\\u0000`,
  String.raw`\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])`,
  String.raw`(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F]`,
].join('|');

/**
 * SQL: whether Postgres can read the texts in a column of JSON. It stores any escapes, and fails where it takes apart
 * JSON with some that are no text. A backslash that is itself escaped begins none.
 */
const isReadable = (column: string): string =>
  String.raw`replace(coalesce(${column}::text, ''), '\\', '-') !~ '${NO_TEXT}'`;

/** SQL: whether a part of JSON is absent or null, or a whole number. */
const isInteger = (part: string): string => `coalesce(${part} #>> '{}', '0') ~ '^-?[0-9]{1,18}$'`;

/** SQL: whether a part of JSON is absent or null, or a number. */
const isNumber = (part: string): string => `coalesce(json_typeof(${part}), 'null') in ('number', 'null')`;

/** SQL: whether a part of JSON is absent or null, or a list of objects for which a condition on `item` holds. */
const isListOf = (part: string, condition: string): string => `case coalesce(json_typeof(${part}), 'null')
              when 'null' then true
              when 'array' then not exists (select from json_array_elements(${part}) as item
                where (json_typeof(item) = 'object' and ${condition}) is not true)
              else false end`;

/** Regular expressions: an instant as receipts have it, and days that are in no calendar. */
const INSTANT =
  '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][.][0-9]{3}Z$';
const NO_DAY =
  '^.{5}(02-3|(04|06|09|11)-31)|^(.{2}([02468][1235679]|[13579][01345789])|([02468][1235679]|[13579][01345789])00)-02-29';

const DECISIONS = `item ->> 'kind' is not null and coalesce(json_typeof(item -> 'matched'), 'boolean') = 'boolean'`;

/**
 * SQL: the parts of a purchase's receipt, `t.receipt`, as `said`. All of them are null where it is no object that can
 * be read.
 */
const SAID = `cross join lateral json_to_record(
          case when json_typeof(t.receipt) = 'object' and ${isReadable('t.receipt')} then t.receipt end)
          as said(template text, "values" json, id json, status json, member json, award json, campaigns json, referral json,
            coupon json, lines json, evidence json, "poolCode" json, "amountMinor" json, "evaluationMode" json,
            "evaluationAt" json, "configurationVersion" json, "loyaltyUnitPrecision" json, "ruleDecisions" json)`;

/** SQL: whether controls can compare the receipt of a purchase, `t` with `said`. */
const COMPARABLE = `json_typeof(t.receipt) is not distinct from 'object'
            and coalesce(said."configurationVersion" #>> '{}', '1') ~ '^[1-9][0-9]{0,8}$'
            and coalesce(said."evaluationAt" #>> '{}', '2000-01-01T00:00:00.000Z') ~ '${INSTANT}'
            and coalesce(said."evaluationAt" #>> '{}', '') !~ '${NO_DAY}'
            and ${isInteger('said."amountMinor"')}
            and ${isInteger(`(said.evidence -> 'amountMinor')`)}
            and ${isInteger(`(said.referral -> 'referrerPoints')`)}
            and ${isInteger(`(said.referral -> 'refereePoints')`)}
            and ${isListOf('said.campaigns', `item ->> 'campaignId' is not null and ${isInteger(`(item -> 'points')`)}`)}
            and ${isListOf('said.lines', `${isNumber(`item -> 'points'`)} and ${isInteger(`(item -> 'index')`)}`)}
            and ${isListOf('said."ruleDecisions"', DECISIONS)}`;

/** A table whose rows have JSON that controls turn into numbers. */
interface Stored {
  table: string;
  /** Its column of JSON. */
  column: string;
  /** SQL: a row's name, of `t`. */
  subject: string;
  /** SQL: a join that the condition needs. */
  join?: string;
  /** SQL: whether controls can compare the row, if its JSON can be read. */
  comparable: string;
}

const DISCOUNT = ['amountMinor', 'unitMinor', 'pointsPerUnit']
  .map((name) => isNumber(`t.terms #> '{discount,${name}}'`))
  .join(' and ');

const STORED: readonly Stored[] = [
  {
    table: 'transactions',
    column: 'receipt',
    subject: `'transaction ' || t.id`,
    join: SAID,
    comparable: `case when t.event_type = 'purchase.completed' then ${COMPARABLE}
            else ${isNumber(`t.receipt #> '{return,pointsClawedBack}'`)}
              and ${isNumber(`t.receipt #> '{return,referral,referrerPointsClawedBack}'`)}
              and ${isNumber(`t.receipt #> '{return,referral,refereePointsClawedBack}'`)}
              and ${isNumber(`t.receipt #> '{balance,points}'`)} end`,
  },
  {
    table: 'receipt_templates',
    column: 'template',
    subject: `concat_ws(' ', 'template', t.environment_id, t.id)`,
    comparable: isListOf(`t.template -> 'ruleDecisions'`, DECISIONS),
  },
  {
    table: 'orders',
    column: 'lines',
    subject: `'order ' || t.source_reference`,
    comparable: isListOf(
      't.lines',
      ['quantity', 'unitPriceMinor', 'points'].map((name) => isNumber(`item -> '${name}'`)).join(' and '),
    ),
  },
  {
    table: 'custom_events',
    column: 'receipt',
    subject: `'event ' || t.source_reference`,
    comparable: isListOf(`t.receipt -> 'awards'`, isNumber(`item -> 'points'`)),
  },
  { table: 'redemption_quotes', column: 'terms', subject: `'quote ' || t.id`, comparable: DISCOUNT },
  {
    table: 'redemption_reservations',
    column: 'terms',
    subject: `'reservation ' || t.id`,
    comparable: DISCOUNT,
  },
];

/** SQL: whether controls can compare a row. CASE has the parts of its JSON read only where that is possible. */
const isComparable = ({ column, comparable }: Stored): string =>
  `case when ${isReadable(`t.${column}`)} then ${comparable} end`;

const ofEnvironment = '($1::uuid is null or t.environment_id = $1)';

/** SQL: the names of the rows that cannot be compared. `$1` is as in controls. */
const NOT_COMPARABLE = STORED.map(
  (stored) => `select ${stored.subject} as subject
        from ${stored.table} t ${stored.join ?? ''}
        where ${ofEnvironment} and (${isComparable(stored)}) is not true`,
).join('\n        union all\n        ');

/**
 * SQL: a statement of a control whose tables have only the rows that can be compared; `not_comparable` has the names of
 * the others. A name of WITH comes before that of a table, but not in its own definition, nor in one before it. `offset
 * 0` has Postgres look at the condition before it does anything else with a row.
 */
export const amongComparable = (statement: string): string => `with not_comparable as materialized (
        ${NOT_COMPARABLE}
      ), ${STORED.map(
        (stored) => `${stored.table} as not materialized (
        select t.* from ${stored.table} t ${stored.join ?? ''} where ${ofEnvironment} and (${isComparable(stored)}) is true
        offset 0
      )`,
      ).join(', ')}
  ${statement}`;
