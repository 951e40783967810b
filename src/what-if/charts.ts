import { escapeHtml } from './escape-html.ts';
import { grouped, signed, withTrueMinus } from './words.ts';

/** One item on the axis of a chart, with the values that are drawn there. */
export interface ChartItem {
  label: string;
  values: readonly number[];
}

/** The texts of a chart. */
export interface ChartText {
  /** The text that a screen reader reads instead of the picture. The table beside the chart has the numbers. */
  title: string;
  /**
   * The names of the values of an item. By their order they have the classes `series-0`, `series-1` of the style sheet.
   */
  series: readonly string[];
}

/** The width of a chart in units of its viewBox, about one pixel each: on a wide screen, and on a telephone. */
const WIDE = 720;
export const NARROW = 330;

const HEIGHT = 260;
const LEFT = 64;
/** The same on a narrow page. */
const NARROW_LEFT = 40;
const BOTTOM = 34;
const TOP = 10;
const INNER_HEIGHT = HEIGHT - TOP - BOTTOM;
/** The approximate width of a label. Where the items are closer together, only some of them have a label. */
const LABEL_WIDTH = 58;
const ROW_HEIGHT = 34;
/** The room for the number behind the longest bar. */
const ROW_VALUE_WIDTH = 90;

/** Bars side by side for each item. Values are not negative. */
export function barChart(items: readonly ChartItem[], text: ChartText, wide = WIDE): string {
  const left = leftOf(wide);
  const top = axisTop(Math.max(0, ...items.flatMap(({ values }) => values)));
  const step = (wide - left) / Math.max(1, items.length);
  const bars = items.flatMap(({ label, values }, position) => {
    const width = Math.min(26, (step * 0.78) / values.length);
    const start = left + position * step + (step - width * values.length) / 2;
    return values.map((value, index) => {
      const height = (value / top) * INNER_HEIGHT;
      const name = [text.series[index], label, grouped(value)].filter(Boolean).join(', ');
      return (
        `<rect class="series-${index}" x="${round(start + index * width)}" y="${round(TOP + INNER_HEIGHT - height)}" ` +
        `width="${round(Math.max(1, width - 1))}" height="${round(height)}" ` +
        `rx="1.5"><title>${escapeHtml(name)}</title></rect>`
      );
    });
  });
  return svg(text, wide, HEIGHT, [...grid(top, wide), ...labels(items, left, step), ...bars]);
}

/** A line for each value of the items, with the items at even distances. Values are not negative. */
export function lineChart(items: readonly ChartItem[], text: ChartText, wide = WIDE): string {
  const left = leftOf(wide);
  const top = axisTop(Math.max(0, ...items.flatMap(({ values }) => values)));
  const step = (wide - left) / Math.max(1, items.length);
  const lines = text.series.map((name, index) => {
    const points = items.map(({ values }, position) => {
      const height = ((values[index] ?? 0) / top) * INNER_HEIGHT;
      return { x: round(left + (position + 0.5) * step), y: round(TOP + INNER_HEIGHT - height) };
    });
    const path = points.map(({ x, y }) => `${x},${y}`).join(' ');
    const last = points.at(-1);
    const dot = last ? `<circle class="series-${index}" cx="${last.x}" cy="${last.y}" r="4"/>` : '';
    return `<g><title>${escapeHtml(name)}</title><polyline class="line-${index}" points="${path}"/>${dot}</g>`;
  });
  return svg(text, wide, HEIGHT, [...grid(top, wide), ...labels(items, left, step), ...lines]);
}

