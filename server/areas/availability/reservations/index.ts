import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import { attendanceFilters, eventFilters, findReservations } from './find.ts';
import { bookJob } from './keep-booking.ts';
import { changeReservations } from './change.ts';
import { FEED } from './feed.ts';
import { recurringReservation, reservationDate } from './recurring-reservation.ts';
import { RESERVATION_NOTICES } from './notices.ts';
import { RESERVATION_PROBLEMS } from './problems.ts';
import { reservationsReader } from './reader.ts';
import { settingsEndpoints } from './settings.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export const reservations: Area = {
  name: 'reservations',
  description: 'Standing bookings: the same time every week.',
  tables: TABLES,
  translations: readTranslations('reservations/refusals'),
  resources: [recurringReservation, reservationDate],
  endpoints: [...findReservations, ...changeReservations, ...settingsEndpoints],
  filters: { '/events': eventFilters, '/attendances': attendanceFilters },
  problems: RESERVATION_PROBLEMS,
  feed: FEED,
  notices: Object.values(RESERVATION_NOTICES),
  readers: [reservationsReader],
  jobs: [bookJob],
};
