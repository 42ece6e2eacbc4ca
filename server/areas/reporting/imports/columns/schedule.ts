import type { KindColumns } from './columns.ts';

export const SCHEDULE: KindColumns = {
  needs: [['name'], ['start_date'], ['end_time', 'duration']],
  dates: ['start_date'],
  properties: {
    external_id: {
      plain: ['event id', 'class id', 'session id', 'external id', 'id'],
      mindbody: ['Class ID', 'Class Instance ID'],
      teamup: ['Event ID'],
      momence: ['Session ID'],
      glofox: ['Event ID'],
    },
    name: {
      plain: ['class', 'class name', 'event', 'session', 'title', 'name', 'Kurs', 'cours'],
      mindbody: ['Class', 'Class Name'],
      teamup: ['Event Name', 'Class Name'],
      momence: ['Session name'],
      glofox: ['Class Name', 'Event Name'],
    },
    offering_type: {
      plain: ['class type', 'event type', 'type', 'category', 'Kursart', 'type de cours'],
      mindbody: ['Service Category', 'Session Type'],
      teamup: ['Offering Type', 'Class Type'],
      momence: ['Session type'],
      glofox: ['Program'],
    },
    start_date: {
      plain: ['date', 'start date', 'starts at', 'start', 'Datum', 'Beginn'],
      mindbody: ['Date', 'Class Date'],
      teamup: ['Starts At', 'Date'],
      momence: ['Session date', 'Starts at'],
      glofox: ['Date'],
    },
    start_time: {
      plain: ['time', 'start time', 'from', 'Uhrzeit', 'von', 'heure'],
      mindbody: ['Start Time', 'Time'],
      teamup: ['Start Time'],
      momence: ['Start time'],
      glofox: ['Start Time', 'Time'],
    },
    end_time: {
      plain: ['end time', 'ends at', 'end', 'until', 'bis'],
      mindbody: ['End Time'],
      teamup: ['Ends At', 'End Time'],
      momence: ['End time', 'Ends at'],
      glofox: ['End Time'],
    },
    duration: {
      plain: ['duration', 'minutes', 'length', 'Dauer', 'durée'],
      mindbody: ['Duration', 'Class Length'],
      teamup: ['Duration'],
      momence: ['Duration (minutes)'],
      glofox: ['Duration'],
    },
    venue: {
      plain: ['venue', 'location', 'studio', 'place', 'Ort', 'lieu'],
      mindbody: ['Location', 'Location Name'],
      teamup: ['Venue'],
      momence: ['Location'],
      glofox: ['Location', 'Branch'],
    },
    max_occupancy: {
      plain: ['capacity', 'places', 'spots', 'max', 'Plätze', 'capacité'],
      mindbody: ['Max Capacity', 'Capacity'],
      teamup: ['Max Occupancy', 'Capacity'],
      momence: ['Capacity'],
      glofox: ['Size', 'Capacity'],
    },
  },
};
