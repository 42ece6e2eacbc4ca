/** The languages that customers read, and which of them a browser asks for. Pure. */

/** Each with its own name, as it stands where somebody chooses it. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  nl: 'Nederlands',
  it: 'Italiano',
  pt: 'Português',
  pl: 'Polski',
} as const;

export type Language = keyof typeof LANGUAGES;

export const isLanguage = (text: string): text is Language => Object.hasOwn(LANGUAGES, text);

/** What a page is read in. */
export interface Reader {
  readonly language: Language;
  /** for numbers, days and times: the language as it is written where the reader is, for example `en-GB` */
  readonly locale: string;
}

/** Of whom nothing is known. */
export const ENGLISH: Reader = { language: 'en', locale: 'en' };

const LONGEST = 200;
const MOST_TAGS = 20;
/** a language, and where it is written so; scripts and variants change nothing that we print */
const TAG = /^([a-z]{2})(?:-[a-z]{4})?(?:-([a-z]{2}))?$/i;

/**
 * The best of what `accept-language` names, or else `usual`. `chosen`, what somebody has chosen on a page, comes first; where
 * the browser names the same language with a region, that is kept.
 */
export function readerOf(accepts: string | undefined, chosen: string | null, usual: Reader): Reader {
  const named = tagsOf(accepts);
  if (chosen !== null && isLanguage(chosen))
    return named.find(({ language }) => language === chosen) ?? { language: chosen, locale: chosen };
  return named[0] ?? usual;
}

/** What is asked for and can be read here, the most wanted first. */
function tagsOf(accepts: string | undefined): Reader[] {
  return (accepts ?? '')
    .slice(0, LONGEST)
    .split(',', MOST_TAGS)
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

/** What most people read in a country (ISO 3166 alpha-2), or else English as it is written there. `chosen` comes first. */
export function readerIn(country: string, chosen: string | null = null): Reader {
  if (chosen !== null && isLanguage(chosen)) return { language: chosen, locale: `${chosen}-${country}` };
  const { language } = new Intl.Locale(`und-${country}`).maximize();
  const known = isLanguage(language) ? language : 'en';
  return { language: known, locale: `${known}-${country}` };
}

/** In which direction lines run where this is written (BCP 47). */
export const directionOf = (locale: string): 'ltr' | 'rtl' =>
  new Intl.Locale(locale).getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr';
