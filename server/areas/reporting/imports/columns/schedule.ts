import { words } from '../words.ts';
import type { KindColumns } from './columns.ts';

export const SCHEDULE: KindColumns = {
  // A time can be a span, such as 18:00-19:00. A weekly plan has weekdays instead of days.
  needs: [['name'], ['start_date', 'weekday'], ['end_time', 'duration', 'start_time']],
  dates: ['start_date', 'from', 'until'],
  properties: {
    external_id: {
      plain: ['event id', 'class id', 'session id', 'external id', 'id', 'מזהה'],
      mindbody: ['Class ID', 'Class Instance ID'],
      teamup: ['Event ID'],
      momence: ['Session ID'],
      glofox: ['Event ID'],
    },
    name: {
      plain: words(
        'class, class name, event, session, title, name, Kurs, cours, Angebot, Stunde, clase, actividad',
        'lezione, corso, les, aula, zajęcia, שיעור, שם השיעור, פעילות, שם',
      ),
      mindbody: ['Class', 'Class Name'],
      teamup: ['Event Name', 'Class Name'],
      momence: ['Session name'],
      glofox: ['Class Name', 'Event Name'],
    },
    offering_type: {
      plain: ['class type', 'event type', 'type', 'category', 'Kursart', 'type de cours', 'סוג שיעור'],
      mindbody: ['Service Category', 'Session Type'],
      teamup: ['Offering Type', 'Class Type'],
      momence: ['Session type'],
      glofox: ['Program'],
    },
    start_date: {
      plain: words(
        'date, start date, starts at, start, Datum, Beginn, class date, date de début, fecha, data, dzień, תאריך',
        'תאריך התחלה',
      ),
      mindbody: ['Date', 'Class Date'],
      teamup: ['Starts At', 'Date'],
      momence: ['Session date', 'Starts at'],
      glofox: ['Date'],
    },
    weekday: {
      plain: words(
        'weekday, weekdays, day, days, day of week, day of the week, Wochentag, Wochentage, Tag, jour, jours',
        'jour de la semaine, día, días, día de la semana, giorno, giorni, giorno della settimana, dag, dagen',
        'weekdag, dia, dias, dia da semana, dzień tygodnia, dni tygodnia',
      ),
    },
    from: {
      plain: words(
        'valid from, from date, first date, begins on, Gültig ab, ab, ab Datum, erster Termin, à partir du',
        'valable du, desde, válido desde, dal, valido dal, vanaf, geldig vanaf, a partir de, ważny od, od dnia',
      ),
    },
    until: {
      plain: words(
        'end date, valid until, until date, last date, ends on, Enddatum, Gültig bis, bis Datum',
        'letzter Termin, date de fin, jusqu’au, valable jusqu’au, fecha de fin, hasta, válido hasta, data fine',
        'fino al, valido fino al, einddatum, tot, geldig tot, data de fim, até, data zakończenia, do dnia',
      ),
    },
    start_time: {
      plain: words(
        'time, start time, from, Uhrzeit, von, heure, starts, Beginn, Zeit, hora, hora de inicio, ora, tijd',
        'starttijd, godzina, שעה, שעת התחלה',
      ),
      mindbody: ['Start Time', 'Time'],
      teamup: ['Start Time'],
      momence: ['Start time'],
      glofox: ['Start Time', 'Time'],
    },
    end_time: {
      plain: words(
        'end time, ends at, end, until, bis, finish, Ende, fin, heure de fin, hora de fin, ora fine',
        'eindtijd, koniec, שעת סיום, סיום',
      ),
      mindbody: ['End Time'],
      teamup: ['Ends At', 'End Time'],
      momence: ['End time', 'Ends at'],
      glofox: ['End Time'],
    },
    duration: {
      plain: ['duration', 'minutes', 'length', 'Dauer', 'durée', 'משך'],
      mindbody: ['Duration', 'Class Length'],
      teamup: ['Duration'],
      momence: ['Duration (minutes)'],
      glofox: ['Duration'],
    },
    venue: {
      plain: words(
        'venue, location, studio, place, Ort, lieu, branch, Standort, sede, locatie, local, miejsce, lugar',
        'sitio, luogo, vestiging, filia, סניף, מיקום, סטודיו',
      ),
      mindbody: ['Location', 'Location Name'],
      teamup: ['Venue'],
      momence: ['Location'],
      glofox: ['Location', 'Branch'],
    },
    room: {
      plain: words(
        'room, room name, class room, classroom, resource, Raum, Saal, Kursraum, Raumname, salle, pièce, sala',
        'aula, zaal, ruimte, lokaal, pomieszczenie, חדר, אולם',
      ),
    },
    instructor: {
      plain: words(
        'instructor, instructors, teacher, teachers, trainer, trainers, coach, coaches, staff, staff name',
        'staff member, instructor name, taught by, Trainerin, Kursleiter, Kursleiterin, Kursleitung, Lehrer',
        'Lehrerin, Lehrkraft, Übungsleiter, professeur, prof, enseignant, intervenant, animateur, profesor',
        'profesora, monitor, monitora, instructora, entrenador, istruttore, istruttrice, insegnante, docente',
        'docent, instructeur, leraar, professor, professora, instrutor, instrutora, instruktor, prowadzący',
        'trener, nauczyciel, מדריך, מדריכה, מדריכים, מורה, מאמן, מאמנת',
      ),
      mindbody: ['Staff', 'Instructor', 'Staff Name'],
      teamup: ['Instructors', 'Instructor'],
      momence: ['Teacher'],
      glofox: ['Trainer', 'Trainers'],
    },
    max_occupancy: {
      plain: words(
        'capacity, places, spots, max, Plätze, capacité, max capacity, size, Teilnehmerzahl',
        'max. Teilnehmer, plazas, aforo, posti, capienza, plaatsen, vagas, lugares, liczba miejsc, מקומות',
        'מספר מקומות',
      ),
      mindbody: ['Max Capacity', 'Capacity'],
      teamup: ['Max Occupancy', 'Capacity'],
      momence: ['Capacity'],
      glofox: ['Size', 'Capacity'],
    },
  },
};
