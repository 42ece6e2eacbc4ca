/** What forms say of themselves, in every language. `en.json` is the source. */
import type en from './messages/en.json';
import { Catalog, type Say } from '../languages/catalog.ts';
import { DEFAULT_WORDS } from '../values/words.ts';

export type FormKey = keyof typeof en;
/** Says it to one reader. */
export type FormSay = Say<FormKey>;

export const FORM_MESSAGES = Catalog.read<FormKey>(new URL('./messages/', import.meta.url));

/** For pages that are only there in English. */
export const IN_ENGLISH: FormSay = FORM_MESSAGES.for({ language: 'en', locale: 'en' }, DEFAULT_WORDS);
