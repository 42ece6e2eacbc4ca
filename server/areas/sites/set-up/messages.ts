/** Texts of the setup pages, in every language. */
import type { TextKey } from '../../../kernel/base/languages/texts.ts';
import { Catalog } from '../../../kernel/base/languages/catalog.ts';

export type SetUpKey = TextKey<'pages', 'set-up'>;

export const SET_UP = Catalog.read('pages', 'set-up');
