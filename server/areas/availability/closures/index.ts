import type { Area } from '../../../kernel/api/area.ts';

export const closures: Area = {
  name: 'closures',
  description: 'Days on which the business is closed: what they touch, and how they are undone.',
  tables: [],
  resources: [],
  endpoints: [],
};
