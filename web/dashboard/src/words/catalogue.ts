/**
 * Texts of one part of the dashboard: `messages/en.json` and the other languages in the same folder, in ICU syntax, all
 * with the same keys. English is bundled with the part; another language is loaded before the part is shown.
 */
import { IntlMessageFormat } from 'intl-messageformat';
import { language } from './language.ts';

/** The build parses messages with placeholders. */
type Message = string | ConstructorParameters<typeof IntlMessageFormat>[0];
type Messages = Readonly<Record<string, Message>>;
export type Holes = Readonly<Record<string, string | number | Date>>;
export type Say<Key extends string> = (key: Key, holes?: Holes) => string;

export interface Catalogue<Key extends string> {
  /** returns a text; placeholders are replaced by the values with their names */
  readonly say: Say<Key>;
  readonly has: (key: string) => boolean;
  /** resolves once the texts in the language of the user are loaded */
  readonly ready: Promise<void>;
}

/** `others`: `import.meta.glob(['./messages/*.json', '!./messages/en.json'], { import: 'default' })` */
export function catalogue<const M extends Messages>(
  english: M,
  others: Readonly<Record<string, () => Promise<unknown>>>,
): Catalogue<keyof M & string> {
  let messages: Messages = english;
  const made = new Map<string, IntlMessageFormat>();
  const load = others[`./messages/${language}.json`];
  const ready =
    language === 'en' || !load ? Promise.resolve() : load().then((loaded) => void (messages = loaded as Messages));
  const say = (key: keyof M & string, holes?: Holes): string => {
    const message = messages[key] ?? english[key];
    if (typeof message === 'string') return message;
    let format = made.get(key);
    if (!format) made.set(key, (format = new IntlMessageFormat(message, language, undefined, { ignoreTag: true })));
    return format.format(holes) as string;
  };
  return { say, has: (key) => Object.hasOwn(english, key), ready };
}
