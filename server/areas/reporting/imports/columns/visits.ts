import { words } from '../words.ts';
import { BOOKINGS } from './bookings.ts';
import { SCHEDULE } from './schedule.ts';
import type { KindColumns } from './columns.ts';

const { customer_external_id, customer_email, customer_first_name, customer_last_name, customer_name } =
  BOOKINGS.properties;
const { event, start_date, start_time, status } = BOOKINGS.properties;
const { venue, instructor } = SCHEDULE.properties;

/** The columns are those of bookings: the days of the rows decide which of the two a file is. */
export const VISITS: KindColumns = {
  needs: [['customer_external_id', 'customer_email', 'customer_name', 'customer_last_name'], ['start_date']],
  dates: ['start_date'],
  properties: {
    external_id: {
      plain: words(
        'visit id, booking id, attendance id, reservation id, check-in id, registration id, Buchungsnummer, Besuchs-ID',
        'numéro de réservation, número de reserva, numero prenotazione, boekingsnummer',
        'numer rezerwacji, מספר הזמנה',
      ),
    },
    customer_external_id,
    customer_email,
    customer_first_name,
    customer_last_name,
    customer_name,
    event,
    start_date,
    start_time,
    status,
    instructor,
    venue,
  },
};
