import { checkCatalog } from '../../../../test/catalogs.ts';
import { COURSES } from './messages.ts';
import { test } from 'node:test';

test('the pages of courses say the same in every language', () => {
  checkCatalog(COURSES, ['nav.home', 'timetable.week', 'filter.title', 'home.contact.or', 'courses.dates']);
});
