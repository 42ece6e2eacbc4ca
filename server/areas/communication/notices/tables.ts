/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { deleted, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';

export const TABLES: Tables = {
  ...ofBusiness('notification_type_setting'),
  calendar_entry: deleted('calendar_entries'),
  event_reminder: deleted('reminders'),
};
