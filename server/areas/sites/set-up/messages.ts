/** Texts of the setup pages, in every language. `en.json` is the source. */
import type en from './messages/en.json';
import { Catalog } from '../../../kernel/base/languages/catalog.ts';

export type SetUpKey = keyof typeof en;

export const SET_UP = Catalog.read<SetUpKey>(new URL('./messages/', import.meta.url));
