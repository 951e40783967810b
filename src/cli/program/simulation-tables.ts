import type { Change, Mover, SimulationReport } from '../../what-if/report.ts';
import {
  assumption,
  comparedInWords,
  day,
  grouped,
  money,
  percentOf,
  periodInWords,
  signed,
  sourceInWords,
  verdict,
} from '../../what-if/words.ts';
import { table } from '../shell/output.ts';
import { printableLine } from '../shell/printable.ts';

/** A simulation as tables for a terminal. @param draftName the draft's file */
export function describeSimulation(report: SimulationReport, draftName: string): string {
  const { points, liability, members, refused } = report;
  const parts = [
    printableLine(verdict(report)),
    '',
    `${printableLine(report.programName)} (${report.programId}): ${periodInWords(report)}`,
    printableLine(comparedInWords(report, draftName)),
    ...refused.map(({ code, purchases }) => `The draft refuses ${grouped(purchases)} of them: ${code}.`),
    '',
    table(
      ['points', 'now', 'draft', 'difference', ''],
      [
        changeRow('awarded', points.total),
        changeRow('  base', points.base),
        ...optional('  campaigns', points.campaigns),
        ...optional('  challenges', points.challenges),
        ...optional('  referrals', points.referrals),
        changeRow(`expired by ${day(liability.at)}`, liability.expired),
        changeRow('open', liability.open),
        ...optional('  still pending', liability.pending),
      ],
    ),
    ...worthOf(liability),
    assumption(liability),
    '',
    table(
      ['what gives and takes', 'now', 'draft', 'difference', ''],
      report.sources.map((row) => changeRow(sourceInWords(row), row)),
    ),
    '',
    table(
      ['tier at the purchase', 'purchases', 'draft', 'points', 'draft', 'difference', ''],
      report.tiers.map((row) => [
        row.id,
        grouped(row.countNow),
        grouped(row.countDraft),
        ...changeRow('', row).slice(1),
      ]),
    ),
    '',
    table(
      ['month', 'now', 'draft', 'difference', ''],
      report.months.map((row) => changeRow(row.id, row)),
    ),
    '',
    `Members: ${grouped(members.withPoints)}. Better off: ${grouped(members.better.members)} ` +
      `(${signed(members.better.points)}). Worse off: ${grouped(members.worse.members)} ` +
      `(${signed(members.worse.points)}). The same: ${grouped(members.same)}.`,
    ...movers('would win most', members.topWinners),
    ...movers('would lose most', members.topLosers),
  ];
  return parts.join('\n');
}

function changeRow(label: string, change: Change): string[] {
  const { now, draft, difference } = change;
  return [printableLine(label), grouped(now), grouped(draft), signed(difference), percentOf(change)];
}

/** A row that is left out where both sides are 0. */
function optional(label: string, change: Change): string[][] {
  return change.now === '0' && change.draft === '0' ? [] : [changeRow(label, change)];
}

function worthOf({ amountMinor, currency, currencyExponent }: SimulationReport['liability']): string[] {
  if (!amountMinor) return [];
  const [now, draft] = [amountMinor.now, amountMinor.draft].map((minor) =>
    money(minor, currencyExponent, currency),
  );
  return [`The open points are worth ${now} now and ${draft} under the draft.`];
}

function movers(heading: string, rows: readonly Mover[]): string[] {
  if (rows.length === 0) return [];
  return [
    '',
    table(
      [heading, 'now', 'draft', 'difference'],
      rows.map(({ externalCustomerId, now, draft, difference }) => [
        printableLine(externalCustomerId),
        grouped(now),
        grouped(draft),
        signed(difference),
      ]),
    ),
  ];
}
