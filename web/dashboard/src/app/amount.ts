/**
 * Amounts as people type them, `12,50`, ` 12.5 ` or `1.234,50`, as the interface takes them. What separates is seen from how it
 * stands; only `1.234` and `1,234` mean one thing in one country and another elsewhere, and go by the ways that are set.
 */

import { amounts } from './amount-ways.ts';

const SPACES = /[\s\u00A0\u202F'’]/g;

/** The separator of thousands in a locale. */
const groupOf = (locale: string): string | undefined =>
  new Intl.NumberFormat(locale).formatToParts(1_234_567).find(({ type }) => type === 'group')?.value;

/** The separators of thousands for the reader and for the business. */
function groupsNow(): readonly (string | undefined)[] {
  if (amounts.ways === null) return [];
  const { locale, country } = amounts.ways;
  return [locale, new Intl.Locale('und', { region: country }).maximize().toString()].map(groupOf);
}

/** Returns text that is no amount as it is; the interface refuses it. */
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
