const exponents: Readonly<Record<string, number>> = Object.fromEntries(
  [
    [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'] as const,
    [3, 'BHD IQD JOD KWD LYD OMR TND'] as const,
    [4, 'CLF UYW'] as const,
  ].flatMap(([exponent, codes]) => codes.split(' ').map((code) => [code, exponent])),
);

/**
 * Decimals of a currency's minor unit by ISO 4217. (The decimals of `Intl` are those customary in print, which differ:
 * none for IQD, whose minor unit is a thousandth.)
 */
export function currencyExponent(currency: string): number {
  return exponents[currency] ?? 2;
}
