/** The languages for customers, and the choice by a browser's headers. Pure. */

/** Each with its own name, as it appears in the language menu. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  nl: 'Nederlands',
  it: 'Italiano',
  pt: 'Português',
  pl: 'Polski',
  he: 'עברית',
} as const;

export type Language = keyof typeof LANGUAGES;

export const isLanguage = (text: string): text is Language => Object.hasOwn(LANGUAGES, text);

/** The language and locale of a page. */
export interface Reader {
  readonly language: Language;
  /** for numbers, days and times: the language with the reader's region, for example `en-GB` */
  readonly locale: string;
}

/** Default if nothing is known about the reader. */
export const ENGLISH: Reader = { language: 'en', locale: 'en' };

const MAX_LENGTH = 200;
const MAX_TAGS = 20;
/** a language and a region; scripts and variants change nothing that we print */
const TAG = /^([a-z]{2})(?:-[a-z]{4})?(?:-([a-z]{2}))?$/i;

/**
 * Returns the best language of `accept-language`, or else `usual`. `chosen`, which somebody selected on a page, takes
 * precedence; if the browser names the same language with a region, the region is kept.
 */
export function readerOf(accepts: string | undefined, chosen: string | null, usual: Reader): Reader {
  const named = tagsOf(accepts);
  if (chosen !== null && isLanguage(chosen))
    return named.find(({ language }) => language === chosen) ?? { language: chosen, locale: chosen };
  return named[0] ?? usual;
}

/** Returns the requested languages that are available, most preferred first. */
function tagsOf(accepts: string | undefined): Reader[] {
  return (accepts ?? '')
    .slice(0, MAX_LENGTH)
    .split(',', MAX_TAGS)
    .flatMap((part) => {
      const [tag, ...options] = part.split(';').map((text) => text.trim());
      const quality = Number(options.find((one) => one.startsWith('q='))?.slice(2) ?? 1);
      const [, written = '', region] = TAG.exec(tag) ?? [];
      const language = written.toLowerCase();
      if (!isLanguage(language) || !(quality > 0)) return [];
      return [{ language, locale: region ? `${language}-${region.toUpperCase()}` : language, quality }];
    })
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ language, locale }) => ({ language, locale }));
}

/**
 * Returns the language that most people read in a country (ISO 3166 alpha-2), or else English in the country's format.
 * `chosen` takes precedence.
 */
export function readerIn(country: string, chosen: string | null = null): Reader {
  if (chosen !== null && isLanguage(chosen)) return { language: chosen, locale: `${chosen}-${country}` };
  const { language } = new Intl.Locale(`und-${country}`).maximize();
  const known = isLanguage(language) ? language : 'en';
  return { language: known, locale: `${known}-${country}` };
}

/** Returns the text direction of a locale (BCP 47). */
export const textDirection = (locale: string): 'ltr' | 'rtl' =>
  new Intl.Locale(locale).getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr';
