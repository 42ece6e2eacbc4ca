/** Texts of printed gift cards, in every language. `en.json` is the source. */
import type en from './messages/en.json';
import { Catalog } from '../../../kernel/base/languages/catalog.ts';

export const PRINTED = Catalog.read<keyof typeof en>(new URL('./messages/', import.meta.url));
