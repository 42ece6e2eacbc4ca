/** Currencies of ISO 4217: the digits of their minor unit, and the form of their symbol. */

/** `digits`: decimals of the minor unit; `position`: position of the symbol in the locale. */
export type Currency = { code: string; digits: number; symbol: string; position: 'before' | 'after' };

// Stored amounts count minor units, so these digits may never change. The runtime's own digits follow the practice of
// shops (no decimals for HUF or PKR) and change between its versions; these are ISO 4217's. Every other currency has
// two.
const DIGITS: Record<string, number> = Object.fromEntries([
  ...[
    'BIF',
    'CLP',
    'DJF',
    'GNF',
    'ISK',
    'JPY',
    'KMF',
    'KRW',
    'PYG',
    'RWF',
    'UGX',
    'VND',
    'VUV',
    'XAF',
    'XOF',
    'XPF',
  ].map((code) => [code, 0]),
  ...['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map((code) => [code, 3]),
]);

const CODES = new Set(Intl.supportedValuesOf('currency'));
/** by locale, then by code: a key of both would be built for every printed amount */
const described = new Map<string, Map<string, Currency>>();

/** Returns true if a text is an upper-case ISO 4217 code. */
export function isCurrency(code: string): boolean {
  return CODES.has(code);
}

/** Returns the digits of the minor unit: 2 for GBP, 0 for JPY, 3 for KWD; throws RangeError for an unknown code. */
export function minorDigits(code: string): number {
  if (!CODES.has(code)) throw new RangeError(`Unknown currency: ${JSON.stringify(code)}`);
  return DIGITS[code] ?? 2;
}

/**
 * Returns a currency as written in a locale (kr before the amount in English, after it in Swedish); throws RangeError
 * for an unknown code or locale.
 */
export function currencyOf(code: string, locale = 'en'): Currency {
  let here = described.get(locale);
  const known = here?.get(code);
  if (known) return known;
  const currency = describe(code, locale);
  if (!here) described.set(locale, (here = new Map()));
  here.set(code, currency);
  return currency;
}

function describe(code: string, locale: string): Currency {
  const digits = minorDigits(code);
  const parts = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: code,
    currencyDisplay: 'narrowSymbol',
  }).formatToParts(1);
  const symbol = parts.findIndex((part) => part.type === 'currency');
  const number = parts.findIndex((part) => part.type === 'integer');
  return { code, digits, symbol: parts[symbol].value, position: symbol < number ? 'before' : 'after' };
}
