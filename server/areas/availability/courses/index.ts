import type { Area } from '../../../kernel/api/area.ts';

export const courses: Area = {
  name: 'courses',
  description: 'Courses: their dates and sessions, and who takes part.',
  tables: [],
  resources: [],
  endpoints: [],
};
