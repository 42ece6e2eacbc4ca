import { words } from '../words.ts';
import { CUSTOMERS } from './customers.ts';
import type { KindColumns } from './columns.ts';

const FIRST_NAMES = CUSTOMERS.properties.first_name.plain;
const LAST_NAMES = CUSTOMERS.properties.last_name.plain;
const WHOLE_NAMES = [...CUSTOMERS.properties.name.plain, 'customer'];

const EVENTS = words(
  'class, class name, event, session, Kurs, cours, activity, Angebot, Stunde, clase, actividad',
  'lezione, corso, les, aula, zajęcia, שיעור, שם השיעור, פעילות',
);
const EVENT_IDS = ['event id', 'class id', 'session id', 'class instance id'];

export const BOOKINGS: KindColumns = {
  needs: [
    ['customer_external_id', 'customer_email', 'customer_name', 'customer_last_name'],
    ['event_external_id', 'start_date'],
  ],
  // A name and a day alone can be of anything.
  shownBy: [
    ...EVENTS,
    ...EVENT_IDS,
    ...words('booking date, visit date, class date, session date, attendance date, check-in date, booking status'),
    ...words('visit status, attendance status, attendance, session name, event name, Buchungsstatus'),
  ],
  dates: ['start_date'],
  properties: {
    customer_external_id: {
      plain: words(
        'customer id, customer number, member number, Kundennummer, client id, member id, person id',
        'user id, Mitgliedsnummer, Mitglieds-Nr., Kunden-Nr., n° adhérent, numéro adhérent, n° client',
        'número de socio, número de cliente, id cliente, klantnummer, lidnummer, número de sócio',
        'numer klienta, מזהה לקוח, מספר לקוח',
      ),
      mindbody: ['Client ID', 'ClientID'],
      teamup: ['Customer ID'],
      momence: ['Member ID'],
      glofox: ['User ID', 'user_id'],
    },
    customer_email: {
      plain: words(
        'email, email address, customer email, E-Mail-Adresse, member email, client email, E-Mail, courriel',
        'adresse e-mail, correo electrónico, correo, indirizzo email, e-mailadres, endereço de e-mail',
        'adres e-mail, אימייל, מייל, דוא״ל, כתובת אימייל',
      ),
      mindbody: ['Email'],
      teamup: ['Customer Email', 'Email'],
      momence: ['Customer email', 'Email'],
      glofox: ['email'],
    },
    customer_first_name: { plain: FIRST_NAMES },
    customer_last_name: { plain: LAST_NAMES },
    customer_name: { plain: WHOLE_NAMES },
    event_external_id: {
      plain: EVENT_IDS,
      mindbody: ['Class ID', 'Class Instance ID'],
      teamup: ['Event ID'],
      momence: ['Session ID'],
      glofox: ['Event ID'],
    },
    event: {
      plain: EVENTS,
      mindbody: ['Class', 'Class Name'],
      teamup: ['Event Name', 'Class Name'],
      momence: ['Session name'],
      glofox: ['Class Name', 'Event Name'],
    },
    start_date: {
      plain: words(
        'date, class date, starts at, start, Datum, fecha, data, datum, session date, booking date, visit date',
        'start date, class start date, event date, attendance date, check-in date, date de début, jour, Tag',
        'date du cours, Kursdatum, fecha de la clase, fecha de inicio, data lezione, data inizio, lesdatum',
        'data da aula, data de início, data zajęć, dzień, תאריך, תאריך השיעור',
      ),
      mindbody: ['Date', 'Class Date', 'Visit Date'],
      teamup: ['Starts At', 'Date'],
      momence: ['Session date', 'Starts at'],
      glofox: ['Date', 'Booking Date'],
    },
    start_time: {
      plain: words(
        'time, start time, class time, Uhrzeit, Zeit, Beginn, heure, hora, ora, tijd, godzina',
        'class start time, שעה, שעת התחלה',
      ),
      mindbody: ['Time', 'Class Time', 'Start Time'],
      teamup: ['Start Time'],
      momence: ['Start time'],
      glofox: ['Start Time', 'Time'],
    },
    status: {
      plain: words('status, booking status, attendance, Buchungsstatus, statut, estado, stato, stan, סטטוס, נוכחות'),
      mindbody: ['Status', 'Visit Status'],
      teamup: ['Attendance Status'],
      momence: ['Booking status'],
      glofox: ['Booking Status'],
    },
  },
};
