/** Stored codes in words: lengths of time, times of day, countries and languages. Pure. */

/** The language of the user, and the names of places and languages in it. */
interface Named {
  readonly locale: string;
  readonly nameIn: (type: 'region' | 'language', code: string) => string;
  readonly zoneName: (zone: string) => string;
}

const LENGTH = /^P(?=.)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const UNITS = ['year', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const;
const TIME = /^([01]\d|2[0-3]):([0-5]\d):00$/;
const COUNTRY = /^[A-Z]{2}$/;
const LANGUAGE = /^[a-z]{2}(-[A-Z]{2})?$/;
const ZONE = /^[A-Z]\w+\/\w+/;

const lengthIn = (locale: string, value: string): string | undefined => {
  const counts = LENGTH.exec(value)?.slice(1) ?? [];
  const parts = UNITS.flatMap((unit, n) =>
    counts[n] === undefined
      ? []
      : [new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(Number(counts[n]))],
  );
  return parts.length === 0 ? undefined : parts.join(', ');
};

const timeIn = (locale: string, value: string): string | undefined => {
  const [, hours, minutes] = TIME.exec(value) ?? [];
  if (hours === undefined) return undefined;
  const at = Date.UTC(2000, 0, 1, Number(hours), Number(minutes));
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }).format(at);
};

/**
 * Returns a stored code in the language of the user, for example `1 year` for `P1Y`; undefined if it is none.
 * `property`: its stored name, which tells codes of countries from those of languages.
 */
export function codeIn(property: string, value: string, { locale, nameIn, zoneName }: Named): string | undefined {
  if (COUNTRY.test(value) && /(^|_)(country|nationality)$/.test(property)) return nameIn('region', value);
  if (LANGUAGE.test(value) && /(^|_)(language|locale)$/.test(property)) return nameIn('language', value);
  if (ZONE.test(value) && property.endsWith('zone')) return zoneName(value);
  return lengthIn(locale, value) ?? timeIn(locale, value);
}
