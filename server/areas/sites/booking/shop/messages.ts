/** Texts of the pages of the shop, in addition to those of the site, in every language. `en.json` is the source. */
import type en from './messages/en.json';
import { Catalog } from '../../../../kernel/base/languages/catalog.ts';
import { CATALOG, type Key } from '../messages.ts';
import { FORM_MESSAGES, type FormKey } from '../../../../kernel/pages/messages.ts';
import { writtenWith, type Written } from '../../frame/index.ts';
import type { At } from '../site.ts';

export const SHOP = CATALOG.and(FORM_MESSAGES).and(
  Catalog.read<keyof typeof en>(new URL('./messages/', import.meta.url)),
);

export type ShopWritten = Written<Key | FormKey | keyof typeof en>;

export const shopFor = (visit: At): ShopWritten => writtenWith(visit, SHOP);
