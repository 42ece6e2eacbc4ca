/**
 * Converts amounts as people type them (`12,50`, ` 12.5 ` or `1.234,50`) to the format of the interface. The position
 * tells which separator is the decimal one; only `1.234` and `1,234` are ambiguous, since their meaning depends on the
 * country, and follow the notation that is set.
 */

import { amounts } from './amount-ways.ts';

const SPACES = /[\s\u00A0\u202F'’]/g;

/** Returns the thousands separator of a locale. */
const groupOf = (locale: string): string | undefined =>
  new Intl.NumberFormat(locale).formatToParts(1_234_567).find(({ type }) => type === 'group')?.value;

/** Returns the thousands separators of the user and of the business. */
function groupsNow(): readonly (string | undefined)[] {
  if (amounts.ways === null) return [];
  const { locale, country } = amounts.ways;
  return [locale, new Intl.Locale('und', { region: country }).maximize().toString()].map(groupOf);
}

/** Returns text that is not an amount unchanged; the interface refuses it. */
export function typedAmount(text: string): string {
  const typed = text.trim();
  const amount = typed.replaceAll(SPACES, '');
  const separators: readonly string[] = amount.match(/[.,]/g) ?? [];
  const last = separators.at(-1);
  if (last === undefined) return amount === '' ? typed : amount;
  const [whole, ...rest] = amount.split(last);
  const other = last === '.' ? ',' : '.';
  if (separators.includes(other)) {
    const grouped = new RegExp(`^-?\\d{1,3}(?:\\${other}\\d{3})+$`);
    return rest.length === 1 && grouped.test(whole) ? `${whole.replaceAll(other, '')}.${rest[0]}` : typed;
  }
  const areGroups = /^-?[1-9]\d{0,2}$/.test(whole) && rest.every((part) => /^\d{3}$/.test(part));
  const groups = groupsNow();
  if (rest.length > 1) return areGroups ? amount.replaceAll(last, '') : typed;
  return areGroups && groups.length > 0 && groups.every((group) => group === last)
    ? amount.replace(last, '')
    : amount.replace(last, '.');
}
