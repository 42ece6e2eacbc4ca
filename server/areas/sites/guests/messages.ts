/** Texts of the pages for people without an account, in every language. `en.json` is the source. */
import type en from './messages/en.json';
import { Catalog, type Say } from '../../../kernel/base/languages/catalog.ts';
import { writtenWith, type At } from '../frame/index.ts';

export const GUEST = Catalog.read<keyof typeof en>(new URL('./messages/', import.meta.url));

export const guestSay = (visit: At): Say<keyof typeof en> => writtenWith(visit, GUEST).say;
