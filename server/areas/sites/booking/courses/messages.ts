/** Texts of the pages of courses, in addition to those of the site, in every language. `en.json` is the source. */
import type en from './messages/en.json';
import { Catalog } from '../../../../kernel/base/languages/catalog.ts';
import { CATALOG, type Key } from '../messages.ts';
import { writtenWith, type Written } from '../../frame/index.ts';
import type { At } from '../site.ts';

export const COURSES = CATALOG.and(Catalog.read<keyof typeof en>(new URL('./messages/', import.meta.url)));

export type CoursesWritten = Written<Key | keyof typeof en>;

export const coursesFor = (visit: At): CoursesWritten => writtenWith(visit, COURSES);
