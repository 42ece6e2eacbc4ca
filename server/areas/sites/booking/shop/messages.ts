/** Texts of the pages of the shop, in addition to those of the site, in every language. */
import type { TextKey } from '../../../../kernel/base/languages/texts.ts';
import { Catalog } from '../../../../kernel/base/languages/catalog.ts';
import { CATALOG, type Key } from '../messages.ts';
import { FORM_MESSAGES, type FormKey } from '../../../../kernel/pages/messages.ts';
import { writtenWith, type Written } from '../../frame/index.ts';
import type { At } from '../site.ts';

export const SHOP = CATALOG.and(FORM_MESSAGES).and(Catalog.read('pages', 'booking/shop'));

export type ShopWritten = Written<Key | FormKey | TextKey<'pages', 'booking/shop'>>;

export const shopFor = (visit: At): ShopWritten => writtenWith(visit, SHOP);
