import { stringify } from 'yaml';
import { currencyExponent } from '../document/currency-exponent.ts';

export interface NewProgram {
  /** The program's id. */
  id: string;
  /** ISO 4217 code. */
  currency: string;
}

/** The smallest program document with a comment on each field, as YAML to begin with. It is not checked here. */
export function newProgram({ id, currency }: NewProgram): string {
  return `# A program document: docs/guide/programs.md explains every field and section.
# Check it with: rewards program validate FILE; publish it with: rewards program publish FILE -e ENVIRONMENT

id: ${scalar(id)} # yours to choose; never changes
name: ${scalar(id)} # shown to customers
unitName: points # what a point is called
currency: ${scalar(currency)} # of the purchases that earn; never changes
locale: en-US
loyaltyUnitPrecision: 0 # decimals of a point: with 0 there are whole points only; never changes

earn:
  # The first rule whose conditions all hold gives the points; the rules after it are not asked.
  rules:
    - id: base
      match: all
      conditions: [] # always. One more: { field: purchase.channel, operator: equals, value: app }
      earn:
        currencyExponent: ${currencyExponent(currency)} # decimals of the currency: amounts come in minor units
        loyaltyUnitPrecision: 0 # the same as above
        rateNumerator: 1 # points …
        rateDenominator: 1 # … for so much of the currency
        rounding: floor # what is left of a point is not given
        tierRounding: nearest_half_up # after the tier's multiplier

# Ascending; members begin in the first, whose threshold is 0.
tiers:
  - id: member
    name: Member
    threshold: 0 # qualification points from which on a member is in it
    multiplier: { numerator: 1, denominator: 1 } # of the points of purchases: 5 and 4 are a quarter more
#   - id: gold
#     name: Gold
#     threshold: 1000
#     multiplier: { numerator: 5, denominator: 4 }

qualification:
  window: calendar_year # or rolling_12_months, or lifetime

# Without this section points never lapse.
# expiration:
#   policy: rolling_days
#   days: 365

# What points can be redeemed for.
# rewards:
#   - id: free-coffee
#     name: A coffee of your choice
#     points: 150
`;
}

function scalar(text: string): string {
  return stringify(text, { lineWidth: 0 }).trimEnd();
}
