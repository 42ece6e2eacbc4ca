/** Values for notices about recurring reservations, in every language. `en.json` is the source. */
import type en from './messages/en.json';
import { Catalog } from '../../../kernel/base/languages/catalog.ts';

export const FILLED_IN = Catalog.read<keyof typeof en>(new URL('./messages/', import.meta.url));
