import { words } from '../words.ts';
import { BOOKINGS } from './bookings.ts';
import { SCHEDULE } from './schedule.ts';
import type { KindColumns } from './columns.ts';

const { customer_external_id, customer_email, customer_first_name, customer_last_name, customer_name, status } =
  BOOKINGS.properties;
const { end_time, duration, venue, instructor } = SCHEDULE.properties;

const APPOINTMENT_TYPES = words(
  'appointment type, service, service name, treatment, appointment, Terminart, Leistung, Behandlung',
  'prestation, soin, rendez-vous, servicio, tratamiento, cita, servizio, trattamento, appuntamento, dienst',
  'behandeling, afspraak, serviço, tratamento, marcação, usługa, zabieg, wizyta',
);
const APPOINTMENT_IDS = words('appointment id, appointment number, Terminnummer, Termin-ID');
const APPOINTMENT_DAYS = words('appointment date, appointment day, appointment start');

export const APPOINTMENTS: KindColumns = {
  needs: [
    ['customer_external_id', 'customer_email', 'customer_name', 'customer_last_name'],
    ['offering_type'],
    ['start_date'],
  ],
  shownBy: [...APPOINTMENT_TYPES, ...APPOINTMENT_IDS, ...APPOINTMENT_DAYS],
  dates: ['start_date'],
  properties: {
    external_id: { plain: [...APPOINTMENT_IDS, 'booking id', 'id'] },
    customer_external_id,
    customer_email,
    customer_first_name,
    customer_last_name,
    customer_name,
    offering_type: { plain: [...APPOINTMENT_TYPES, 'type', 'appointment name'] },
    // A start can have the day and the time in one cell.
    start_date: {
      plain: [
        ...APPOINTMENT_DAYS,
        ...words(
          'date, starts at, Datum, Tag, fecha, data, datum, dzień, start date, start time, start, Beginn, début',
        ),
      ],
    },
    start_time: {
      plain: words(
        'appointment time, start time, time, from, Uhrzeit, von, Zeit, heure, hora, ora, tijd, godzina, Beginn',
      ),
    },
    end_time,
    duration,
    venue,
    instructor: { ...instructor, plain: ['calendar', 'provider', 'practitioner', 'therapist', ...instructor.plain] },
    status: { plain: ['appointment status', ...status.plain] },
  },
};
