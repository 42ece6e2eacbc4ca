/** The texts around every email, in every language. */
import { Catalog } from '../languages/catalog.ts';

export const AROUND_MAIL = Catalog.read('messages', 'mail');
