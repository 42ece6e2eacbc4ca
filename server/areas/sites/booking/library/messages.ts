/** Texts of the pages of the library, in addition to those of the site, in every language. */
import type { TextKey } from '../../../../kernel/base/languages/texts.ts';
import { Catalog } from '../../../../kernel/base/languages/catalog.ts';
import { CATALOG, type Key } from '../messages.ts';
import { writtenWith, type Written } from '../../frame/index.ts';
import type { At } from '../site.ts';

export const LIBRARY = CATALOG.and(Catalog.read('pages', 'booking/library'));

export type LibraryWritten = Written<Key | TextKey<'pages', 'booking/library'>>;

export const libraryFor = (visit: At): LibraryWritten => writtenWith(visit, LIBRARY);
