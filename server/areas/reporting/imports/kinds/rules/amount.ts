/** Amounts as they appear in files. Pure. */
import { parseDecimal } from '../../../../../kernel/base/values/money.ts';
import { minorDigits } from '../../../../../kernel/base/values/currency.ts';

/** Returns the minor units of `€ 1.234,50`, `1,234.5` or `45`; undefined if it isn't an amount of 0 or more. */
export function readAmount(text: string, currency: string): number | undefined {
  const plain = text.replaceAll(/[^\d.,-]/g, '');
  const decimal = /[.,](\d{1,2})$/.exec(plain);
  const whole = (decimal ? plain.slice(0, decimal.index) : plain).replaceAll(/[.,]/g, '');
  const digits = minorDigits(currency);
  // 1500.00 in a currency without minor units.
  const fraction = decimal?.[1].replace(/0+$/, '') ?? '';
  if (fraction.length > digits) return undefined;
  const minor = parseDecimal(fraction === '' ? whole : `${whole}.${fraction}`, currency);
  return minor === null || minor < 0 ? undefined : minor;
}
