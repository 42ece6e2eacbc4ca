/** Values for notices about recurring reservations, in every language. */
import { Catalog } from '../../../kernel/base/languages/catalog.ts';

export const FILLED_IN = Catalog.read('messages', 'reservations');