/** One bar for each item, to the left of a middle line for a negative value and to the right for a positive one. */
export function differenceChart(items: readonly ChartItem[], text: ChartText): string {
  const most = Math.max(1, ...items.map(({ values }) => Math.abs(values[0] ?? 0)));
  const [labelWidth, valueWidth] = [240, 120];
  const half = (WIDE - labelWidth - 2 * valueWidth) / 2;
  const middle = labelWidth + valueWidth + half;
  const rows = items.map(({ label, values: [value = 0] }, index) => {
    const width = (Math.abs(value) / most) * half;
    const y = index * ROW_HEIGHT + 7;
    const baseline = y + 15;
    const [x, textX, anchor] =
      value < 0 ? [middle - width, middle - width - 8, 'end'] : [middle, middle + width + 8, 'start'];
    const words = withTrueMinus(signed(value));
    return (
      `<text class="name" x="${labelWidth}" y="${baseline}" text-anchor="end">${escapeHtml(shortened(label, 34))}` +
      `<title>${escapeHtml(label)}</title></text>` +
      `<rect class="${value < 0 ? 'less' : 'more'}" x="${round(x)}" y="${y}" width="${round(Math.max(1, width))}" height="20" rx="2"/>` +
      `<text class="value" x="${round(textX)}" y="${baseline}" text-anchor="${anchor}">${words}</text>`
    );
  });
  const height = items.length * ROW_HEIGHT;
  const line = `<line class="axis" x1="${middle}" x2="${middle}" y1="0" y2="${height}"/>`;
  return svg(text, WIDE, height, [...rows, line]);
}

/** A chart for a narrow page: a row for each item, with its label above its bars and each number behind its bar. */
export function rowChart(
  items: readonly ChartItem[],
  text: ChartText,
  style: 'series' | 'difference',
): string {
  const most = Math.max(1, ...items.flatMap(({ values }) => values.map(Math.abs)));
  const room = NARROW - ROW_VALUE_WIDTH;
  let y = 0;
  const rows = items.map(({ label, values }) => {
    y += 16;
    const name = `<text class="name" x="0" y="${y}">${escapeHtml(shortened(label, 46))}<title>${escapeHtml(label)}</title></text>`;
    const bars = values.map((value, index) => {
      y += 6;
      const width = round(Math.max(1, (Math.abs(value) / most) * room));
      const [words, kind] =
        style === 'series'
          ? [grouped(value), `series-${index}`]
          : [withTrueMinus(signed(value)), value < 0 ? 'less' : 'more'];
      const bar =
        `<rect class="${kind}" x="0" y="${y}" width="${width}" height="10" rx="2"/>` +
        `<text class="value" x="${round(width + 6)}" y="${y + 9}">${words}</text>`;
      y += 10;
      return bar;
    });
    y += 8;
    return name + bars.join('');
  });
  return svg(text, NARROW, y, rows);
}

/** The top of an axis: the smallest round number that is not below a value; 1 for 0. */
export function axisTop(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 1.2, 1.6, 2, 2.4, 3, 4, 6, 8, 10].find((candidate) => candidate * power >= value) ?? 10;
  return step * power;
}

function svg({ title }: ChartText, width: number, height: number, parts: readonly string[]): string {
  return (
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(title)}">` +
    `${parts.join('')}</svg>`
  );
}

function leftOf(width: number): number {
  return width < WIDE ? NARROW_LEFT : LEFT;
}

function grid(top: number, width: number): string[] {
  const left = leftOf(width);
  // All values are whole numbers of members or of the smallest loyalty unit, so the axis shows only whole numbers.
  const shares = [0, 0.25, 0.5, 0.75, 1].filter((share) => isWhole(top * share));
  return shares.map((share) => {
    const y = round(TOP + INNER_HEIGHT * (1 - share));
    return (
      `<line class="${share === 0 ? 'axis' : 'grid'}" x1="${left}" x2="${width}" y1="${y}" y2="${y}"/>` +
      `<text class="tick" x="${left - 8}" y="${y + 4}" text-anchor="end">${short(top * share)}</text>`
    );
  });
}

function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) < 1e-6;
}

function labels(items: readonly ChartItem[], left: number, step: number): string[] {
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / step));
  return items.flatMap(({ label }, index) =>
    index % every === 0
      ? [
          `<text class="tick" x="${round(left + (index + 0.5) * step)}" y="${HEIGHT - 12}" ` +
            `text-anchor="middle">${escapeHtml(label)}</text>`,
        ]
      : [],
  );
}

const SIZES = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

/** A number for an axis: `250`, `2.5k`, `1M`. */
function short(value: number): string {
  const [size, suffix] = SIZES.find(([least]) => value >= least) ?? [1, ''];
  return `${Number((value / size).toPrecision(3))}${suffix}`;
}

function shortened(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
