/** Texts of the pages themselves, in every language: forms, the frame and errors. */
import type { TextKey } from '../base/languages/texts.ts';
import { Catalog, type Say } from '../base/languages/catalog.ts';
import { DEFAULT_WORDS } from '../base/values/words.ts';
import { ENGLISH, type Reader } from '../base/languages/languages.ts';

export type FormKey = TextKey<'pages', 'pages/forms'>;
/** Phrases form texts for one reader. */
export type FormSay = Say<FormKey>;

export const FORM_MESSAGES = Catalog.read('pages', 'pages/forms');

/** For pages that exist in English only. */
export const IN_ENGLISH: FormSay = FORM_MESSAGES.for(ENGLISH, DEFAULT_WORDS);

const PAGE_MESSAGES = Catalog.read('pages', 'pages/frame');

/** Returns the texts of the frame, none of which has a word that a business chooses. */
export const aroundFor = (reader: Reader): Say<TextKey<'pages', 'pages/frame'>> =>
  PAGE_MESSAGES.for(reader, DEFAULT_WORDS);
