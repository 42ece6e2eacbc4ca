/** The language of the dashboard: the person's choice, or the preference of their browser. */

/** The languages, each with its own name; the same as those of the booking site. */
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

const CHOSEN = 'rollcall.language';

export const isLanguage = (text: string): text is Language => Object.hasOwn(LANGUAGES, text);

const isTag = (text: string): boolean => /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(text);

/** Returns the language with the browser's region, which determines the format of numbers, dates and times: `en-GB`. */
function choose(): { readonly language: Language; readonly locale: string } {
  const chosen = localStorage.getItem(CHOSEN);
  // Some systems list invalid language tags, such as `en-US@posix`.
  const wanted = navigator.languages
    .filter(isTag)
    .map((tag) => ({ language: tag.split('-')[0].toLowerCase(), locale: tag }));
  if (chosen !== null && isLanguage(chosen))
    return { language: chosen, locale: wanted.find(({ language }) => language === chosen)?.locale ?? chosen };
  const known = wanted.find(({ language }) => isLanguage(language));
  return known ? { language: known.language as Language, locale: known.locale } : { language: 'en', locale: 'en' };
}

export const { language, locale } = choose();

/** Saves the language, which takes effect on the next load. */
export function chooseLanguage(next: Language): void {
  localStorage.setItem(CHOSEN, next);
  location.reload();
}

/** Languages that are written from right to left. Not every browser knows this of a locale. */
const RIGHT_TO_LEFT: readonly Language[] = ['he'];

document.documentElement.lang = language;
document.documentElement.dir = RIGHT_TO_LEFT.includes(language) ? 'rtl' : 'ltr';
