/** Texts of wallet passes and of the pages about them, in every language. */
import type { TextKey } from '../../../kernel/base/languages/texts.ts';
import { Catalog } from '../../../kernel/base/languages/catalog.ts';
import { FRAME, type FrameKey, writtenWith, type Written as WrittenWith, type At } from '../frame/index.ts';
import { LANGUAGES, type Language } from '../../../kernel/base/languages/languages.ts';
import type { Words } from '../../../kernel/base/values/words.ts';

type Key = TextKey<'pages', 'accounts/passes'> | FrameKey;
export type Label = Extract<Key, `label.${string}`>;

export const CATALOG = FRAME.and(Catalog.read('pages', 'accounts/passes'));

export type Written = WrittenWith<Key>;

export const writtenFor = (visit: At): Written => writtenWith(visit, CATALOG);

/** Returns a label in every language: a pass shows it in the language of the phone. */
export const labelsIn = (words: Words, label: Label): Readonly<Record<Language, string>> =>
  Object.fromEntries(
    (Object.keys(LANGUAGES) as Language[]).map((language) => [
      language,
      CATALOG.for({ language, locale: language }, words)(label),
    ]),
  ) as Record<Language, string>;
