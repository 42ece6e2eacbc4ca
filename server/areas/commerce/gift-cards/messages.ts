/** Texts of printed gift cards, in every language. */
import { Catalog } from '../../../kernel/base/languages/catalog.ts';

export const PRINTED = Catalog.read('messages', 'gift-cards');
