/** The language of the dashboard: what somebody chose, or what their browser asks for. */

/** The languages, each with its own name. The same as those of the booking site. */
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

const CHOSEN = 'rollcall.language';

export const isLanguage = (text: string): text is Language => Object.hasOwn(LANGUAGES, text);

const isTag = (text: string): boolean => /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(text);

/** With the region that the browser names, which numbers, days and times are written for: `en-GB`. */
function choose(): { readonly language: Language; readonly locale: string } {
  const chosen = localStorage.getItem(CHOSEN);
  // Some systems name what is no language, such as `en-US@posix`.
  const wanted = navigator.languages
    .filter(isTag)
    .map((tag) => ({ language: tag.split('-')[0].toLowerCase(), locale: tag }));
  if (chosen !== null && isLanguage(chosen))
    return { language: chosen, locale: wanted.find(({ language }) => language === chosen)?.locale ?? chosen };
  const known = wanted.find(({ language }) => isLanguage(language));
  return known ? { language: known.language as Language, locale: known.locale } : { language: 'en', locale: 'en' };
}

export const { language, locale } = choose();

/** From the next load on. */
export function chooseLanguage(next: Language): void {
  localStorage.setItem(CHOSEN, next);
  location.reload();
}

/** Of the Intl standard; browsers that lack it read from left to right here, as all of these languages do. */
type Directed = Intl.Locale & { getTextInfo?(): { direction?: 'ltr' | 'rtl' } };

document.documentElement.lang = language;
document.documentElement.dir = (new Intl.Locale(locale) as Directed).getTextInfo?.().direction ?? 'ltr';
