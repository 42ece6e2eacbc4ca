import type { Area } from '../../../kernel/api/area.ts';

export { dropAppointment, slotAt, takeSlot, type SlotAsked, type TakenSlot } from './take.ts';

export const slots: Area = {
  name: 'slots',
  description: 'Free times for appointments and room rentals, and booking them.',
  tables: [],
  resources: [],
  endpoints: [],
};
