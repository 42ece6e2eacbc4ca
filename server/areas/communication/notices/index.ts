import { notifier } from './notifier.ts';
import { notificationTypeEndpoints } from './notification-types.ts';
import { noticesReader } from './reader.ts';
import { preferenceEndpoints } from './preferences.ts';
import { reminderEngine } from './reminders.ts';
import { teachingPreview } from './teaching.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

/** Notices to customers about their bookings. */
export const notices: Area = {
  name: 'notices',
  description: 'Notices to customers about their bookings: confirmations, waitlists, changes and reminders.',
  tables: TABLES,
  endpoints: [...notificationTypeEndpoints, ...preferenceEndpoints],
  notifier,
  readers: [noticesReader],
  consequences: [teachingPreview],
  engines: [reminderEngine],
};
