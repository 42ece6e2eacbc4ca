import type { Area } from '../../../kernel/api/area.ts';

export const terminologies: Area = {
  name: 'terminologies',
  description: 'What a business calls its classes, memberships, instructors and so on.',
  tables: [],
  resources: [],
  endpoints: [],
};
