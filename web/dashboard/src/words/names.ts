/** Names of countries, languages and time zones in the language of the user: people choose these instead of codes. */
import { locale } from './language.ts';

export type Named = readonly [code: string, name: string];

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const PAIRS = [...LETTERS].flatMap((first) => [...LETTERS].map((second) => first + second));

/** Codes of regions that are not countries: unions, islands with a code for the post alone, and those for tests. */
const NO_COUNTRIES = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' '));

const namesOf = (type: 'region' | 'language') => new Intl.DisplayNames(locale, { type, fallback: 'none' });

const sorted = (all: readonly Named[]): readonly Named[] => all.toSorted(([, a], [, b]) => a.localeCompare(b, locale));

/** Computes a list at its first use. */
const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};

const named = (type: 'region' | 'language', codes: readonly string[]): readonly Named[] => {
  const names = namesOf(type);
  return sorted(
    codes.flatMap((code) => {
      const name = names.of(code);
      return name === undefined ? [] : [[code, name] as const];
    }),
  );
};

/** Returns the countries with their ISO 3166 codes. */
export const countries = once(() =>
  named(
    'region',
    // Codes of former countries mean their successors, which have codes of their own.
    PAIRS.filter((code) => !NO_COUNTRIES.has(code) && new Intl.Locale(`und-${code}`).region === code),
  ),
);

/** Returns the languages that have a code of two letters. */
export const languages = once(() =>
  named(
    'language',
    PAIRS.map((code) => code.toLowerCase()).filter((code) => new Intl.Locale(code).language === code),
  ),
);

/** Returns the name of a country or a language; the code itself if it has none, such as text that somebody typed. */
export function nameIn(type: 'region' | 'language', code: string): string {
  try {
    return namesOf(type).of(code) ?? code;
  } catch {
    return code;
  }
}

/** Returns the city of a time zone and the common name of the time there: `Toronto – Eastern Time`. */
export function zoneName(timeZone: string): string {
  const city = timeZone.split('/').slice(1).join(', ').replaceAll('_', ' ') || timeZone;
  try {
    const called = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'longGeneric' })
      .formatToParts(0)
      .find(({ type }) => type === 'timeZoneName')?.value;
    return called ? `${city} – ${called}` : city;
  } catch {
    return timeZone;
  }
}

/** Returns all time zones. */
export const zones = once(() => sorted(Intl.supportedValuesOf('timeZone').map((zone) => [zone, zoneName(zone)])));
