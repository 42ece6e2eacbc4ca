/** Texts of the pages for people without an account, in every language. */
import type { TextKey } from '../../../kernel/base/languages/texts.ts';
import { Catalog, type Say } from '../../../kernel/base/languages/catalog.ts';
import { writtenWith, type At } from '../frame/index.ts';

export const GUEST = Catalog.read('pages', 'accounts/guest');

export const guestSay = (visit: At): Say<TextKey<'pages', 'accounts/guest'>> => writtenWith(visit, GUEST).say;
