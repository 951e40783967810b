import { barChart, type ChartItem, differenceChart, lineChart, NARROW, rowChart } from './charts.ts';
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
  verdict,
  withTrueMinus,
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
<p class="verdict">${shown(verdict(report))}</p>
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
    ? `worth ${money(amountMinor.draft, currencyExponent, currency)}, ${signed(liability.open.difference)} ${unitName}`
    : `${grouped(liability.open.now)} ${unitName} now`;
  const { better, worse } = members;
  return `<div class="figures">
${figure('Points awarded', percentOf(points.total), `${signed(points.total.difference)} ${unitName}`, { change: points.total })}
${figure('Open at the end', grouped(liability.open.draft), open, { unit: unitName })}
${figure('Better off', grouped(better.members), `${signed(better.points)} ${unitName}`, { unit: 'members' })}
${figure('Worse off', grouped(worse.members), `${signed(worse.points)} ${unitName}`, { unit: 'members' })}
</div>`;
}

/** @param more `change` gives the value the colour of more or less; `unit` stands behind the value */
function figure(
  name: string,
  value: string,
  beside: string,
  more: { change?: Change; unit?: string },
): string {
  const sign = BigInt(more.change?.difference ?? 0);
  const tone = sign > 0n ? ' class="up"' : sign < 0n ? ' class="down"' : '';
  const unit = more.unit === undefined ? '' : ` <small>${escapeHtml(more.unit)}</small>`;
  return (
    `<div class="card figure"><span>${escapeHtml(name)}</span><b${tone}>${shown(value)}${unit}</b>` +
    `<span>${shown(beside)}</span></div>`
  );
}

function months({ months: rows, unitName }: SimulationReport): string {
  if (rows.length === 0) return '';
  const items = rows.map((row) => ({ label: row.id, values: [Number(row.now), Number(row.draft)] }));
  const running = [0, 0];
  const sums: ChartItem[] = items.map(({ label, values }) => {
    values.forEach((value, index) => {
      running[index] = (running[index] ?? 0) + value;
    });
    return { label, values: [...running] };
  });
  const text = { title: 'Points awarded in each month, now and under the draft', series: SIDES };
  const sumsText = { title: 'Points awarded so far, now and under the draft', series: SIDES };
  const lines =
    rows.length > 1
      ? `<h2>Adding up</h2>${legend(unitName)}${either(lineChart(sums, sumsText), lineChart(sums, sumsText, NARROW))}`
      : '';
  return `<section class="card">
<h2>Points by month</h2>
${legend(unitName)}${either(barChart(items, text), barChart(items, text, NARROW))}
${lines}
${details('The numbers', changes(`Points by month, in ${unitName}`, 'Month', rows))}
</section>`;
}

function sources({ sources: rows, tiers: tierRows, unitName }: SimulationReport): string {
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
<p class="note">Rules, tier multipliers, campaigns, caps and limits: points under the draft less points now, in ${escapeHtml(unitName)}.</p>
${changed.length > 0 ? chart : '<p>No difference.</p>'}
${details('The numbers', changes(`What gives and takes points, in ${unitName}`, 'Source', named))}
</section>`;
}

function tiers({ tiers: rows, unitName }: SimulationReport): string {
  const items = rows.map((row) => ({
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
  const heads = ['Tier', 'Purchases now', 'Draft', 'Points now', 'Draft', 'Difference', 'Change'];
  if (rows.length === 0) return '';
  return `<section class="card">
<h2>Points by tier</h2>
<p class="note">By the tier that the member had at the purchase.</p>
${legend(unitName)}${either(barChart(items, text), rowChart(items, text, 'series'))}
${details('The numbers', table(`Purchases, and points in ${unitName}, by tier`, heads, cells, 'counted'))}
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
    const worth = [now, draft, difference].map((minor) => money(minor, currencyExponent));
    rows.push([`Open, as valued, in ${currency}`, ...worth, percentOf(amountMinor)]);
  }
  return `<section class="card">
<h2>Liability at ${escapeHtml(day(owed.at))}</h2>
${table(`In ${unitName}`, ['Points', 'Now', 'Draft', 'Difference', 'Change'], rows)}
<p class="note">${escapeHtml(assumption(owed))}</p>
</section>`;
}

function members({ members: summary, unitName }: SimulationReport): string {
  // The labels leave the percent sign out, because they would overlap with it. The note below the heading names the
  // unit.
  const bands = summary.bands.map((band) => ({ ...band, label: withTrueMinus(band.label) }));
  const items = bands.map(({ label, members: count }) => ({
    label: label.replace(' %', ''),
    values: [count],
  }));
  const text = { title: 'Members by how much more or less they would get', series: ['Members'] };
  const chart = either(barChart(items, text), rowChart(items, text, 'series'));
  const rows = bands.map(({ label, members: count }) => [label, grouped(count)]);
  if (summary.withPoints === 0) return '';
  return `<section class="card members">
<h2>Members</h2>
<p class="note">${grouped(summary.withPoints)} members earned; ${grouped(summary.same)} would have got the same. By change of their points, in percent; all bands but the outer two are equally wide:</p>
${chart}
${details('The numbers', table('Members by change of their points', ['Change', 'Members'], rows, 'short'))}
<div class="pair">
${movers('Would win most', unitName, summary.topWinners)}
${movers('Would lose most', unitName, summary.topLosers)}
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

function legend(unitName: string): string {
  return (
    '<div class="legend" aria-hidden="true"><span><i class="series-0"></i>Now</span>' +
    `<span><i class="series-1"></i>Draft</span></div><p class="unit">In ${escapeHtml(unitName)}</p>`
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
  return table(caption, [head, 'Now', 'Draft', 'Difference', 'Change'], cells);
}

function cellsOf(change: Change): string[] {
  return [grouped(change.now), grouped(change.draft), signed(change.difference), percentOf(change)];
}

/** A text as HTML, with true minuses. */
function shown(text: string): string {
  return escapeHtml(withTrueMinus(text));
}

/** @param shape its layout on a narrow page: `counted` has counts before its points, `short` has two columns */
function table(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  shape?: 'counted' | 'short',
): string {
  const head = heads.map((text) => `<th scope="col">${escapeHtml(text)}</th>`).join('');
  const body = rows
    .map(([name = '', ...cells]) => {
      const rest = cells.map((text) => `<td>${shown(text)}</td>`).join('');
      return `<tr><th scope="row">${escapeHtml(name)}</th>${rest}</tr>`;
    })
    .join('\n');
  return (
    `<div class="scroll" role="region" aria-label="${escapeHtml(caption)}" tabindex="0"><table${shape ? ` class="${shape}"` : ''}><caption>${escapeHtml(caption)}</caption>` +
    `<thead><tr>${head}</tr></thead>\n<tbody>\n${body}\n</tbody></table></div>`
  );
}
