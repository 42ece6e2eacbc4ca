/** Texts of the pages of courses, in addition to those of the site, in every language. */
import type { TextKey } from '../../../../kernel/base/languages/texts.ts';
import { Catalog } from '../../../../kernel/base/languages/catalog.ts';
import { CATALOG, type Key } from '../messages.ts';
import { PAYER_TEXTS, writtenWith, type PayerKey, type Written } from '../../frame/index.ts';
import type { At } from '../site.ts';

export const COURSES = CATALOG.and(Catalog.read('pages', 'booking/courses')).and(PAYER_TEXTS);

export type CoursesWritten = Written<Key | PayerKey | TextKey<'pages', 'booking/courses'>>;

export const coursesFor = (visit: At): CoursesWritten => writtenWith(visit, COURSES);
