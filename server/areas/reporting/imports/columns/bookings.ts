import type { KindColumns } from './columns.ts';

export const BOOKINGS: KindColumns = {
  needs: [
    ['customer_external_id', 'customer_email'],
    ['event_external_id', 'start_date'],
  ],
  dates: ['start_date'],
  properties: {
    customer_external_id: {
      plain: ['customer id', 'customer number', 'member number', 'Kundennummer'],
      mindbody: ['Client ID', 'ClientID'],
      teamup: ['Customer ID'],
      momence: ['Member ID'],
      glofox: ['User ID', 'user_id'],
    },
    customer_email: {
      plain: ['email', 'email address', 'customer email', 'E-Mail-Adresse'],
      mindbody: ['Email'],
      teamup: ['Customer Email', 'Email'],
      momence: ['Customer email', 'Email'],
      glofox: ['email'],
    },
    event_external_id: {
      plain: ['event id', 'class id', 'session id'],
      mindbody: ['Class ID', 'Class Instance ID'],
      teamup: ['Event ID'],
      momence: ['Session ID'],
      glofox: ['Event ID'],
    },
    event: {
      plain: ['class', 'class name', 'event', 'session', 'Kurs', 'cours'],
      mindbody: ['Class', 'Class Name'],
      teamup: ['Event Name', 'Class Name'],
      momence: ['Session name'],
      glofox: ['Class Name', 'Event Name'],
    },
    start_date: {
      plain: ['date', 'class date', 'starts at', 'start', 'Datum'],
      mindbody: ['Date', 'Class Date', 'Visit Date'],
      teamup: ['Starts At', 'Date'],
      momence: ['Session date', 'Starts at'],
      glofox: ['Date', 'Booking Date'],
    },
    start_time: {
      plain: ['time', 'start time', 'class time', 'Uhrzeit'],
      mindbody: ['Time', 'Class Time', 'Start Time'],
      teamup: ['Start Time'],
      momence: ['Start time'],
      glofox: ['Start Time', 'Time'],
    },
    status: {
      plain: ['status', 'booking status', 'attendance'],
      mindbody: ['Status', 'Visit Status'],
      teamup: ['Attendance Status'],
      momence: ['Booking status'],
      glofox: ['Booking Status'],
    },
  },
};
