import { barChart, differenceChart, lineChart, NARROW, type Place, rowChart } from './charts.ts';
import { escapeHtml } from './escape-html.ts';
import { pageStyle } from './page-style.ts';
import type { Change, Mover, SimulationReport } from './report.ts';
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
  tierInWords,
} from './words.ts';

const SIDES = ['Now', 'Draft'];
/**
 * The highest number of sources of points in the chart, which would be hard to read with more. The table has all of
 * them.
 */
const MOST_SOURCES = 14;

/**
 * A simulation as one self-contained HTML page, without scripts and without fonts or pictures from elsewhere.
 * @param draftName the name of the draft's file
 */
export function simulationPage(report: SimulationReport, draftName: string): string {
  const title = `${report.programName}: what the draft would change`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p class="lead">${escapeHtml(periodInWords(report))}<br>${escapeHtml(comparedInWords(report, draftName))}</p>
${refusals(report)}
${figures(report)}
${months(report)}
${sources(report)}
${tiers(report)}
${liability(report)}
${members(report)}
</main>
</body>
</html>
`;
}

function refusals({ refused }: SimulationReport): string {
  return refused
    .map(
      ({ code, purchases }) =>
        `<p class="warning">The draft refuses ${grouped(purchases)} of the purchases: ${escapeHtml(code)}.</p>`,
    )
    .join('\n');
}

function figures({ points, liability, members, unitName }: SimulationReport): string {
  const { amountMinor, currency, currencyExponent } = liability;
  const open = amountMinor
    ? `${money(amountMinor.draft, currencyExponent, currency)}, ${signed(liability.open.difference)} ${unitName}`
    : `${unitName}, ${grouped(liability.open.now)} now`;
  return `<div class="figures">
${figure('Points awarded', percentOf(points.total), `${signed(points.total.difference)} ${unitName}`, points.total)}
${figure('Open at the end', grouped(liability.open.draft), open)}
${figure('Members better off', grouped(members.better.members), `${signed(members.better.points)} ${unitName}`)}
${figure('Members worse off', grouped(members.worse.members), `${signed(members.worse.points)} ${unitName}`)}
</div>`;
}

function figure(name: string, value: string, beside: string, change?: Change): string {
  const sign = change ? BigInt(change.difference) : 0n;
  const tone = sign > 0n ? ' class="up"' : sign < 0n ? ' class="down"' : '';
  return (
    `<div class="card figure"><span>${escapeHtml(name)}</span><b${tone}>${escapeHtml(value)}</b>` +
    `<span>${escapeHtml(beside)}</span></div>`
  );
}

function months({ months: rows }: SimulationReport): string {
  if (rows.length === 0) return '';
  const places = rows.map((row) => ({ label: row.id, values: [Number(row.now), Number(row.draft)] }));
  const running = [0, 0];
  const sums: Place[] = places.map(({ label, values }) => {
    values.forEach((value, index) => {
      running[index] = (running[index] ?? 0) + value;
    });
    return { label, values: [...running] };
  });
  const text = { title: 'Points awarded in each month, now and under the draft', series: SIDES };
  const sumsText = { title: 'Points awarded so far, now and under the draft', series: SIDES };
  const lines =
    rows.length > 1
      ? `<h2>Adding up</h2>${legend()}${either(lineChart(sums, sumsText), lineChart(sums, sumsText, NARROW))}`
      : '';
  return `<section class="card">
<h2>Points by month</h2>
${legend()}${either(barChart(places, text), barChart(places, text, NARROW))}
${lines}
${details('The numbers', changes('Points by month', 'Month', rows))}
</section>`;
}

function sources({ sources: rows, tiers: tierRows }: SimulationReport): string {
  const tierNames = new Map(tierRows.map((row) => [row.id, tierInWords(row)]));
  const named = rows.map(({ id, ...row }) => ({
    ...row,
    id: sourceInWords({ ...row, id: (row.kind === 'tier' && tierNames.get(id)) || id }),
  }));
  const changed = named
    .filter(({ difference }) => difference !== '0')
    .sort((a, b) => Math.abs(Number(b.difference)) - Math.abs(Number(a.difference)))
    .slice(0, MOST_SOURCES)
    .map(({ id, difference }) => ({ label: id, values: [Number(difference)] }));
  const text = {
    title: 'What gives and takes points: the difference that the draft makes',
    series: ['Difference'],
  };
  const chart = either(differenceChart(changed, text), rowChart(changed, text, 'difference'));
  return `<section class="card">
<h2>What gives and takes</h2>
<p class="note">Rules, tier multipliers, campaigns, caps and limits: points under the draft less points now.</p>
${changed.length > 0 ? chart : '<p>No difference.</p>'}
${details('The numbers', changes('What gives and takes points', 'Source', named))}
</section>`;
}

function tiers({ tiers: rows }: SimulationReport): string {
  const places = rows.map((row) => ({
    label: tierInWords(row),
    values: [Number(row.now), Number(row.draft)],
  }));
  const text = { title: 'Points of purchases by tier, now and under the draft', series: SIDES };
  const cells = rows.map((row) => [
    tierInWords(row),
    grouped(row.countNow),
    grouped(row.countDraft),
    ...cellsOf(row),
  ]);
  const heads = ['Tier', 'Purchases now', 'Draft', 'Points now', 'Draft', 'Difference', ''];
  return `<section class="card">
<h2>Points by tier</h2>
<p class="note">By the tier that the member had at the purchase.</p>
${legend()}${either(barChart(places, text), rowChart(places, text, 'series'))}
${details('The numbers', table('Purchases and points by tier', heads, cells, 'counted'))}
</section>`;
}

function liability({ liability: owed, unitName }: SimulationReport): string {
  const { amountMinor, currency, currencyExponent } = owed;
  const rows = [
    ['Expired', ...cellsOf(owed.expired)],
    ['Still pending', ...cellsOf(owed.pending)],
    ['Open', ...cellsOf(owed.open)],
  ];
  if (amountMinor) {
    const { now, draft, difference } = amountMinor;
    const worth = [now, draft, difference].map((minor) => money(minor, currencyExponent, currency));
    rows.push(['Open, as valued', ...worth, percentOf(amountMinor)]);
  }
  return `<section class="card">
<h2>Liability at ${escapeHtml(day(owed.at))}</h2>
${table(`In ${unitName}`, ['', 'Now', 'Draft', 'Difference', ''], rows)}
<p class="note">${escapeHtml(assumption(owed))}</p>
</section>`;
}

function members({ members: found, unitName }: SimulationReport): string {
  // The labels leave the percent sign out, because they would overlap with it. The note below the heading names the
  // unit.
  const places = found.bands.map(({ label, members: count }) => ({
    label: label.replace(' %', ''),
    values: [count],
  }));
  const text = { title: 'Members by how much more or less they would get', series: ['Members'] };
  const chart = either(barChart(places, text), rowChart(places, text, 'series'));
  const bands = found.bands.map(({ label, members: count }) => [label, grouped(count)]);
  return `<section class="card members">
<h2>Members</h2>
<p class="note">${grouped(found.withPoints)} members earned; ${grouped(found.same)} would have got the same. By change of their points, in percent:</p>
${chart}
${details('The numbers', table('Members by change', ['Change', 'Members'], bands))}
<div class="pair">
${movers('Would win most', unitName, found.topWinners)}
${movers('Would lose most', unitName, found.topLosers)}
</div>
</section>`;
}

function movers(title: string, unitName: string, rows: readonly Mover[]): string {
  if (rows.length === 0) return '';
  const cells = rows.map(({ externalCustomerId, now, draft, difference }) => [
    externalCustomerId,
    grouped(now),
    grouped(draft),
    signed(difference),
  ]);
  return table(`${title}, in ${unitName}`, ['Customer', 'Now', 'Draft', 'Difference'], cells);
}

function legend(): string {
  return (
    '<div class="legend" aria-hidden="true"><span><i class="series-0"></i>Now</span>' +
    '<span><i class="series-1"></i>Draft</span></div>'
  );
}

/** A chart in two forms: for a wide page and for a narrow one. The style sheet shows one of them. */
function either(wide: string, narrow: string): string {
  return `<div class="wide">${wide}</div><div class="narrow">${narrow}</div>`;
}

function details(summary: string, content: string): string {
  return `<details><summary>${escapeHtml(summary)}</summary>${content}</details>`;
}

function changes(caption: string, head: string, rows: readonly (Change & { id: string })[]): string {
  const cells = rows.map((row) => [row.id, ...cellsOf(row)]);
  return table(caption, [head, 'Now', 'Draft', 'Difference', ''], cells);
}

function cellsOf(change: Change): string[] {
  return [grouped(change.now), grouped(change.draft), signed(change.difference), percentOf(change)];
}

/** @param shape `counted` for a table that has counts before its points: it has another layout on a narrow page */
function table(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  shape?: 'counted',
): string {
  const head = heads.map((text) => `<th scope="col">${escapeHtml(text)}</th>`).join('');
  const body = rows
    .map(([name = '', ...cells]) => {
      const rest = cells.map((text) => `<td>${escapeHtml(text)}</td>`).join('');
      return `<tr><th scope="row">${escapeHtml(name)}</th>${rest}</tr>`;
    })
    .join('\n');
  return (
    `<div class="scroll"><table${shape ? ` class="${shape}"` : ''}><caption>${escapeHtml(caption)}</caption>` +
    `<thead><tr>${head}</tr></thead>\n<tbody>\n${body}\n</tbody></table></div>`
  );
}
