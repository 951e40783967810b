import type { CampaignComparison, CampaignReport } from '../../contract/generated/types.ts';
import type { Connections } from '../../db/pool.ts';
import { versionAt } from '../../programs/published/published-program.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import type { CurrentPrograms } from '../shared/current-programs.ts';
import type { Sample } from './mean-difference.ts';

/** A campaign of a program. */
export interface CampaignQuery {
  programId: string;
  campaignId: string;
}

/**
 * Reads what a campaign has given: points, members, purchases and how much of its cap. Of a campaign with a holdout,
 * also the purchases that it holds for by members with and without it.
 * @param environmentId UUID
 * @returns the report; or a refusal: `program_not_found`, also where no version that counts has such a campaign
 */
export async function readCampaignReport(
  connections: Connections,
  environmentId: string,
  { programId, campaignId }: CampaignQuery,
  { programs, at }: CurrentPrograms,
): Promise<Omit<CampaignReport, 'requestId'> | Refusal> {
  const program = programs.get(programId);
  const campaign = program
    ? versionAt(program, at)?.document.campaigns?.find(({ id }) => id === campaignId)
    : undefined;
  const { rows } = await connections.query<GroupRow>({
    name: 'campaign_report',
    text: GROUPS,
    values: [environmentId, programId, campaignId],
  });
  if (!program || (!campaign && rows.length === 0)) {
    return refuse('program_not_found', 'No program of this environment has a campaign of these ids.');
  }
  const awardedRow = rows.find(({ held_out }) => !held_out);
  const capPoints = campaign?.caps?.totalPoints;
  return {
    programId,
    campaignId,
    points: awardedRow?.points ?? '0',
    members: awardedRow?.members_given ?? 0,
    purchases: awardedRow?.purchases_given ?? 0,
    amountMinor: awardedRow?.amount_given ?? '0',
    cap:
      capPoints === undefined
        ? null
        : {
            capPoints,
            givenPoints: await readCounter(connections, environmentId, { programId, campaignId }),
          },
    holdout:
      campaign?.holdout || rows.some(({ held_out }) => held_out)
        ? await comparisonOf(awardedRow ?? NOBODY, rows.find(({ held_out }) => held_out) ?? NOBODY)
        : null,
  };
}

async function readCounter(
  connections: Connections,
  environmentId: string,
  { programId, campaignId }: CampaignQuery,
): Promise<number> {
  const { rows } = await connections.query<{ taken: number }>({
    name: 'campaign_counter',
    text: `select taken from shared_counters
      where environment_id = $1::uuid and program_id = $2 and counter_id = $3`,
    values: [environmentId, programId, `campaign:${campaignId}`],
  });
  return rows[0]?.taken ?? 0;
}

/** The purchases that a campaign holds for, of the members with it or of those from whom it is withheld. */
interface GroupRow {
  held_out: boolean;
  /** Decimal strings, of the purchases that the campaign gave points for. */
  points: string;
  amount_given: string;
  members_given: number;
  purchases_given: number;
  /** All members with such a purchase; means and variances over them. */
  members: number;
  purchases_mean: number;
  purchases_variance: number;
  amount_mean: number;
  amount_variance: number;
  earned_mean: number;
  earned_variance: number;
}

const NOBODY: Pick<GroupRow, 'members'> & { [Name in Quantity as `${Name}_${'mean' | 'variance'}`]: number } =
  {
    members: 0,
    ...{ purchases_mean: 0, purchases_variance: 0, amount_mean: 0, amount_variance: 0 },
    ...{ earned_mean: 0, earned_variance: 0 },
  };

type Quantity = 'purchases' | 'amount' | 'earned';

async function comparisonOf(
  awardedGroup: typeof NOBODY,
  heldOut: typeof NOBODY,
): Promise<CampaignComparison> {
  // With it a library of statistics is loaded, which few servers ever need.
  const { meanDifference } = await import('./mean-difference.ts');
  const sample = (row: typeof NOBODY, quantity: Quantity): Sample => ({
    members: row.members,
    mean: row[`${quantity}_mean`],
    variance: row[`${quantity}_variance`],
  });
  const compare = (quantity: Quantity) => {
    const [one, other] = [sample(awardedGroup, quantity), sample(heldOut, quantity)];
    return { given: one.mean, heldOut: other.mean, ...meanDifference(one, other) };
  };
  return {
    membersGiven: awardedGroup.members,
    membersHeldOut: heldOut.members,
    purchases: compare('purchases'),
    amountMinor: compare('amount'),
    points: compare('earned'),
  };
}

// Member by member first, since members are what is compared.
const GROUPS = `
  select held_out, coalesce(sum(points), 0)::text as points, coalesce(sum(amount_given), 0)::text as amount_given,
    count(*) filter (where purchases_given > 0) as members_given,
    coalesce(sum(purchases_given), 0)::bigint as purchases_given, count(*) as members,
    avg(purchases::float8) as purchases_mean, coalesce(var_samp(purchases::float8), 0) as purchases_variance,
    avg(amount::float8) as amount_mean, coalesce(var_samp(amount::float8), 0) as amount_variance,
    avg(earned::float8) as earned_mean, coalesce(var_samp(earned::float8), 0) as earned_variance
  from (
    select member_id, held_out, count(*) as purchases, sum(amount_minor) as amount, sum(earned_points) as earned,
      sum(points) as points, count(*) filter (where points > 0) as purchases_given,
      sum(amount_minor) filter (where points > 0) as amount_given
    from campaign_awards
    where environment_id = $1::uuid and program_id = $2 and campaign_id = $3
    group by member_id, held_out
  ) of_member
  group by held_out`;
