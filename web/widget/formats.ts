/** How a locale writes numbers and dates, and in which direction it is read. */
export interface Formats {
  locale: string;
  direction: 'ltr' | 'rtl';
  /** A number of points with their unit. */
  amount(points: number): string;
  number(value: number): string;
  /** With its sign, except for 0. */
  change(points: number): string;
  date(isoTime: string): string;
}

/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']);

/**
 * Makes the formats of a locale. A locale that the browser does not understand gets those of the browser's own.
 * @param unitName the unit of points
 */
export function formatsFor(locale: string, unitName: string): Formats {
  const supportedLocale = understood(locale);
  const number = new Intl.NumberFormat(supportedLocale);
  const change = new Intl.NumberFormat(supportedLocale, { signDisplay: 'exceptZero' });
  const date = new Intl.DateTimeFormat(supportedLocale, { dateStyle: 'medium' });
  return {
    locale: supportedLocale,
    direction: directionOf(supportedLocale),
    amount: (points) => `${number.format(points)} ${unitName}`,
    number: (value) => number.format(value),
    change: (points) => change.format(points),
    date(isoTime) {
      const time = new Date(isoTime);
      return Number.isNaN(time.getTime()) ? '' : date.format(time);
    },
  };
}

function understood(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? navigator.language;
  } catch {
    return navigator.language;
  }
}

function directionOf(locale: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(new Intl.Locale(locale).maximize().script ?? '') ? 'rtl' : 'ltr';
}
