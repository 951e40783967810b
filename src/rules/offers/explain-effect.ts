import { currencyExponent } from '../../programs/document/currency-exponent.ts';
import type { OfferEffect } from '../../programs/document/offer-document.ts';

/** Explains what an effect did, such as `12.5 percent off 2 of 3 lines that came to 24.00 USD: 3.00 USD off.` */
export function explainEffect(
  effect: OfferEffect,
  matched: { lines: number; ofLines: number; leftMinor: number },
  discountMinor: number,
  currency: string,
): string {
  const money = (minor: number): string => formatMoney(minor, currency);
  const lines =
    matched.lines === matched.ofLines
      ? matched.lines === 1
        ? 'the one line'
        : `all ${matched.lines} lines`
      : `${matched.lines} of ${matched.ofLines} lines`;
  const where = `${lines} that came to ${money(matched.leftMinor)}: ${money(discountMinor)} off.`;
  switch (effect.kind) {
    case 'percent':
      return `${decimal(effect.basisPoints, 2)} percent off ${where}`;
    case 'amount':
      return `${money(effect.amountMinor)} off ${where}`;
    case 'fixed_price':
      return `Each unit for ${money(effect.unitPriceMinor)} on ${where}`;
    case 'free_item':
      return `For every ${effect.buy} units the cheapest ${effect.free} free, on ${where}`;
  }
}

function formatMoney(minor: number, currency: string): string {
  const exponent = currencyExponent(currency);
  const digits = String(minor).padStart(exponent + 1, '0');
  const integerPart = digits.slice(0, digits.length - exponent);
  return `${exponent === 0 ? integerPart : `${integerPart}.${digits.slice(-exponent)}`} ${currency}`;
}

/** A decimal without trailing zeros: 1250 with two decimals is 12.5. */
function decimal(value: number, decimals: number): string {
  return String(value / 10 ** decimals);
}
