/** Texts of the pages themselves, in every language: forms, the frame and errors. `en.json` is the source. */
import type forms from './messages/en.json';
import type pages from './page-messages/en.json';
import { Catalog, type Say } from '../base/languages/catalog.ts';
import { DEFAULT_WORDS } from '../base/values/words.ts';
import { ENGLISH, type Reader } from '../base/languages/languages.ts';

export type FormKey = keyof typeof forms;
/** Phrases form texts for one reader. */
export type FormSay = Say<FormKey>;

export const FORM_MESSAGES = Catalog.read<FormKey>(new URL('./messages/', import.meta.url));

/** For pages that exist in English only. */
export const IN_ENGLISH: FormSay = FORM_MESSAGES.for(ENGLISH, DEFAULT_WORDS);

export const PAGE_MESSAGES = Catalog.read<keyof typeof pages>(new URL('./page-messages/', import.meta.url));

/** Returns the texts of the frame, none of which has a word that a business chooses. */
export const aroundFor = (reader: Reader): Say<keyof typeof pages> => PAGE_MESSAGES.for(reader, DEFAULT_WORDS);
