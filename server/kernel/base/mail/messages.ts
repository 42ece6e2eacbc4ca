/** The texts around every email, in every language. `en.json` is the source. */
import type en from './messages/en.json';
import { Catalog } from '../languages/catalog.ts';

export const AROUND_MAIL = Catalog.read<keyof typeof en>(new URL('./messages/', import.meta.url));
