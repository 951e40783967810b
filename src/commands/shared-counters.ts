import type { ProgramDocument } from '../programs/program-document.ts';
import type { ProgramVersion, PublishedProgram } from '../programs/published-program.ts';
import { compileProgram } from '../rules/compiled-program.ts';
import type { EvaluationRequest } from '../rules/pick-version.ts';

const NOTHING: readonly string[] = [];
const campaignCounters = new WeakMap<PublishedProgram, readonly string[]>();

/**
 * Names the shared counters that a purchase may take from, so that they are locked: those of the versions that it can
 * be evaluated under. None where no such version has a cap or a limit that members share.
 */
export function sharedCountersOf(
  { configurationVersion, mode }: EvaluationRequest,
  couponCode: string | null | undefined,
): (program: PublishedProgram) => readonly string[] {
  return (program) => {
    const pinned = mode === 'event_time_pinned_configuration';
    const versions = pinned
      ? program.versions.filter(({ version }) => version === configurationVersion)
      : candidates(program);
    let counters = pinned ? cappedIn(versions) : campaignCounters.get(program);
    if (!counters) {
      counters = cappedIn(versions);
      campaignCounters.set(program, counters);
    }
    if (!couponCode) return counters;
    const limited = versions.some(({ document }) => couponLimits(document, couponCode)?.total !== undefined);
    return limited ? [...counters, couponCounter(couponCode)] : counters;
  };
}

/** Versions that can hold now: the last one that held as soon as it was published, and those after it. */
function candidates({ versions }: PublishedProgram): readonly ProgramVersion[] {
  const from = versions.findLastIndex(({ effectiveFrom, publishedAt }) => effectiveFrom <= publishedAt);
  return from > 0 ? versions.slice(from) : versions;
}

function cappedIn(versions: readonly ProgramVersion[]): readonly string[] {
  const ids = versions.flatMap(({ document }) =>
    (document.campaigns ?? []).filter(({ caps }) => caps?.totalPoints !== undefined).map(({ id }) => id),
  );
  return ids.length === 0 ? NOTHING : [...new Set(ids)].map(campaignCounter);
}

/** How often a coupon can be redeemed; undefined where the document has no such coupon, or no limits. */
export function couponLimits(document: ProgramDocument, code: string) {
  return compileProgram(document).coupons.get(code)?.coupon.limits;
}

/** Name of the counter of a campaign's points. */
export function campaignCounter(id: string): string {
  return `campaign:${id}`;
}

/** Name of the counter of a coupon's uses. */
export function couponCounter(code: string): string {
  return `coupon:${code}`;
}
