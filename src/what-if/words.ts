import type { Change, SimulationReport } from './report.ts';

/** The names of the kinds of decisions, for people. */
const KINDS: Readonly<Record<string, string>> = {
  earn_rule: 'rule',
  tier: 'tier multiplier',
  campaign: 'campaign',
  campaign_cap: 'cap',
  member_limit: 'member limit',
  coupon: 'coupon',
  challenge: 'challenge',
  referral: 'referrals',
};

/** The name of a source of points, for people: `rule base`, `member limit`. */
export function sourceInWords({ kind, id }: { kind: string; id: string }): string {
  const name = KINDS[kind] ?? kind.replaceAll('_', ' ');
  return id === kind || kind === 'referral' ? name : `${name} ${id}`;
}

/** A tier for people, with its id: `Fan (fan)`. */
export function tierInWords({ id, name }: { id: string; name: string | null }): string {
  return name === null || name === id ? id : `${name} (${id})`;
}

/** A whole number with commas: `-1,234`. */
export function grouped(integer: string | number): string {
  return String(integer).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** A whole number with commas and its sign: `+1,234`, `0`, `-5`. */
export function signed(integer: string | number): string {
  const text = grouped(integer);
  return text === '0' || text.startsWith('-') ? text : `+${text}`;
}

/** The change of a sum in percent of its size before: `+12.5 %`; `new` where it was 0. */
export function percentOf({ now, difference }: Pick<Change, 'now' | 'difference'>): string {
  const [before, by] = [BigInt(now), BigInt(difference)];
  if (by === 0n) return '0 %';
  if (before === 0n) return 'new';
  const [dividend, divisor] = [by < 0n ? -by : by, before < 0n ? -before : before];
  const thousandths = (dividend * 1000n + divisor / 2n) / divisor;
  return `${by > 0n ? '+' : '-'}${grouped(String(thousandths / 10n))}.${thousandths % 10n} %`;
}

/** A text for a page: with a true minus, at which no line is broken. */
export function withTrueMinus(text: string): string {
  return text.replace(/(?<![\w.])-(?=\d)/g, '−');
}

/** What a draft would have changed, in one sentence: the points, and for how many members. */
export function verdict({ points, members, unitName, refused, ...report }: SimulationReport): string {
  if (report.purchases + report.engagementEvents === 0)
    return 'Nothing happened in this period that could be compared.';
  const purchases = refused.reduce((sum, { purchases: some }) => sum + some, 0);
  const refuses = purchases === 0 ? '' : ` It refuses ${counted(purchases, 'purchase')}.`;
  return `${issued(points.total, unitName)}: ${moved(members)}.${refuses}`;
}

function issued(total: Change, unitName: string): string {
  if (total.difference === '0')
    return `The draft would have issued as many points, ${grouped(total.now)} ${unitName}`;
  if (total.now === '0')
    return `The draft would have issued ${grouped(total.draft)} ${unitName}, where there were none`;
  const [percent, comparison] = [
    percentOf(total).slice(1),
    total.difference.startsWith('-') ? 'fewer' : 'more',
  ];
  const unit = unitName.toLowerCase() === 'points' ? '' : ` ${unitName}`;
  return `The draft would have issued ${percent} ${comparison} points (${signed(total.difference)}${unit})`;
}

function moved({ better, worse }: SimulationReport['members']): string {
  if (better.members + worse.members === 0) return 'no member better or worse off';
  const [most, least] = [counted(better.members, 'member'), counted(worse.members, 'member')];
  if (worse.members === 0) return `${most} better off, none worse`;
  if (better.members === 0) return `${least} worse off, none better`;
  return `${most} better off, ${grouped(worse.members)} worse`;
}

function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A minor amount, such as `1,234.50 USD`, or `1,234.50` without a currency. */
export function money(minor: string, exponent: number, currency?: string): string {
  const negative = minor.startsWith('-');
  const digits = (negative ? minor.slice(1) : minor).padStart(exponent + 1, '0');
  const integerPart = grouped(digits.slice(0, digits.length - exponent));
  const fraction = exponent > 0 ? `.${digits.slice(-exponent)}` : '';
  const unit = currency === undefined ? '' : ` ${currency}`;
  return `${negative ? '-' : ''}${integerPart}${fraction}${unit}`;
}

/** The events and the period of a report, in one sentence. */
export function periodInWords(report: SimulationReport): string {
  const { purchases, engagementEvents, from, to, clock } = report;
  const engaged = engagementEvents > 0 ? ` and ${grouped(engagementEvents)} engagement events` : '';
  const since = from === null ? 'up to' : `from ${day(from)} to`;
  const by =
    clock === 'event' ? 'by the time at which they happened' : 'by the time at which they were received';
  return `${grouped(purchases)} purchases${engaged}, ${since} ${day(to)}, ${by}.`;
}

/**
 * What the report compares, in one sentence.
 * @param draftName the name of the draft's file
 */
export function comparedInWords({ publishedVersion }: SimulationReport, draftName: string): string {
  const versions = publishedVersion === null ? '' : ` (${upTo(publishedVersion)})`;
  return `The draft ${draftName} compared with what is published${versions}.`;
}

function upTo(version: number): string {
  return version > 1 ? `versions up to ${version}` : `version ${version}`;
}

/** The date of an instant at midnight UTC; otherwise the instant, to the second. */
export function day(instant: string): string {
  return instant.endsWith('T00:00:00.000Z') ? instant.slice(0, 10) : `${instant.slice(0, 19)}Z`;
}

/** The assumption behind the open points of a report, in one sentence. */
export function assumption({ openShare }: SimulationReport['liability']): string {
  const { numerator, denominator } = openShare;
  const divisor = BigInt(denominator);
  const percent = (BigInt(numerator) * 1000n + divisor / 2n) / divisor;
  return (
    `Assumed: members redeem and return the same share under the draft. Of the period's points that live on, ` +
    `${percent / 10n}.${percent % 10n} % are still on the books.`
  );
}
