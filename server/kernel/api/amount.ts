/** Reads amounts in requests, once the currency of the business is known. */
import { formatDecimal, minorDigits, parseDecimal } from '../base/values/money.ts';
import { invalid } from '../base/problem.ts';
import { say } from '../base/values/words.ts';

/** Returns the minor units of a decimal text, 0 or more; refuses other texts under the name of the property. */
export function minorOf(property: string, text: string, currency: string): number {
  const minor = parseDecimal(text, currency);
  if (minor !== null && minor >= 0) return minor;
  const example = formatDecimal({ minor: 10 ** minorDigits(currency) * 12, currency });
  throw invalid(property, say`Must be an amount in ${currency}, for example "${example}".`);
}
