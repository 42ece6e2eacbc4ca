import type { Area } from '../../../kernel/api/area.ts';

export const reservations: Area = {
  name: 'reservations',
  description: 'Standing bookings: the same time every week.',
  tables: [],
  resources: [],
  endpoints: [],
};
