import { availability } from './availability.ts';
import { findSlotEndpoints } from './find-slots.ts';
import { registerSlot } from './register.ts';
import { reschedule } from './reschedule.ts';
import { SLOT_PROBLEMS } from './problems.ts';
import { slotSettings } from './settings.ts';
import { TABLES } from './tables.ts';
import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { chooseAt, verdictsAt, type Wanted } from './at-time.ts';
export { createHeld, dropAppointment, nearestTo, slotAt, takeSlot } from './take.ts';
export { findSlots } from './find.ts';
export { readLanes, type Lanes } from './lanes.ts';
export { readSettings as readSlotSettings } from './settings.ts';
export { SLOT_PROBLEMS } from './problems.ts';

export const slots: Area = {
  name: 'slots',
  description: 'Free times for appointments and room rentals, and booking them.',
  tables: TABLES,
  endpoints: [...findSlotEndpoints, availability, registerSlot, reschedule, ...slotSettings],
  problems: SLOT_PROBLEMS,
  translations: readTranslations('slots/refusals'),
};
